"""Errors of columns: total least squares in the last refit, and what is told of it."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor
from scalesr.errors import DataError, SettingError
from scalesr.estimators.errors_of_columns import read_x_errors
from tests.cli.test_fit import run


def table(rng, n_rows=80):
    x = rng.uniform(0, 4, n_rows)
    X = pd.DataFrame({"x": x + 0.3 * rng.normal(size=n_rows)})
    return X, pd.Series(2.37 * x + 1.13 + 0.1 * rng.normal(size=n_rows), name="y")


def fitted(X, y, y_error=None, x_error=None, **settings):
    model = ScaleSRRegressor(time_limit=None, max_work=30, random_state=0, max_complexity=6, **settings)
    return model.fit(X, y, y_error=y_error, x_error=x_error)


def slope_of(model):
    return float(np.diff(model.predict(pd.DataFrame({"x": [0.0, 1.0]})))[0])


def test_the_slope_is_that_of_the_columns_without_their_errors():
    X, y = table(np.random.default_rng(3))
    model = fitted(X, y, y_error=0.1, x_error={"x": 0.3})
    assert abs(slope_of(model) - 2.37) < 3 * model.constants_["standard_error"].max()
    assert "Chi-square is 79.8 for 78 degrees of freedom" in model.discovery_.reason
    (step,) = [step for step in model.discovery_.trace if step.stage == "errors of columns"]
    assert step.summary.startswith("Total least squares with the errors of the columns: ")
    other = fitted(X, y, x_error=0.3)
    assert "The target's own errors are then 0.1" in other.discovery_.reason
    assert slope_of(other) == pytest.approx(slope_of(model), rel=0.05)


def test_errors_that_are_too_small_are_said():
    X, y = table(np.random.default_rng(3))
    assert "the rows are off by more than their errors say" in fitted(X, y, 0.01, {"x": 0.1}).discovery_.reason


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0.1, [[0.1, 0.1]] * 3),
        ([0.1, 0.0], [[0.1, 0.0]] * 3),
        ({"b": [1.0, 2.0, 3.0]}, [[0, 1], [0, 2], [0, 3]]),
        (pd.DataFrame({"a": [1.0, 2.0, 3.0]}), [[1, 0], [2, 0], [3, 0]]),
        (np.ones((3, 2)), np.ones((3, 2))),
    ],
)
def test_errors_are_given_by_number_column_or_cell(given, expected):
    assert read_x_errors(given, ("a", "b"), 3) == pytest.approx(np.array(expected))


def test_no_errors_are_none():
    assert read_x_errors(None, ("a",), 3) is None
    assert read_x_errors(0.0, ("a",), 3) is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"z": 1.0}, "x_error names the column 'z', which is not there; these are a, b"),
        ({"a": [1.0, 2.0]}, r"x_error of 'a' has the shape \(2,\)"),
        ([1.0, 2.0, 3.0], r"x_error has the shape \(3,\); give one number, one per column \(2\)"),
        ({"a": -1.0}, "x_error of 'a' is -1 in row 0"),
        ({"a": np.nan}, "x_error of 'a'"),
    ],
)
def test_what_is_no_error_is_refused(given, message):
    with pytest.raises(DataError, match=message):
        read_x_errors(given, ("a", "b"), 3)


def test_what_does_not_go_with_them_is_refused():
    X, y = table(np.random.default_rng(0), 20)
    with pytest.raises(SettingError, match="x_error cannot be combined with templates yet"):
        fitted(X, y, x_error=0.1, template="f(x)")
    with pytest.raises(SettingError, match="x_error cannot be combined with groups yet"):
        ScaleSRRegressor().fit(X, y, x_error=0.1, groups=["a", "b"] * 10)


def test_the_command_line_takes_numbers_and_columns(tmp_path, capsys):
    X, y = table(np.random.default_rng(3))
    path = tmp_path / "runs.csv"
    X.assign(x_err=0.3, y=y).to_csv(path, index=False)
    options = ("--target", "y", "--max-work", 50, "--max-complexity", 6)
    code, out, _ = run(capsys, "fit", path, *options, "--x-error", "x=x_err", "--y-error", "0.1")
    assert code == 0
    assert "Chi-square is 79.8 for 78 degrees of freedom" in " ".join(out.split())
    for wrong, message in (
        ("x", "'x' is not an error of a column"),
        ("w=1", "--x-error names 'w'"),
        ("x=a", "--x-error x="),
    ):
        code, _, err = run(capsys, "fit", path, *options, "--x-error", wrong)
        assert code == 2
        assert message in err
