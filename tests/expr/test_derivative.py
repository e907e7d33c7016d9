from __future__ import annotations

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.derivative import derivative
from scalesr.expr.expression import Expression, apply, variable
from scalesr.expr.sympy_bridge import to_sympy
from scalesr.expr.text import parse
from tests.expr.oracle import custom_row, registered, values
from tests.expr.strategies import MODERATE, SMALL_POWERS, expressions

POINTS = [np.array([0.31, 0.77, 1.3, 2.1]), np.array([0.52, 1.71, 0.9, 1.1])]

KNOWN = {
    "3": "0",
    "x1": "0",
    "x0": "1",
    "x0 + x1": "1",
    "x1 - x0": "-1",
    "2*x0 - 3": "2",
    "x0*x1": "x1",
    "x0^3": "3*x0^2",
    "x0^2": "2*x0",
    "x0^1": "1",
    "x0^0": "0",
    "x0^2.5": "2.5*x0^1.5",
    "x0^2.0": "2*x0",
    "x0^-1": "-x0^(-2)",
    "x0^-1000": "-1000*x0^(-1001.0)",
    "2^x0": "2^x0*log(2)",
    "x0/x1": "1/x1",
    "-x0": "-1",
    "sin(x0)": "cos(x0)",
    "cos(x0)": "-sin(x0)",
    "log(x0)": "1/x0",
    "exp(2*x0)": "exp(2*x0)*2",
    "sin(x1)*x0^2": "sin(x1)*(2*x0)",
}


@pytest.mark.parametrize(("text", "slope"), KNOWN.items())
def test_derivatives_are_free_of_zeros_and_ones(text: str, slope: str) -> None:
    assert str(derivative(parse(text), 0)) == slope


@settings(deadline=None, max_examples=80)
@given(expressions(max_nodes=9, constants=MODERATE, powers=SMALL_POWERS))
def test_derivatives_equal_central_differences(expr: Expression) -> None:
    for column in (0, 1):
        slopes = values(derivative(expr, column), POINTS)
        steps = np.array([-2.0, -1.0, 1.0, 2.0]) * 1e-4
        moved = [values(expr, [*POINTS[:column], POINTS[column] + step, *POINTS[column + 1 :]]) for step in steps]
        with np.errstate(invalid="ignore"):  # inf - inf, at the edge of a domain
            numeric = (moved[0] - 8 * moved[1] + 8 * moved[2] - moved[3]) / 12e-4
            second = np.abs(moved[1] - 2 * values(expr, POINTS) + moved[2]) / 1e-8
        smooth = (
            np.isfinite(slopes) & np.isfinite(numeric) & (np.abs(np.array(moved)).max(axis=0) < 1e3) & (second < 1e2)
        )
        np.testing.assert_allclose(slopes[smooth], numeric[smooth], rtol=1e-5, atol=1e-5)


@settings(deadline=None, max_examples=40)
@given(expressions(max_nodes=7, constants=MODERATE, powers=SMALL_POWERS))
def test_derivatives_equal_those_of_sympy(expr: Expression) -> None:
    try:
        ours = to_sympy(derivative(expr, 0), assumptions={"positive": True})
        theirs = to_sympy(expr, assumptions={"positive": True}).diff(sympy.Symbol("x0", positive=True))
    except FormulaError:
        assume(False)  # a constant part that is not a real number
    symbols = sympy.symbols("x0 x1", positive=True)
    for point in zip(*(column.tolist() for column in POINTS), strict=True):
        mine, wanted = (
            complex(found.subs(dict(zip(symbols, point, strict=True)))) if _is_plain(found) else np.nan
            for found in (ours, theirs)
        )
        if np.isfinite([mine, wanted]).all():
            assert mine == pytest.approx(wanted, rel=1e-8, abs=1e-8)


def _is_plain(expression: sympy.Expr) -> bool:
    """Whether sympy can give it a value: no derivative of a sign or step function is left."""
    return not expression.has(sympy.zoo, sympy.nan, sympy.oo, sympy.Derivative, sympy.Heaviside, sympy.DiracDelta)


def test_open_constants_are_refused_because_they_would_be_repeated() -> None:
    with pytest.raises(FormulaError, match="Bind them first"):
        derivative(parse("sin(C*x0)"), 0)


def test_columns_are_0_or_more() -> None:
    with pytest.raises(FormulaError, match="0 or more"):
        derivative(parse("x0"), -1)


def test_an_operator_without_derivative_text_is_refused_only_where_it_matters() -> None:
    with registered(custom_row()):
        expr = apply("square_it", variable(0))
        with pytest.raises(OperatorError, match="'square_it' has no derivative"):
            derivative(expr, 0)
        assert str(derivative(expr, 1)) == "0"


def test_long_sums_are_fast_and_overlong_derivatives_refused() -> None:
    assert str(derivative(parse("x0" + " + x0" * 49_999), 0)) == "50000"
    with pytest.raises(FormulaError, match="more than 100000 nodes"):
        derivative(parse("sin(" * 1000 + "x0" + ")" * 1000), 0)


def test_numbers_that_overflow_are_left_as_they_are() -> None:
    assert str(derivative(parse("1e300*(1e300*x0)"), 0)) == "1e300*1e300"
