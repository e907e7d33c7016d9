"""Whatever a user hands over either works or is refused with the column and what to do."""

import decimal
import fractions

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from scalesr import Operators, ScaleSRDynamics, ScaleSRRegressor, Verdict, evaluate, fit, fit_many, parse
from scalesr.errors import DataError, OperatorError, SettingError
from scalesr.search.mcts import MctsSearch

rng = np.random.default_rng(2)
A, B = rng.uniform(1, 2, (2, 50))
FRAME = pd.DataFrame({"a": A, "b": B})
Y = 2 * A * B


def fitted(X, y=Y, **settings) -> ScaleSRRegressor:
    return ScaleSRRegressor(random_state=0, **settings).fit(X, y)


def with_cells(column: str, cells: dict, dtype=object) -> pd.DataFrame:
    values = FRAME[column].astype(dtype)
    for row, value in cells.items():
        values.iloc[row] = value
    return FRAME.assign(**{column: values})


REFUSED_TABLES = {
    "NaN and inf": (
        with_cells("b", {3: np.nan, 7: np.inf}, float),
        r"2 of 50 rows hold NaN or infinite numbers, the first is row 3 \(from 0\); they are in Column 'b' \(2\)",
    ),
    "None": (with_cells("a", {4: None}), r"1 of 50 rows hold NaN .* Column 'a' \(1\)"),
    "pandas NA": (FRAME.assign(a=pd.array([pd.NA, *range(49)], dtype="Int64")), r"Column 'a' \(1\)"),
    "text": (with_cells("b", {5: "n/a"}), r"Column 'b' holds text, 'n/a' in row 5 \(from 0\).*pandas\.to_numeric"),
    "text column": (
        FRAME.assign(kind=[f"x{row}" for row in range(50)]),
        r"Column 'kind' holds text, 'x0' in row 0.*0 and 1 per category",
    ),
    "text categories": (FRAME.assign(kind=pd.Categorical(list("abcdefghijklm") * 3 + ["a"] * 11)), "'kind' holds text"),
    "numbers as text": (FRAME.astype(str), "Column 'a' holds text.*Convert it to numbers"),
    "text in a list": ([[1.0, "red"], [2.0, "blue"]], "Column 'x1' holds text, 'red' in row 0"),
    "dates": (FRAME.assign(t=pd.date_range("2020", periods=50)), "Column 't' holds dates.*seconds since"),
    "durations": (np.array([["1", "2"]] * 50, "m8[s]"), "Column 'x0' holds dates or durations"),
    "complex": (FRAME.assign(z=A + 1j * B), "Complex data not supported: Column 'z'.*the real and the imaginary part"),
    "complex cells": (with_cells("a", {0: 1j}), r"Complex data not supported: Column 'a' holds 1j in row 0"),
    "a list in a cell": (
        with_cells("b", {6: [1, 2]}),
        r"Column 'b' holds \[1, 2\] in row 6 \(from 0\), which is not a num",
    ),
    "huge integers": (with_cells("a", {1: 10**400}), "Column 'a' holds a number beyond 1.8e308 in row 1.*larger unit"),
    "sparse": (sparse.csr_array(FRAME.to_numpy()), r"sparse data are not supported; give X\.toarray\(\)"),
    "no rows": (FRAME.iloc[:0], r"0 sample\(s\) \(shape=\(0, 2\)\)"),
    "no columns": (FRAME[[]], r"0 feature\(s\) \(shape=\(50, 0\)\)"),
    "one dimension": (A, r"X has 1 dimension\(s\).*X\.reshape\(-1, 1\)"),
    "three dimensions": (np.ones((2, 3, 4)), r"X has 3 dimension\(s\)"),
    "nothing": (None, r"X has 0 dimension\(s\)"),
    "ragged rows": ([[1.0, 2.0], [3.0]], "rows of the table X have different lengths"),
    "two columns of one name": (pd.concat([FRAME, FRAME["a"]], axis=1), "Two columns are called 'a'; rename one"),
    "names of two kinds": (FRAME.assign(c=1).rename(columns={"c": 7}), r"Column 7 .*X\.columns\.astype\(str\)"),
}


@pytest.mark.parametrize("case", REFUSED_TABLES)
def test_a_table_that_cannot_be_used_is_refused_with_its_column(case):
    table, message = REFUSED_TABLES[case]
    with pytest.raises(DataError, match=message):
        fitted(table, np.arange(len(table)) if isinstance(table, list) else Y)


REFUSED_TARGETS = {
    "NaN": (pd.Series(np.where(A > 1.9, np.nan, Y), name="E"), r"hold NaN or infinite.*Target 'E'"),
    "text": (["red"] * 50, "Target 'y' holds text, 'red' in row 0"),
    "complex": (Y + 1j, "Complex data not supported: Target 'y'"),
    "too short": (Y[:-1], "X has 50 rows and y has 49; give a target for every row"),
    "a number": (3.0, r"y should be a 1d array.*shape is \(\)"),
    "three dimensions": (np.ones((50, 1, 1)), r"y should be a 1d array.*\(50, 1, 1\)"),
    "no columns": (pd.DataFrame(index=range(50)), "y has no columns"),
    "none": (None, "requires y to be passed"),
    "NaN in one of two": (np.column_stack([Y, np.full(50, np.nan)]), r"50 of 50 rows.*Target 'y1' \(50\)"),
}


@pytest.mark.parametrize("case", REFUSED_TARGETS)
def test_a_target_that_cannot_be_used_is_refused(case):
    target, message = REFUSED_TARGETS[case]
    with pytest.raises(DataError, match=message):
        fitted(FRAME, target)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.full(50, -1.0), r"sample_weight is -1 in row 0 \(from 0\); a weight is zero or more"),
        (np.zeros(50), "Every sample_weight is zero"),
        (np.ones(49), r"shape \(49,\); give one weight per row, 50 in all"),
        (np.ones((50, 2)), r"shape \(50, 2\)"),
        ([np.nan] * 50, "50 of 50 rows hold NaN or infinite"),
        (["heavy"] * 50, "sample_weight holds text"),
        (np.arange(50) == 3, "Only one of 50 rows is left"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(weights, message):
    with pytest.raises(DataError, match=message):
        ScaleSRRegressor().fit(FRAME, Y, weights)


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ({"preset": "fast"}, SettingError, "preset='fast' is unknown; known are 'default', 'paper'"),
        ({"search": "bfs"}, SettingError, "search='bfs' is unknown; known are 'default', 'exhaustive', 'mcts'"),
        ({"search": MctsSearch}, SettingError, "nor an object with the method search"),
        ({"search": 3}, SettingError, "search=3 is neither one of"),
        ({"generator": "forest"}, SettingError, "give 'auto', 'network', 'kernel' or a function"),
        ({"generator": None}, SettingError, "generator=None is unknown"),
        ({"operators": "biology"}, OperatorError, "'biology'; presets are paper, physics; operators are"),
        ({"operators": {"+": 1}}, SettingError, r"is not a set of operators"),
        ({"time_limit": 0}, SettingError, "time_limit=0 is not a positive number of seconds; None means no limit"),
        ({"time_limit": -1.0}, SettingError, "not a positive number"),
        ({"time_limit": float("nan")}, SettingError, "not a positive number"),
        ({"time_limit": "60"}, SettingError, "not a positive number"),
        ({"n_jobs": 0}, SettingError, "n_jobs=0 is not a number of workers"),
        ({"n_jobs": 1.5}, SettingError, "not a number of workers"),
        ({"random_state": "seed"}, SettingError, "random_state='seed' is not a whole number of 0 or more"),
        ({"random_state": -1}, SettingError, "random_state=-1"),
        ({"verbose": -1}, SettingError, "verbose=-1"),
        ({"warm_start": "yes"}, SettingError, "warm_start='yes' is neither True nor False"),
        ({"plain_laws": 2}, SettingError, "plain_laws=2"),
    ],
)
def test_a_setting_that_cannot_be_used_is_refused_with_those_that_can(setting, error, message):
    with pytest.raises(error, match=message):
        ScaleSRRegressor(**setting).fit(FRAME, Y)


ACCEPTED_TABLES = {
    "numbers as objects": FRAME.astype(object),
    "decimals and fractions": FRAME.assign(a=[decimal.Decimal(v) for v in A], b=[fractions.Fraction(v) for v in B]),
    "nullable floats": FRAME.convert_dtypes(),
    "lists": FRAME.to_numpy().tolist(),
    "columns in memory": np.asfortranarray(FRAME.to_numpy()),
    "numeric categories": FRAME.assign(a=pd.Categorical(A)),
    "long doubles": FRAME.to_numpy().astype(np.longdouble),
}


@pytest.mark.parametrize("case", ACCEPTED_TABLES)
def test_every_way_to_hold_the_same_numbers_gives_the_same_law(case):
    model = fitted(ACCEPTED_TABLES[case])
    assert np.array_equal(model.predict(ACCEPTED_TABLES[case]), fitted(FRAME).predict(FRAME))


def test_single_precision_gives_the_law_to_single_precision():
    model = fitted(FRAME.astype(np.float32), Y.astype(np.float32), time_limit=None, max_work=20)
    assert model.predict(FRAME.astype(np.float32)).dtype == np.float64
    assert model.predict(FRAME.astype(np.float32)) == pytest.approx(Y, rel=1e-5)


def test_flags_and_codes_are_numbers():
    table = pd.DataFrame({"on": A > 1.5, "code": np.arange(50) % 4})
    target = 3 * table["on"] + 0.5 * table["code"]
    assert fitted(table, target, max_work=20).predict(table) == pytest.approx(target)


@pytest.mark.parametrize(("of_x", "of_y"), [(1e-34, 1e30), (1e30, 1e-34), (1e-34, 1e-34), (1e30, 1e30)])
def test_physical_units_of_any_size_work(of_x, of_y):
    table, target = FRAME * [of_x, 1.0], 3 * of_y * A * B
    model = fitted(table, target, time_limit=None)
    assert model.predict(table) == pytest.approx(target, rel=1e-9)
    assert model.discovery_.verdict is Verdict.EXACT


def test_whole_numbers_too_large_for_a_float_are_rounded():
    table = pd.DataFrame({"n": np.array([2**63 - 1 - 2**40 * k for k in range(50)])})
    assert fitted(table, 2.0 * table["n"]).predict(table) == pytest.approx(2.0 * table["n"])
    table = pd.DataFrame({"n": np.array([2**64 - 1 - 2**40 * k for k in range(50)], np.uint64)})
    assert fitted(table, 2.0 * table["n"]).predict(table) == pytest.approx(2.0 * table["n"])


@pytest.mark.parametrize("value", [0.0, 5.0, -1e-34])
def test_a_constant_target_is_its_own_law(value):
    model = fitted(FRAME, np.full(50, value), time_limit=None)
    assert model.predict(FRAME) == pytest.approx(value, rel=1e-12, abs=0)
    assert model.equation_.complexity == 0


def test_constant_and_repeated_columns_do_no_harm():
    table = FRAME.assign(g=9.81, again=A)
    assert fitted(table).predict(table) == pytest.approx(Y)


def test_one_row_is_refused_and_two_are_enough():
    with pytest.raises(DataError, match=r"one sample \(n_samples = 1\).*give two rows"):
        fitted(FRAME.iloc[:1], Y[:1])
    assert np.isfinite(fitted(FRAME.iloc[:2], Y[:2], time_limit=None, max_work=5).predict(FRAME)).any()


def test_fewer_rows_than_columns_claim_no_law(rng):
    model = ScaleSRRegressor(random_state=0, time_limit=None, max_work=5).fit(
        rng.normal(size=(6, 20)), rng.normal(size=6)
    )
    assert model.discovery_.verdict is not Verdict.EXACT


def test_pure_noise_is_no_law(rng):
    model = fitted(rng.normal(size=(200, 3)), rng.normal(size=200), time_limit=None, max_work=20)
    assert model.discovery_.verdict is Verdict.NO_LAW


def test_operators_may_be_a_preset_or_a_set_of_ones_own():
    assert fitted(FRAME, operators="paper").score(FRAME, Y) == pytest.approx(1.0)
    assert fitted(FRAME, operators=Operators("*", "+")).score(FRAME, Y) == pytest.approx(1.0)


def test_prediction_refuses_what_fit_refuses():
    model = fitted(FRAME)
    with pytest.raises(DataError, match=r"Column 'b' \(1\)"):
        model.predict(with_cells("b", {0: np.nan}, float))
    with pytest.raises(DataError, match="Column 'a' holds text"):
        model.predict(with_cells("a", {0: "one"}))
    with pytest.raises(DataError, match=r"0 sample\(s\)"):
        model.predict(FRAME.iloc[:0])


MASKED = np.ma.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]], mask=[[0, 0], [0, 1], [0, 0]])


@pytest.mark.parametrize(
    ("X", "y", "sample_weight"),
    [
        (MASKED, [1.0, 2.0, 3.0], None),
        (list(MASKED), [1.0, 2.0, 3.0], None),
        (MASKED.data, MASKED[:, 1], None),
        (MASKED.data, [1.0, 2.0, 3.0], MASKED[:, 1]),
    ],
)
def test_a_masked_cell_is_refused_and_not_counted(X, y, sample_weight):
    with pytest.raises(DataError, match=r"is a masked array, and 1 of its cells are masked out. Leave out their rows"):
        ScaleSRRegressor().fit(X, y, sample_weight)


FOUND = ScaleSRRegressor(max_work=5, random_state=0).fit(np.eye(3, 2) + 1, [2.0, 3.0, 5.0])
CELL = np.ma.array([1.0, 1.0, 2.0], mask=[0, 1, 0])
WHOLE = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
SUM = parse("C*x0 + C*x1")


@pytest.mark.parametrize(
    "asked",
    [
        lambda: ScaleSRRegressor().fit([[1.0, 2.0], [np.ma.masked, 4.0]], [1.0, 2.0]),
        lambda: ScaleSRRegressor().fit(WHOLE, [1.0, 2.0, 3.0], y_error=CELL),
        lambda: ScaleSRRegressor().fit(WHOLE, [1.0, 2.0, 3.0], x_error={"x0": CELL}),
        lambda: ScaleSRRegressor().fit(WHOLE, [1.0, 2.0, 3.0], x_error=MASKED),
        lambda: ScaleSRRegressor().fit(WHOLE, [1.0, 2.0, 3.0], groups=CELL),
        lambda: ScaleSRRegressor().fit([WHOLE, MASKED], [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]),
        lambda: ScaleSRRegressor().fit([WHOLE, WHOLE], [[1.0, 2.0, 3.0], CELL]),
        lambda: FOUND.predict(MASKED),
        lambda: FOUND.score(WHOLE, CELL),
        lambda: FOUND.score(WHOLE, [1.0, 2.0, 3.0], sample_weight=CELL),
        lambda: FOUND.equation_.predict(MASKED),
        lambda: evaluate(SUM.bind([1.0, 2.0]), MASKED),
        lambda: fit(SUM, MASKED, [1.0, 2.0, 3.0]),
        lambda: fit(SUM, WHOLE, CELL),
        lambda: fit(SUM, WHOLE, [1.0, 2.0, 3.0], weights=CELL),
        lambda: fit_many(WHOLE, CELL),
        lambda: fit_many(WHOLE, [1.0, 2.0, 3.0], groups=CELL),
    ],
)
def test_no_door_takes_a_masked_cell(asked):
    with pytest.raises(DataError, match=r"is a masked array, and 1 of its cells are masked out. Leave out their rows"):
        asked()


def test_no_simulation_takes_a_masked_cell():
    t = np.linspace(0, 3, 40)
    model = ScaleSRDynamics(max_work=5, random_state=0).fit(np.exp(-t)[:, np.newaxis], t)
    for x0, times in ((np.ma.array([1.0], mask=[1]), [0.0, 0.1]), ([1.0], np.ma.array([0.0, 0.1], mask=[0, 1]))):
        with pytest.raises(DataError, match="is a masked array, and 1 of its cells are masked out"):
            model.simulate(x0, times)


def test_a_masked_array_without_a_masked_cell_is_an_array():
    x = np.linspace(1, 3, 30)
    model = ScaleSRRegressor(time_limit=None, max_work=20, random_state=0).fit(
        np.ma.array(x[:, np.newaxis]), np.ma.array(2 * x)
    )
    assert str(model.equation_) == "2*x0"


@pytest.mark.parametrize("power", [-307, -200, -100, 100, 200, 307])
def test_sizes_whose_squares_are_no_numbers_are_refused_with_a_unit(power):
    x = np.linspace(1, 1.5, 30)[:, np.newaxis]
    with pytest.raises(DataError, match=rf"Column 'x0' has values of size .*divide it by 1e{power}"):
        ScaleSRRegressor().fit(x * 10.0**power, x[:, 0])
    with pytest.raises(DataError, match=rf"Target 'y' has values of size .*divide it by 1e{power}"):
        ScaleSRRegressor().fit(x, x[:, 0] * 10.0**power)


@pytest.mark.parametrize("power", [-74, 74])
def test_sizes_within_the_limit_give_the_law(power):
    x = np.linspace(1, 1.5, 40)[:, np.newaxis] * 10.0**power
    model = ScaleSRRegressor(time_limit=None, max_work=20, random_state=0).fit(x, 2 * x[:, 0])
    assert (str(model.equation_), str(model.discovery_.verdict)) == ("2*x0", "exact")


def test_a_column_over_many_powers_of_ten_ends_in_no_warning():
    x = 10.0 ** np.linspace(-70, 70, 40)
    model = ScaleSRRegressor(time_limit=None, max_work=20, random_state=0).fit(x[:, np.newaxis], np.log(x))
    np.testing.assert_allclose(model.predict(x[:, np.newaxis]), np.log(x), rtol=1e-9)


def test_a_function_of_the_target_whose_squares_overflow_is_passed_over():
    x = np.array([[2.65, 1.60, 2.85], [2.56, 1.23, 2.21], [2.86, 2.95, 1.47], [0.76, 2.32, 2.78], [0.88, 2.62, 2.94]])
    y = [8.089166084859124e-36, 1.8178218952981535e-51, 2.4987822624292237e38, 3.0484490050588292e69, 1.4e-29]
    model = ScaleSRRegressor(time_limit=None, max_work=20, random_state=0).fit(1e30 * x, y)
    assert np.shape(model.predict(x)) == (5,)
