import numpy as np
import pandas as pd
import pytest

from scalesr import Verdict
from scalesr.errors import DataError, FormulaError
from scalesr.estimators.judging import judge_formula
from scalesr.expr.text import parse
from scalesr.records.equation import Equation


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(1, 3, (200, 2)), columns=["a", "b"])
    return X, pd.Series(2 * X["a"] ** 2 / X["b"] + 0.05 * rng.normal(size=200), name="y")


def law(text: str) -> Equation:
    form = parse(text, ["a", "b"])
    return Equation(form, ("a", "b"), np.zeros((len(form.constants),) * 2))


def test_open_constants_are_fitted_and_numbers_stay(rows):
    fitted = judge_formula("C*a^2/b", *rows)
    assert fitted.law.equation.constants == pytest.approx([2.0], abs=0.01)
    assert fitted.law.equation.standard_errors[0] > 0
    given = judge_formula("2*a^2/b", *rows)
    assert str(given.law.equation) == "2*a^2/b"
    assert fitted.verdict is given.verdict is Verdict.WITHIN_NOISE


def test_the_rows_say_which_law_they_prefer(rows):
    worse = judge_formula("C*a + C*b + C", *rows, beside=law("2*a^2/b"))
    assert worse.verdict is Verdict.APPROXIMATE
    assert worse.advantage < -100
    assert "prefer the law that was found" in worse.sentence
    better = judge_formula("2*a^2/b", *rows, beside=law("a + b"))
    assert better.advantage > 100
    same = judge_formula("2*a^2/b", *rows, beside=law("2*a^2/b"))
    assert "cannot distinguish" in same.sentence


def test_an_exact_law_is_read_as_one():
    X = pd.DataFrame({"x": np.arange(40.0)})
    found = judge_formula("C*x + C", X, pd.Series(3 * X["x"] + 2, name="y"))
    assert found.verdict is Verdict.EXACT
    assert str(found.law.equation) == "3*x + 2"


def test_formulas_that_cannot_be_judged_are_refused(rows):
    with pytest.raises(DataError, match="no finite value on"):
        judge_formula("log(a - 2)", *rows)
    with pytest.raises(FormulaError, match="c"):
        judge_formula("C*c", *rows)
