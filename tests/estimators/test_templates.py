"""Templates: laws with holes, from the estimator to the file."""

import numpy as np
import pandas as pd
import pytest

from scalesr import ScaleSRRegressor, load
from scalesr.errors import SettingError
from scalesr.estimators.values import values_of
from scalesr.report import write_report

X = pd.DataFrame(np.random.default_rng(0).uniform(0.5, 3, (200, 3)), columns=["x", "y", "z"])
x, y, z = (X[name] for name in X)


def fitted(template, target, **settings) -> ScaleSRRegressor:
    settings = {"max_work": 1000} | settings
    return ScaleSRRegressor(template=template, random_state=0, time_limit=None, **settings).fit(X, target)


def parts(model) -> list[str]:
    return [str(part) for part in model.discovery_.taken.parts]


def test_holes_are_found_and_told_in_model_file_values_and_report(tmp_path):
    target = (x + 1 / x) * np.cos(y)
    model = fitted("f(x)*cos(y)", target)
    assert model.discovery_.verdict == "exact"
    assert parts(model) == ["f(x) = x + 1/x"]
    assert str(model.equation_) == "(x + 1/x)*cos(y)"
    model.save(tmp_path / "law.json")
    again = load(tmp_path / "law.json")
    assert again.template == "f(x)*cos(y)"
    assert parts(again) == parts(model)
    assert again.discovery_.taken.parts == model.discovery_.taken.parts
    assert values_of(model.discovery_, "t")["parts"] == [{"hole": "f(x)", "law": "x + 1/x"}]
    pytest.importorskip("matplotlib")
    write_report(tmp_path / "law.html", model, X, target, command="python")
    assert "f(x)" in (tmp_path / "law.html").read_text(encoding="utf-8")


def test_several_holes_are_found_together_under_noise(rng):
    target = np.exp(-0.7 * x) * np.sin(2 * y) + np.log(z + 1) + 0.02 * rng.normal(size=len(x))
    model = fitted("f(x)*g(y) + h(z)", target, max_work=300)
    assert model.discovery_.verdict == "within noise"
    skeletons = [str(part.equation.expression.skeleton()) for part in model.discovery_.taken.parts]
    assert skeletons == ["exp(C*x0)", "sin(C*x1)", "log(x2 + C)"]


def test_a_hole_of_two_columns_is_a_problem_of_its_own():
    model = fitted("a*f(x) + g(y, z)", 2 * np.exp(-x) + y / z**2, max_work=20000)
    assert model.discovery_.verdict == "exact"
    assert str(model.equation_) == "2*exp(-x) + y/z^2"
    assert parts(model)[1] == "g(y, z) = y/z^2"


def test_a_hole_of_a_formula_of_columns():
    assert parts(fitted("f(x/y)*z", z * np.sqrt(1 + x / y))) == ["f(x/y) = sqrt(x/y + 1)"]


def test_a_template_that_does_not_fit_says_so_with_the_law_without_it():
    model = fitted("f(x) + g(y)", np.exp(-0.7 * x) * y, max_work=200)
    found = model.discovery_
    assert found.verdict == "approximate"
    assert "No law of the template f(x) + g(y) that was tried fits; without it: y*exp(-0.7*x)" in found.reason
    assert len(found.taken.parts) == 2


def test_every_law_of_the_front_but_a_constant_is_of_the_template(rng):
    model = fitted("f(x) + g(y)", x**2 + np.sin(y) + 0.1 * rng.normal(size=len(x)), max_work=100)
    for law in model.discovery_.front:
        assert law.parts or not law.equation.expression.variables


@pytest.mark.parametrize("target", [x * 0 + 3.0, pd.Series(np.random.default_rng(1).normal(size=len(x)))])
def test_a_target_without_a_law_ends_without_an_error(target):
    assert fitted("f(x)*g(y)", target, max_work=40).discovery_.verdict in ("exact", "no law found", "approximate")


def test_few_rows_end_without_an_error():
    model = ScaleSRRegressor(template="f(x)*g(y)", max_work=50, time_limit=None).fit(X[:6], x[:6] * y[:6])
    assert model.discovery_.law is not None


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("d/dt f", "template='d/dt f' cannot be used: d/dt asks for a derivative"),
        ("f(w)", "depends on 'w', which is not a column; these are x, y, z"),
        (3, "template=3 is not a law with holes"),
    ],
)
def test_a_template_that_cannot_be_used_is_named(template, message):
    with pytest.raises(SettingError, match=message):
        fitted(template, x)


def test_the_papers_method_has_no_templates():
    with pytest.raises(SettingError, match="paper's method has no templates"):
        fitted("f(x)", x, preset="paper")
