"""Operators of a user's own, from a Python function to fits."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
import sympy

from scalesr.errors import OperatorError
from scalesr.expr.evaluate import evaluate, gradient
from scalesr.expr.fitting import fit
from scalesr.expr.operators import BY_CODE, BY_NAME, Operators, define_operator
from scalesr.expr.sympy_bridge import to_sympy
from scalesr.expr.text import parse

X = np.linspace(-2, 3, 300)


@pytest.fixture
def clean_table() -> Iterator[None]:
    """Take operators that a test defines out of the table again."""
    names, codes = set(BY_NAME), set(BY_CODE)
    yield
    for name in set(BY_NAME) - names:
        del BY_NAME[name]
    for code in set(BY_CODE) - codes:
        del BY_CODE[code]


@pytest.mark.usefixtures("clean_table")
def test_an_own_operator_works_everywhere() -> None:
    row = define_operator(
        "softplus",
        lambda u: math.log1p(math.exp(u)),
        sympy=lambda u: sympy.log(1 + sympy.exp(u)),
        derivative=(lambda u: 1 / (1 + math.exp(-u)),),
    )
    skeleton = parse("C*softplus(C*x) + C", ["x"])
    assert str(skeleton) == "C*softplus(C*x0) + C"
    y = evaluate(skeleton.bind([2.0, 1.5, -0.3]), X)
    np.testing.assert_allclose(y, 2 * np.logaddexp(0, 1.5 * X) - 0.3, rtol=1e-12)
    np.testing.assert_allclose(gradient(parse("softplus(x)", ["x"]), X)[:, 0], 1 / (1 + np.exp(-X)), rtol=1e-12)
    assert fit(skeleton, X, y).rss < 1e-24
    assert to_sympy(parse("softplus(x)", ["x"]), ["x"]) == sympy.log(1 + sympy.exp(sympy.Symbol("x")))
    assert row in Operators("paper", row)
    assert Operators("paper", "softplus").names[-1] == "softplus"


@pytest.mark.usefixtures("clean_table")
def test_without_a_derivative_it_is_taken_numerically() -> None:
    define_operator("cube", lambda u: u * u * u, sympy=lambda u: u**3)
    define_operator("hypot", lambda u, v: math.sqrt(u * u + v * v), sympy=lambda u, v: sympy.sqrt(u**2 + v**2), arity=2)
    np.testing.assert_allclose(gradient(parse("cube(x)", ["x"]), X)[:, 0], 3 * X**2, rtol=1e-8, atol=1e-9)
    table = np.column_stack([X + 5, X + 6])
    length = np.hypot(*table.T)
    expr = parse("2*hypot(x, y)", ["x", "y"])
    np.testing.assert_allclose(evaluate(expr, table), 2 * length)
    np.testing.assert_allclose(gradient(expr, table), 2 * table / length[:, np.newaxis], rtol=1e-8)
    assert fit(parse("C*hypot(C*x, y)", ["x", "y"]), table, np.hypot(3 * table[:, 0], table[:, 1])).rss < 1e-18


@pytest.mark.usefixtures("clean_table")
def test_what_numba_cannot_compile_is_refused_with_the_reason() -> None:
    with pytest.raises(OperatorError, match=r"'spell'.*numba cannot compile"):
        define_operator("spell", lambda u: str(u) + object(), sympy=lambda u: u)  # type: ignore[operator,return-value]
    assert "spell" not in BY_NAME


@pytest.mark.parametrize(
    ("name", "arity", "fragment"),
    [
        ("sin", 1, "taken"),
        ("C", 1, "taken"),
        ("pi", 1, "taken"),
        ("a b", 1, "letters"),
        ("f", 3, "arity"),
        ("", 1, "letters"),
    ],
)
def test_bad_names_and_arities_are_refused(name: str, arity: int, fragment: str) -> None:
    with pytest.raises(OperatorError, match=fragment):
        define_operator(name, lambda u: u, sympy=lambda u: u, arity=arity)
