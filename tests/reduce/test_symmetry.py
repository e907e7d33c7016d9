from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, gradient
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.reduce.reduction import applied, described, untouched
from scalesr.reduce.symmetry import probe, symmetries

TINY = 1e-9


@dataclass(frozen=True)
class Formula:
    """A generator that knows the law."""

    law: Expression
    noise: float = 0.0
    description: str = "the law itself"

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        return evaluate(self.law, X)

    def gradient(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        return gradient(self.law, X)[:, : X.shape[1]]

    def trusted(self, X: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.ones(len(X), bool)


def table(text: str, names: str, low: float = 1.0, high: float = 3.0) -> tuple[Dataset, Expression]:
    law = parse(text, names=names.split())
    X = np.random.default_rng(0).uniform(low, high, (400, len(names.split())))
    return Dataset.from_table(X, evaluate(law, X), names=names.split()), law


def supported(text: str, names: str, **box: float) -> list[str]:
    data, law = table(text, names, **box)
    found = symmetries(probe(data, Formula(law)))
    return [described(transformation, untouched(data)) for transformation in found if transformation.misfit < TINY]


@pytest.mark.parametrize(
    ("law", "names", "sentence"),
    [
        ("3*a^2*exp(b)", "a b", "the target is proportional to a^2"),
        ("2 + (a - 0.5)*exp(b/c)", "a b c", "the target less 2 is proportional to a - 0.5"),
        ("(a + 4)*sqrt(b + c)", "a b c", "the target is proportional to a + 4"),
        ("sin(b)/sqrt(a)", "a b", "the target is proportional to 1/sqrt(a)"),
        ("exp(a*b) + c", "a b c", "a and b enter as b*a"),
        ("exp(a/b) + c", "a b c", "a and b enter as b/a"),
        ("a^3*exp(a/b) + a^3", "a b", "a and b enter as b/a where the target is proportional to a^3"),
        ("log(a^2*b) + c", "a b c", "a and b enter as b*a^2"),
        ("c*sin(a - b) + 1", "a b c", "a and b enter as a - b"),
        ("sin(a + b)/c", "a b c", "a and b enter as a + b"),
        ("sqrt(a^2 + b^2 + c)", "a b c", "a and b enter as a^2 + b^2"),
        ("exp(1/a - 1/b)*c + c^2", "a b c", "a and b enter as 1/a - 1/b"),
    ],
)
def test_a_symmetry_of_the_law_is_found(law, names, sentence):
    assert sentence in supported(law, names)


@pytest.mark.parametrize("law", ["a*b + sin(a)*b^2", "exp(a*b) + a", "a^b"])
def test_no_symmetry_is_claimed_where_there_is_none(law):
    assert supported(law, "a b") == []


def test_powers_without_values_on_the_rows_are_not_suggested():
    found = supported("a^2*b", "a b", low=-2.0, high=2.0)
    assert "the target is proportional to a^2" in found
    assert not any("sqrt" in sentence for sentence in found)


@pytest.mark.parametrize(
    ("law", "names"),
    [("3*a^2*exp(b)*c", "a b c"), ("a^3*exp(a/b) + a^3", "a b"), ("c*sin(a - b) + 1", "a b c")],
)
def test_a_law_of_the_reduced_rows_is_restored_to_one_of_the_original(law, names):
    data, truth = table(law, names)
    for transformation in symmetries(probe(data, Formula(truth))):
        reduced = applied(transformation, untouched(data))
        assert reduced is not None
        anything = parse("sin(x0) + 2.5")
        offset = evaluate(transformation.offset, data.table)
        values = offset + evaluate(anything, reduced.data.table) * (data.y - offset) / reduced.data.y
        np.testing.assert_allclose(evaluate(reduced.restore(anything), data.table), values, rtol=1e-12)


def test_moves_follow_one_another():
    data, truth = table("2*c^2*exp(a/b)/d", "a b c d")
    here = untouched(data)
    for wanted in ("the target is proportional to 1/d", "the target is proportional to c^2", "a and b enter as b/a"):
        law = parse("2*c^2*exp(a/b)/d", names=["a", "b", "c", "d"])
        assert law == truth
        transformation = next(
            m for m in symmetries(probe(here.data, _Reduced(here, truth))) if described(m, here) == wanted
        )
        after = applied(transformation, here)
        assert after is not None
        here = after
    assert here.data.names == ("b/a",)
    np.testing.assert_allclose(here.data.y, 2 * np.exp(1 / here.data.table[:, 0]), rtol=1e-12)
    np.testing.assert_allclose(evaluate(here.restore(parse("2*exp(1/x0)")), data.table), data.y, rtol=1e-12)


class _Reduced(Formula):
    """The reduced law by its values on the rows; derivatives from differences along formulas."""

    def __init__(self, here, truth):
        super().__init__(truth)
        object.__setattr__(self, "here", here)

    def predict(self, X):
        return _value(self.here, X)

    def gradient(self, X):
        step = 1e-6
        ends = [(_value(self.here, X + step * e), _value(self.here, X - step * e)) for e in np.eye(X.shape[1])]
        return np.column_stack([(high - low) / (2 * step) for high, low in ends])


def _value(here, X):
    """2 c^2 exp(a/b) / d with what has been taken out left out."""
    by_name = dict(zip(here.data.names, X.T, strict=True))
    ratio = 1 / by_name["b/a"] if "b/a" in by_name else by_name["a"] / by_name["b"]
    return 2 * by_name.get("c", 1.0) ** 2 * np.exp(ratio) / by_name.get("d", 1.0)


def test_lines_that_are_parallel_or_meet_among_the_rows_are_no_move():
    for law in ("2*a + exp(b)", "2 + (a - 2)*exp(b)"):
        assert not any(said.startswith("the target") for said in supported(law, "a b"))


def test_a_target_less_an_offset_leads_back_to_the_law():
    data, law = table("2 + (a - 0.5)*exp(b/c)", "a b c")
    move = next(one for one in symmetries(probe(data, Formula(law))) if one.misfit < TINY and one.gone == (0,))
    after = applied(move, untouched(data))
    assert after is not None
    inner = parse("exp(u/v)", names=["u", "v"])
    assert np.allclose(evaluate(inner, after.data.table), after.data.y, rtol=1e-9)
    assert np.allclose(evaluate(after.restore(inner), data.table), data.y, rtol=1e-9)
    back = after.expressed(after.restore(inner))
    assert back is None or np.allclose(evaluate(back, after.data.table), after.data.y)
