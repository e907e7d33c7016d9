"""Formulas that are given: read, fitted, kept or beaten, and compared."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor, load
from scalesr.errors import SettingError

rng = np.random.default_rng(0)
X = pd.DataFrame({"v": rng.uniform(1, 9, 60), "d": rng.uniform(0.5, 2, 60)})


def fitted(y, **settings) -> ScaleSRRegressor:
    return ScaleSRRegressor(random_state=0, time_limit=None, **settings).fit(X, y)


def said(model) -> list[str]:
    return [step.summary for step in model.discovery_.trace if step.stage == "start"]


def test_a_formula_that_is_the_law_is_found_with_next_to_no_work(tmp_path):
    y = 0.6 * np.exp(-0.3 * X["v"]) * np.sin(2.1 * X["d"]) / (1 + 0.2 * X["v"] * X["d"])
    model = fitted(y, start=["a*exp(-b*v)*sin(w*d)/(1 + c*v*d)"], max_work=1)
    assert model.score(X, y) == pytest.approx(1.0, abs=1e-9)
    assert model.discovery_.verdict == "exact"
    model.save(tmp_path / "law.json")
    assert load(tmp_path / "law.json").start == ("a*exp(-b*v)*sin(w*d)/(1 + c*v*d)",)


def test_a_formula_that_is_beaten_is_compared():
    y = 0.6 * X["v"] ** 2 * X["d"] + 0.5 * X["v"]
    (line,) = said(fitted(y, start="k*d*v^2", max_work=5))
    assert line.startswith("k*d*v^2 was fitted as 0.6")
    own, best = (float(part.split("errs by ")[1].rstrip(".").split(";")[0].split(",")[0]) for part in line.split("; "))
    assert own > 0.5
    assert best < 1e-6
    assert " nats." in line


def test_a_formula_that_does_as_well_is_not_told_apart():
    few = pd.DataFrame({"x": np.linspace(1, 2, 12)})
    y = 2 * few["x"] + 0.3 * np.random.default_rng(1).normal(size=12)
    model = ScaleSRRegressor(random_state=0, time_limit=None, max_work=20, start=["a*exp(b*x)", "a*b*x"]).fit(few, y)
    first, second = said(model)
    assert "nats" in first or "it is the law" in first
    assert second.startswith("a*b*x was fitted as 2")  # one of two constants that only go together


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (["k*(v"], r"start='k\*\(v' cannot be read: "),
        (["3*k"], r"start='3\*k' uses no column; these are v, d"),
        (["sqrt(-v)*k"], "has no values on some rows, whatever its constants are"),
        (3, "start=3 is not a formula or list of formulas"),
        ([3], "is not a formula or list of formulas"),
    ],
)
def test_a_formula_that_cannot_be_used_is_named(start, message):
    with pytest.raises(SettingError, match=message):
        fitted(X["v"], start=start, max_work=1)
