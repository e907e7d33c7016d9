import numpy as np
import pandas as pd
import pytest
import sympy
from sklearn.exceptions import DataConversionWarning

from scalesr import Discovery, Equation, Operators, ScaleSRRegressor, Verdict, discover, parse, pipeline
from scalesr.errors import DataError
from scalesr.records.discovery import Law

rng = np.random.default_rng(1)
X = rng.uniform(1, 2, (80, 3))
y = 3 * X[:, 0] * X[:, 1] + X[:, 2] ** 2


def exact(names, **settings) -> ScaleSRRegressor:
    return ScaleSRRegressor(random_state=0, **settings).fit(pd.DataFrame(X, columns=names), y)


def recorded(monkeypatch) -> list:
    """What the method is called with, while it does its work."""
    calls, method = [], pipeline.discover

    def spy(data, settings, *, rng, progress=None):
        calls.append((data, settings, rng.bit_generator.state))
        return method(data, settings, rng=rng, progress=progress)

    monkeypatch.setattr(pipeline, "discover", spy)
    return calls


def test_the_law_of_a_table_is_found_and_shown_in_every_form():
    model = exact(["m", "g", "theta"])
    a, b, c = sympy.symbols("m g theta")
    difference = sympy.simplify(sympy.nsimplify(model.sympy(), tolerance=1e-9, rational=True) - (3 * a * b + c**2))
    assert difference == 0
    assert r"\theta" in model.latex()
    assert model._repr_latex_() == model.equation_._repr_latex_() == f"${model.latex()}$"
    assert model.discovery_.verdict is Verdict.EXACT
    assert isinstance(model.equation_, Equation)
    assert model.predict(pd.DataFrame(X, columns=["m", "g", "theta"])) == pytest.approx(y)


def test_the_front_is_a_table_from_simple_to_exact():
    table = exact(["m", "g", "theta"]).equations_
    assert list(table.columns) == ["complexity", "loss", "probability", "equation"]
    assert table["complexity"].is_monotonic_increasing
    assert table["loss"].is_monotonic_decreasing
    assert all(isinstance(equation, Equation) for equation in table["equation"])
    assert str(table["equation"].iloc[-1]) in table.to_string(max_colwidth=None)


@pytest.mark.parametrize(
    "names",
    [
        ["a b", "sin", ""],
        ["C", "pi", "x0"],
        ["x2", "x1", "x0"],
        ["`", "a`b", "1"],
        ["+", "exp(x)", "\n"],
        ["θ", "é", "ß"],
    ],
)
def test_any_distinct_column_names_print_and_are_read_back(names):
    model = exact(names)
    assert model.feature_names_in_.tolist() == names
    assert parse(model.equation_.text(), names) == model.equation_.expression
    assert model.latex()
    assert model.predict(pd.DataFrame(X, columns=names)) == pytest.approx(y)


def test_columns_without_text_names_are_called_x0_x1():
    model = ScaleSRRegressor(random_state=0).fit(pd.DataFrame(X), y)
    assert model.equation_.names == ("x0", "x1", "x2")
    assert "feature_names_in_" not in vars(model)


def test_several_targets_are_independent_laws():
    targets = pd.DataFrame({"p": y, "q": X[:, 1] / X[:, 0]})
    model = ScaleSRRegressor(random_state=0).fit(X, targets)
    assert model.target_names_ == ("p", "q")
    assert len(model.equation_) == len(model.equations_) == len(model.discovery_) == len(model.latex()) == 2
    assert model.predict(X) == pytest.approx(targets.to_numpy())
    assert model.score(X, targets) == pytest.approx(1.0)
    alone = ScaleSRRegressor(random_state=0).fit(X, targets["p"])
    assert np.array_equal(alone.predict(X), model.predict(X)[:, 0])


@pytest.mark.parametrize("columns", [[0], [0, 1]], ids=["threads", "processes"])
def test_two_workers_find_the_same_laws_as_one(columns):
    targets = np.column_stack([np.exp(-(X[:, 0] ** 2)) / (1 + X[:, 0]), X[:, 1] / X[:, 0]])[:, columns]
    models = [ScaleSRRegressor(random_state=0, n_jobs=n_jobs).fit(X[:, :2], targets.squeeze()) for n_jobs in (1, 2)]
    assert models[0].equation_ == models[1].equation_
    assert models[0].score(X[:, :2], targets.squeeze()) == pytest.approx(1.0)


def test_workers_beyond_the_targets_are_threads_of_the_searches(monkeypatch):
    calls = recorded(monkeypatch)
    ScaleSRRegressor(random_state=0, n_jobs=3).fit(X, y)
    assert [settings.n_jobs for _, settings, _ in calls] == [3]


def test_several_targets_share_the_time_and_not_the_randomness(monkeypatch):
    calls = recorded(monkeypatch)
    ScaleSRRegressor(random_state=0, time_limit=10).fit(X, np.column_stack([y, y]))
    assert [settings.time_limit for _, settings, _ in calls] == [5, 5]
    assert [data.target for data, _, _ in calls] == ["y0", "y1"]
    assert calls[0][2] != calls[1][2]
    assert calls[0][2] == np.random.default_rng(0).bit_generator.state


def test_a_column_vector_is_one_target_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        model = ScaleSRRegressor(random_state=0).fit(X, y[:, np.newaxis])
    assert model.predict(X).shape == (80,)


def test_the_name_of_a_series_is_the_targets(monkeypatch):
    calls = recorded(monkeypatch)
    model = ScaleSRRegressor(random_state=0).fit(X, pd.Series(y, name="E"))
    assert model.target_names_ == ("E",)
    assert calls[0][0].target == "E"


def test_a_warm_start_begins_from_the_laws_of_the_first_fit(monkeypatch):
    calls = recorded(monkeypatch)
    model = ScaleSRRegressor(random_state=0, warm_start=True).fit(X, y)
    first = model.discovery_
    model.fit(X, y)
    starts = [[proposal.expression for proposal in settings.start] for _, settings, _ in calls]
    assert starts[0] == []
    assert starts[1][0] == first.equation.expression
    assert set(starts[1]) == {law.equation.expression for law in (first.law, *first.front)}
    assert len(starts[1]) == len(set(starts[1]))


def test_a_warm_start_needs_the_same_columns_and_targets():
    model = ScaleSRRegressor(random_state=0, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match="X has 2 features, but ScaleSRRegressor is expecting 3"):
        model.fit(X[:, :2], y)
    with pytest.raises(DataError, match="1 laws does not fit 2 targets; set warm_start=False"):
        model.fit(X, np.column_stack([y, y]))
    assert model.predict(X) == pytest.approx(y)  # the first law is still there


def test_without_a_warm_start_a_second_fit_knows_nothing_of_the_first(monkeypatch):
    calls = recorded(monkeypatch)
    model = ScaleSRRegressor(random_state=0).fit(X, y)
    model.fit(pd.DataFrame(X[:, :2], columns=["a", "b"]), X[:, 0])
    assert calls[1][1].start == ()
    assert model.equation_.names == ("a", "b")


def test_verbose_tells_on_standard_error_and_zero_is_quiet(capsys):
    exact(["a", "b", "c"])
    assert capsys.readouterr() == ("", "")
    model = exact(["a", "b", "c"], verbose=1)
    out, err = capsys.readouterr()
    assert out == ""
    assert f"y = {model.equation_}" in err
    assert err.splitlines()[-1].endswith(model.discovery_.sentence)
    n_lines = len(err.splitlines())
    exact(["a", "b", "c"], verbose=2)
    assert len(capsys.readouterr().err.splitlines()) >= n_lines > 2


def test_rows_without_weight_do_not_count():
    table = np.linspace(1, 2, 40)[:, np.newaxis]
    odd = np.arange(40) % 2
    target = np.where(odd, 2 * table[:, 0], 5 / table[:, 0])
    model = ScaleSRRegressor(random_state=0, time_limit=None)
    assert model.fit(table, target, sample_weight=odd).predict([[3.0]]) == pytest.approx(6.0)
    assert model.fit(table, target, sample_weight=1 - odd).predict([[3.0]]) == pytest.approx(5 / 3)


def test_heavy_rows_decide_the_constants():
    table = np.linspace(1, 9, 60)[:, np.newaxis]
    light = np.arange(60) % 2 == 1
    target = 2 * table[:, 0] + np.where(light, 1.2, 1.0)
    model = ScaleSRRegressor(random_state=0, time_limit=None, max_work=50).fit(
        table, target, np.where(light, 1e-12, 1.0)
    )
    assert model.predict(table)[~light] == pytest.approx(target[~light], abs=1e-6)


def test_left_out_rows_stand_in_the_trace():
    weights = np.ones(80)
    weights[:3] = 0
    model = ScaleSRRegressor(random_state=0).fit(X, y, weights)
    assert model.discovery_.trace[0].summary == "3 of 80 rows have no weight and were left out."


@pytest.mark.parametrize("seed", [0, np.int64(0), np.random.RandomState(3), np.random.default_rng(3), None])
def test_every_kind_of_random_state_works(seed):
    assert ScaleSRRegressor(random_state=seed).fit(X, y).predict(X) == pytest.approx(y)


def test_the_same_seed_gives_the_same_law_to_the_last_digit():
    target = np.exp(-X[:, 0]) * X[:, 1]
    first, second = (ScaleSRRegressor(random_state=7).fit(X, target).discovery_ for _ in range(2))
    assert first.equation == second.equation
    assert [str(law.equation) for law in first.front] == [str(law.equation) for law in second.front]


def test_discover_gives_the_record_that_the_regressor_keeps():
    found = discover(X, y, random_state=0, operators=Operators("physics"))
    assert isinstance(found, Discovery)
    assert found.equation == ScaleSRRegressor(random_state=0).fit(X, y).equation_
    assert isinstance(found.law, Law)
    assert len(discover(X, np.column_stack([y, y]), random_state=0)) == 2
    with pytest.raises(TypeError, match="colour"):
        discover(X, y, colour="red")


def test_an_interrupt_that_the_method_lets_through_is_not_swallowed(monkeypatch):
    model = ScaleSRRegressor(random_state=0).fit(X, y)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline, "discover", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, X[:, 0])
    assert model.predict(X) == pytest.approx(y)  # the law before is still there
