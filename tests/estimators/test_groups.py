"""One law for many data sets, from the estimator."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor, discover, load
from scalesr.errors import DataError, SettingError
from scalesr.report import write_report

N_GROUPS, N_ROWS = 12, 6
HEIGHTS = {f"s{place}": height for place, height in enumerate(np.random.default_rng(5).uniform(1, 4, N_GROUPS))}


def table():
    rng = np.random.default_rng(6)
    sample = np.repeat(list(HEIGHTS), N_ROWS)
    t = rng.uniform(0, 3, N_GROUPS * N_ROWS).round(3)
    noise = 0.01 * rng.standard_normal(len(t))
    y = np.array([HEIGHTS[one] for one in sample]) * np.exp(-0.5 * t) + 2 + noise
    return pd.DataFrame({"sample": sample, "t": t}), pd.Series(y, name="c")


X, Y = table()


def regressor(**settings):
    return ScaleSRRegressor(**{"time_limit": None, "max_work": 40, "random_state": 0} | settings)


@pytest.fixture(scope="module")
def model():
    return regressor().fit(X, Y, groups="sample")


def test_a_shared_rate_and_a_height_of_each_sample_are_found(model):
    assert str(model.equation_) == "a*exp(-0.5*t) + 2"
    assert model.discovery_.verdict == "within noise"
    constants = model.group_constants_
    assert constants.index.name == "sample"
    assert list(constants.columns) == ["a", "a_standard_error"]
    assert list(constants.index) == list(HEIGHTS)
    off = (constants["a"] - pd.Series(HEIGHTS)).abs() / constants["a_standard_error"]
    assert off.max() < 4
    assert model.constants_["value"].tolist() == [-0.5, 2.0]
    assert model.feature_names_in_.tolist() == ["t"]


def test_known_groups_are_predicted_and_unknown_ones_ask_to_be_calibrated(model):
    assert np.abs(model.predict(X) - Y).max() < 0.05
    np.testing.assert_array_equal(model.predict(X[["t"]], groups=X["sample"]), model.predict(X))
    np.testing.assert_array_equal(
        model.predict(X[["t"]].iloc[:2], groups="s3"), model.predict(X.iloc[:2].assign(sample="s3"))
    )
    assert model.score(X, Y) > 0.999
    with pytest.raises(DataError, match=r"There is no sample 'new'.*calibrate\(X, y, group='new'\)"):
        model.predict(X.assign(sample="new"))
    with pytest.raises(DataError, match="The law has constants of each sample"):
        model.predict(X[["t"]])


def test_a_new_group_is_calibrated_from_its_rows_and_kept_in_files(model, tmp_path):
    own = load_copy(model, tmp_path)
    few = pd.DataFrame({"t": [0.0, 1.0, 2.0]})
    line = own.calibrate(few, 5 * np.exp(-0.5 * few["t"]) + 2, group="new")
    assert line.loc["new", "a"] == pytest.approx(5, abs=1e-6)
    assert 0.004 < line.loc["new", "a_standard_error"] < 0.05  # as rows of the fit err, not as these do
    np.testing.assert_allclose(own.predict(few, groups="new"), 5 * np.exp(-0.5 * few["t"]) + 2)
    own.save(tmp_path / "more.json")
    again = load(tmp_path / "more.json")
    pd.testing.assert_frame_equal(again.group_constants_, own.group_constants_)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert "new" not in model.group_constants_.index


def load_copy(model, folder):
    model.save(folder / "law.json")
    return load(folder / "law.json")


def test_too_few_rows_of_a_new_group_are_told(model, tmp_path):
    index = next(place for place, law in enumerate(model.discovery_.front) if len(law.groups.letters) == 2)
    own = load_copy(model, tmp_path).select(index)
    with pytest.raises(DataError, match=r"1 row cannot determine the 2 constants .* between groups; give 2 or more"):
        own.calibrate(pd.DataFrame({"t": [1.0]}), [3.0], group="new")


@pytest.mark.parametrize("form", ["array", "tables", "arrays"])
def test_groups_may_be_an_array_or_a_list_of_tables(form):
    settings = {"max_work": 30}
    if form == "array":
        found = regressor(**settings).fit(X[["t"]].to_numpy(), Y, groups=X["sample"].to_numpy())
    else:
        parts = [X[X["sample"] == one].index for one in HEIGHTS]
        tables = [X.loc[rows, ["t"]] for rows in parts]
        tables = tables if form == "tables" else [one.to_numpy() for one in tables]
        found = regressor(**settings).fit(tables, [Y[rows] for rows in parts])
    assert found.group_constants_.shape[0] == N_GROUPS
    assert found.group_constants_.index.name == "group"
    assert str(found.equation_).count("exp") == 1


def test_the_same_seed_gives_the_same_law(model):
    again = regressor().fit(X.sample(frac=1, random_state=1).sort_index(), Y, groups="sample")
    assert again.equation_ == model.equation_


def test_rows_may_come_in_any_order():
    order = np.random.default_rng(0).permutation(len(X))
    found = regressor().fit(X.iloc[order], Y.iloc[order], groups="sample")
    assert str(found.equation_) == "a*exp(-0.5*t) + 2"
    assert np.abs(found.predict(X) - Y).max() < 0.05


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"groups": "kind"}, "X has no column 'kind' that tells the groups apart; its columns are sample, t"),
        ({"groups": ["a"]}, "X has 72 rows and groups has 1 labels"),
        ({"groups": 7}, "neither the name of a column nor a label for each row"),
        ({"groups": [None] * 72}, r"Row 0 \(from 0\) has no group"),
    ],
)
def test_groups_that_cannot_be_are_told(given, message):
    with pytest.raises(DataError, match=message):
        regressor().fit(X, Y, **given)


def test_lists_of_tables_have_to_go_with_lists_of_targets():
    halves = [X[["t"]].iloc[:36], X[["t"]].iloc[36:]]
    with pytest.raises(DataError, match="X is a list of 2 tables; y has to be a list with a target for each"):
        regressor().fit(halves, Y)
    with pytest.raises(DataError, match="2 tables need as many groups"):
        regressor().fit(halves, [Y[:36], Y[36:]], groups=["a"])


@pytest.mark.parametrize(
    "settings",
    [{"preset": "paper"}, {"checkpoint": "c.run"}, {"template": "f(t)"}, {"constraints": "positive"}],
)
def test_what_does_not_go_with_groups_is_told(settings):
    with pytest.raises(SettingError, match="groups"):
        regressor(**settings).fit(X, Y, groups="sample")


def test_a_law_without_groups_has_no_constants_of_groups():
    plain = regressor(max_work=5).fit(X[["t"]], 3 * X["t"])
    with pytest.raises(DataError, match="fitted without groups"):
        _ = plain.group_constants_
    with pytest.raises(DataError, match="fitted without groups"):
        plain.calibrate(X[["t"]], Y, group="a")
    with pytest.raises(DataError, match="fitted without groups"):
        plain.predict(X[["t"]], groups="a")


def test_when_nothing_differs_no_group_is_asked_for():
    found = discover(X, 3 * X["t"] ** 2 + 1, groups="sample", time_limit=None, max_work=60, random_state=0)
    assert found.verdict == "exact"
    assert found.law.groups.letters == ()
    assert str(found.equation) == "3*t^2 + 1"


def test_a_group_of_one_row_is_no_crash():
    lonely = pd.concat([X, pd.DataFrame({"sample": ["one"], "t": [1.5]})], ignore_index=True)
    found = regressor().fit(lonely, [*Y, 4.0], groups="sample")
    assert "one" in found.group_constants_.index


def test_a_starting_formula_is_offered_to_the_groups():
    found = regressor(start="k*exp(q*t) + p", max_work=8).fit(X, Y, groups="sample")
    assert found.discovery_.law.origin == "a formula that was given"
    assert len(found.discovery_.law.groups.letters) == 1


def test_a_second_fit_begins_from_the_first(model, tmp_path):
    warm = load_copy(model, tmp_path).set_params(warm_start=True, max_work=8)
    assert "exp" in str(warm.fit(X, Y, groups="sample").equation_)


def test_the_report_lists_the_groups(model, tmp_path):
    pytest.importorskip("matplotlib")
    write_report(tmp_path / "law.html", model, X[["t"]], Y, command="x", groups=list(X["sample"]))
    page = (tmp_path / "law.html").read_text(encoding="utf-8")
    assert "Constants that differ by sample" in page
    assert page.count("<td>s11</td>") == 1
    assert "a, in ascending order" not in page
    assert "Table: 72 rows of t; target: c." in page
    with pytest.raises(DataError, match="say which one each row is of"):
        write_report(tmp_path / "law.html", model, X[["t"]], Y, command="x")


def test_a_plot_takes_the_groups(model):
    pytest.importorskip("matplotlib")
    assert len(model.plot(X, Y).axes) == 3


def test_units_go_with_groups():
    pytest.importorskip("pint")
    found = regressor(units="t=s,c=m", max_work=40).fit(X, Y, groups="sample")
    assert "exp" in str(found.equation_)  # its rate has a unit


def test_a_row_of_no_weight_does_not_count():
    wrong = Y.copy()
    wrong[:12] += 100
    weights = np.where(np.arange(len(X)) < 12, 0.0, 1.0)
    found = regressor().fit(X, wrong, weights, groups="sample")
    assert str(found.equation_) == "a*exp(-0.5*t) + 2"
    assert list(found.group_constants_.index) == [f"s{place}" for place in range(2, N_GROUPS)]


def test_constants_of_an_exact_law_that_are_equal_are_shared():
    """Where nothing is left of the rows, rounding decides between laws, and must not let equal constants differ."""
    factors = {"a": 2.37, "b": 4.19, "c": 1.61}
    table = pd.DataFrame([(name, float(x)) for name in factors for x in range(1, 9)], columns=["kind", "x"])
    y = table["kind"].map(factors) * table["x"] ** 2 + 1
    model = ScaleSRRegressor(time_limit=None, max_work=100, random_state=0).fit(table, y, groups="kind")
    assert str(model.equation_) == "x^2*a + 1"
    assert model.discovery_.verdict == "exact"


def test_units_go_with_groups_and_the_constants_that_differ_have_none_of_a_column():
    """A constant that differs is not a column: its unit follows from the law, as that of any constant."""
    pytest.importorskip("pint")
    pulls = {"earth": 9.81, "mars": 3.71, "moon": 1.62}
    table = pd.DataFrame([(name, t, v) for name in pulls for t in (0.5, 1.0, 2.0, 3.0) for v in (1.0, 4.0)])
    table.columns = ["planet", "t", "v0"]
    h = (table["v0"] * table["t"] - table["planet"].map(pulls) * table["t"] ** 2 / 2).rename("h")
    units = {"t": "s", "v0": "m/s", "h": "m"}
    model = ScaleSRRegressor(units=units, start="v0*t - g*t^2", time_limit=None, max_work=100, random_state=0)
    model.fit(table, h, groups="planet")
    assert model.score(table, h, groups=table["planet"]) == pytest.approx(1.0)
    assert list(model.constants_["unit"]) == [""] * len(model.constants_)


def test_a_fall_from_each_planet_is_found_on_few_noisy_rows():
    """Before all rows were asked about a polynomial, a wrong law of one term was called within noise here."""
    rng = np.random.default_rng(1)
    pulls = {"earth": 9.81, "mars": 3.71, "moon": 1.62}
    table = pd.DataFrame({"planet": rng.choice(list(pulls), 60), "t": rng.uniform(0.2, 3, 60)})
    table["v0"] = rng.uniform(1, 20, 60)
    h = table["v0"] * table["t"] - table["planet"].map(pulls) * table["t"] ** 2 / 2 + 0.02 * rng.normal(size=60)
    model = ScaleSRRegressor(time_limit=None, max_work=100, random_state=0).fit(table, h, groups="planet")
    assert np.std(model.predict(table) - h) < 0.03
    assert model.group_constants_["a"].loc[["earth", "moon"]].tolist() == pytest.approx([-4.905, -0.81], abs=0.02)
