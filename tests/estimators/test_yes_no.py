"""Targets of yes and no: the law is the probability of a 1."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor, load
from scalesr.errors import DataError, SettingError
from tests.cli.test_fit import run

UNITS = {"x": "m", "z": "m", "yes": "1"}


def table(rng, n_rows=400):
    X = pd.DataFrame({"x": rng.uniform(0, 10, n_rows), "z": rng.uniform(1, 5, n_rows)})
    odds = 1.5 * X["x"] / X["z"] - 4
    return X, pd.Series((rng.uniform(size=n_rows) < 1 / (1 + np.exp(-odds))).astype(float), name="yes")


def fitted(X, y, **settings):
    return ScaleSRRegressor(random_state=0, time_limit=None, max_work=500, **settings).fit(X, y)


@pytest.mark.parametrize("settings", [{"loss": "logistic"}, {}])
def test_the_law_is_the_probability_of_a_one(settings, tmp_path):
    rng = np.random.default_rng(0)
    X, y = table(rng)
    model = fitted(X, y, **settings)
    assert model.equation_.text().startswith("1/(1 + exp(-(")
    assert "x/z" in str(model.equation_)
    assert model.discovery_.verdict == "within noise"
    assert model.discovery_.noise.sentence == "The target is yes or no, and the law is the probability of yes."
    true = 1 / (1 + np.exp(-(1.5 * X["x"] / X["z"] - 4)))
    assert np.abs(model.predict(X) - true).max() < 0.1
    model.save(tmp_path / "law.json")
    again = load(tmp_path / "law.json")
    assert again.discovery_ == model.discovery_
    assert again.predict(X) == pytest.approx(model.predict(X))


def test_coins_have_no_law(rng):
    X = pd.DataFrame({"x": rng.uniform(0, 1, 200)})
    model = fitted(X, pd.Series(rng.integers(0, 2, 200).astype(float), name="coin"), loss="logistic")
    assert model.discovery_.verdict == "no law found"


def test_an_exact_law_of_zero_and_one_is_no_matter_of_chance(rng):
    X = pd.DataFrame({"a": rng.integers(0, 2, 60).astype(float), "b": rng.integers(0, 2, 60).astype(float)})
    X["c"] = rng.uniform(1, 2, 60)
    model = fitted(X, (X["a"] * X["b"]).rename("both"))
    assert str(model.equation_) == "a*b"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"template": "f(x)"}, "templates and constraints cannot be combined with it yet"),
        ({"constraints": ["increasing in x"]}, "templates and constraints cannot be combined with it yet"),
        ({"units": UNITS}, "units cannot be combined with it yet"),
        ({"preset": "paper"}, "preset='paper' does not support it"),
    ],
)
def test_what_does_not_go_with_it_is_refused(rng, settings, message):
    X, y = table(rng, 30)
    with pytest.raises(SettingError, match=f"loss='logistic' looks for a probability: {message}"):
        fitted(X, y, loss="logistic", **settings)


def test_groups_and_numbers_are_refused(rng):
    X, y = table(rng, 30)
    with pytest.raises(SettingError, match="loss='logistic' does not support groups yet"):
        ScaleSRRegressor(loss="logistic").fit(X, y, groups=["a", "b"] * 15)
    with pytest.raises(DataError, match="is for a target of 0 and 1 that has both; 'x' is none"):
        fitted(X[["z"]], X["x"], loss="logistic")


def test_the_command_line_reads_yes_and_no(rng, tmp_path, capsys):
    X, y = table(rng, 200)
    rows = [f"{a:.4f},{b:.4f},{'yes' if one else 'no'}" for a, b, one in zip(X["x"], X["z"], y, strict=True)]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(["x,z,survived", *rows]))
    options = ("--target", "survived", "--loss", "logistic", "--max-work", 300)
    code, out, err = run(capsys, "fit", path, *options)
    assert code == 0
    assert "survived = 1/(1 + exp(" in out
    assert "yes was read as 1 and no as 0" in err
