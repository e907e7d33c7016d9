from __future__ import annotations

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, variable
from scalesr.expr.simplify import simplify
from scalesr.expr.sympy_bridge import to_sympy
from scalesr.expr.text import parse
from scalesr_bench.canonical.random_formulas import CLOSED, SKELETONS, random_formula
from scalesr_bench.canonical.rewrites import rewritten
from tests.expr.oracle import is_defined, values
from tests.expr.strategies import MODERATE, SMALL_POWERS, expressions

ROWS = np.random.default_rng(2).uniform(-2.0, 2.0, (60, 2))
ROWS[20:] = np.abs(ROWS[20:])

# What is written, and what it becomes.
SIMPLER = {
    "x0 + x0": "2*x0",
    "x0*x0": "x0^2",
    "x0*x0*x0": "x0^3",
    "x0/x0": "1",
    "x0 - x0": "0",
    "0*x0": "0",
    "x0^0": "1",
    "x0 + 0*x1": "x0",
    "--x0": "x0",
    "1 + 2": "3",
    "sin(0)": "0",
    "x0 + (-2)*x1": "x0 - 2*x1",
    "x0*(-1) + 3": "3 - x0",
    "-x0 + x1": "x1 - x0",
    "x0*x1^(-1)": "x0/x1",
    "x0/(x1/x0)": "x0^2/x1",
    "x0^2.0": "x0^2",
    "x0^0.5": "sqrt(x0)",
    "sqrt(x0)^2": "x0",
    "sqrt(x0)*sqrt(x0)": "x0",
    "(x0^2)^0.5": "abs(x0)",
    "sqrt(x0^2)": "abs(x0)",
    "abs(x0)^2": "x0^2",
    "abs(abs(x0))": "abs(x0)",
    "abs(-2*x0)": "2*abs(x0)",
    "exp(log(x0))": "x0",
    "log(exp(x0))": "x0",
    "exp(x0)*exp(x1)": "exp(x0 + x1)",
    "exp(2*x0)*exp(x0)": "exp(3*x0)",
    "exp(x0)/exp(x0)": "1",
    "sin(-x0)": "-sin(x0)",
    "cos(-x0)": "cos(x0)",
    "tan(x0)*cos(x0)": "sin(x0)",
    "sin(x0)/cos(x0)": "tan(x0)",
    "sin(x0)^2 + cos(x0)^2": "1",
    "3*sin(x0)^2 + 3*cos(x0)^2 + x1": "x1 + 3",
    "1 - cos(x0)^2": "sin(x0)^2",
    "x0^2 + 2*x0 + 1": "(x0 + 1)^2",
    "2*x0 + 2*x1": "2*(x0 + x1)",
    "x0*x1 + x0": "x0*x1 + x0",
    "x0*x1 + x0*x1^2 + x0*3": "x0*(x1^2 + x1 + 3)",
    "(x0 - x1)/(x1 - x0)": "-1",
    "1 - 1/(x0 + 1)": "x0/(x0 + 1)",
    "(x0^2 - 1)/(x0 - 1)": "x0 + 1",
    "x0^3/x0^5": "1/x0^2",
    "x0/3/x1": "x0/(3*x1)",
    "x0*0.5": "0.5*x0",
    "x0*0.3333333333333333": "x0/3",
    "2^x0*2^x0": "4^x0",
    "x0^x1*x0^x1": "x0^(2*x1)",
    "log(2*x0 + 3)": "log(2*x0 + 3)",
    "sqrt(2*x0 + 3)": "sqrt(2*x0 + 3)",
    "1.4142135623730951*sqrt(x0 + 1.5)": "sqrt(2*x0 + 3)",
    "2.718281828459045*exp(x0)": "exp(x0 + 1)",
    "(x0 + 1)^5*x1*2/2": "x1*(x0 + 1)^5",
    "-sin(x0 - x1)": "sin(x1 - x0)",
    "x1/(2 - x0)": "x1/(2 - x0)",
    "sin(x0 + 1.5707963267948966)": "cos(x0)",
    "C + C + 2": "C",
    "C*x0 + C*x0 + 3*C": "C*x0 + C",
    "C*sqrt(x0 + C)": "C*sqrt(x0 + C)",
    "min(x0, x0)": "x0",
}


@pytest.mark.parametrize(("text", "simpler"), SIMPLER.items())
def test_known_formulas_become_known_ones(text: str, simpler: str) -> None:
    assert str(simplify(parse(text))) == simpler


@pytest.mark.parametrize("text", [text for text in SIMPLER if "C" not in text])
def test_sympy_finds_no_difference(text: str) -> None:
    positive = {"positive": True}
    before, after = (to_sympy(expr, assumptions=positive) for expr in (parse(text), simplify(parse(text))))
    point = {symbol: sympy.Rational(7, 5 + place) for place, symbol in enumerate(sorted(before.free_symbols, key=str))}
    assert abs(sympy.N((before - after).subs(point), 30)) < 1e-14


def _trustworthy(expr: Expression) -> NDArray[np.bool_]:
    """Rows on which every part is finite and the value hardly moves when the row does."""
    here = values(expr, list(ROWS.T))
    keep = np.array([is_defined(expr, [column[[row]] for column in ROWS.T]) for row in range(len(ROWS))])
    for shift in (1.0 + 1e-9, 1.0 - 1e-9):
        there = values(expr, list(ROWS.T * shift))
        with np.errstate(invalid="ignore"):
            keep &= np.isfinite(there) & (np.abs(there - here) <= 1e-5 * np.abs(here))
    return keep & (np.abs(here) < 1e8)


@given(expressions(max_nodes=14, constants=MODERATE, powers=SMALL_POWERS))
@settings(max_examples=200, deadline=None)
def test_values_are_kept_wherever_there_is_one(expr: Expression) -> None:
    rows = _trustworthy(expr)
    before, after = values(expr, list(ROWS.T)), values(simplify(expr), list(ROWS.T))
    np.testing.assert_allclose(after[rows], before[rows], rtol=1e-6, atol=1e-9)


@given(expressions(max_nodes=14, constants=MODERATE, powers=SMALL_POWERS, open_constants=True))
@settings(max_examples=200, deadline=None)
def test_simplifying_twice_changes_nothing_more(expr: Expression) -> None:
    once = simplify(expr)
    assert simplify(once) == once


@given(expressions(max_nodes=25, open_constants=True))
@settings(max_examples=200, deadline=None)
def test_the_result_is_never_larger_and_has_no_more_open_constants(expr: Expression) -> None:
    simpler = simplify(expr)
    assert simpler.n_nodes <= expr.n_nodes
    assert simpler.n_open <= expr.n_open


@given(st.integers(0, 2**32), st.booleans())
@settings(max_examples=100, deadline=None)
def test_rewriting_never_helps(seed: int, is_open: bool) -> None:
    rng = np.random.default_rng(seed)
    expr = random_formula(int(rng.integers(3, 9)), SKELETONS if is_open else CLOSED, rng)
    longer = rewritten(expr, 3, rng)
    assert simplify(longer).n_nodes <= longer.n_nodes


def test_a_deep_formula_is_returned_as_it_is() -> None:
    deep = variable(0)
    for _ in range(1200):
        deep = apply("sin", deep)
    assert simplify(deep).n_nodes == deep.n_nodes


def test_nothing_is_made_of_numbers_that_are_none() -> None:
    assert str(simplify(parse("log(-1) + (x0 + x0)"))) == "log(-1) + 2*x0"
