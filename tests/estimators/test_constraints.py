"""Constraints: what they rule out in a fit, and what is said of it."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor, load
from scalesr.errors import SettingError

X = pd.DataFrame(np.random.default_rng(0).uniform([0.2, 0.5], [4, 2], (60, 2)), columns=["x", "y"])
x, y = X["x"], X["y"]


def fitted(constraints, target, **settings) -> ScaleSRRegressor:
    settings = {"max_work": 30} | settings
    return ScaleSRRegressor(constraints=constraints, random_state=0, time_limit=None, **settings).fit(X, target)


def said(model) -> list[str]:
    return [step.summary for step in model.discovery_.trace if step.stage == "constraints"]


def test_the_law_obeys_and_the_trace_says_what_decided(tmp_path):
    model = fitted(["increasing in x", "positive", "contains y"], x**2 + y)
    assert model.discovery_.verdict == "exact"
    assert said(model)[1:] == [
        "increasing in x: holds, by interval arithmetic on the box of the rows.",
        "positive: holds, by interval arithmetic on the box of the rows.",
        "contains y: holds, by the law's form.",
    ]
    model.save(tmp_path / "law.json")
    assert load(tmp_path / "law.json").constraints == ("increasing in x", "positive", "contains y")


def test_a_wrong_constraint_is_told_with_the_law_without_it():
    found = fitted("decreasing in x", x**2 + y).discovery_
    assert found.verdict == "no law found"
    assert "No law with the constraint 'decreasing in x' that was tried fits; without it: x^2 + y" in found.reason
    assert found.ended == "The exact law of the rows breaks 'decreasing in x'."


def test_laws_that_break_a_constraint_are_counted_and_not_on_the_front(rng):
    model = fitted(["odd in x"], x**3 - 2 * x + 0.1 * rng.normal(size=60))
    assert "laws that were tried break a constraint and were ruled out" in said(model)[0]
    for law in model.discovery_.front:
        expr = law.equation.expression
        if expr.variables:
            mirrored = X.assign(x=-x).to_numpy()
            assert law.equation.predict(mirrored) == pytest.approx(-law.equation.predict(X.to_numpy()), abs=1e-6)


def test_equalities_shape_the_constants(rng):
    target = 2 * (1 - np.exp(-0.6 * x)) * y + 0.05 * rng.normal(size=60)
    model = fitted(["f(x=0) = 0"], target)
    at_zero = model.predict(pd.DataFrame({"x": np.zeros(5), "y": np.linspace(0.5, 2, 5)}))
    assert np.abs(at_zero).max() < 1e-6
    assert model.score(X, target) > 0.98


def test_a_column_and_an_operator_that_are_ruled_out_are_not_tried():
    model = fitted(["without y", "no exp", "complexity <= 6"], 1 / (1 + x) + 0.01 * y)
    for law in model.discovery_.front:
        assert 1 not in law.equation.expression.variables
        assert "exp" not in str(law.equation)
        assert law.complexity <= 6


def test_a_template_obeys_constraints_too():
    model = fitted(["f(x=0) = 0"], x**2 * np.cos(y), template="f(x)*cos(y)", max_work=1000)
    assert model.discovery_.verdict == "exact"
    assert str(model.equation_) == "x^2*cos(y)"


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        (["rising in x"], "The constraint 'rising in x' is not understood. Possible are: positive; "),
        (3, "constraints=3 is not a constraint or list of them"),
        ([3], "is not a constraint or list of them"),
    ],
)
def test_what_is_not_understood_is_named(constraints, message):
    with pytest.raises(SettingError, match=message):
        fitted(constraints, x)


def test_the_papers_method_has_no_constraints():
    with pytest.raises(SettingError, match="paper's method has no constraints"):
        fitted(["positive"], x, preset="paper")
