"""The elementary functions against mpmath, and their behaviour at the edges of the doubles."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse

RNG = np.random.default_rng(20260101)
N = 1500


def ulps(found: NDArray[np.float64], reference: list[mpmath.mpf]) -> float:
    """Largest error in units of the last place of the true value."""
    return max(
        float(abs(mpmath.mpf(float(value)) - true) / math.ulp(float(true)))
        for value, true in zip(found, reference, strict=True)
    )


def uniform(low: float, high: float) -> NDArray[np.float64]:
    return RNG.uniform(low, high, N)


def log_uniform(low: float, high: float) -> NDArray[np.float64]:
    return 10.0 ** RNG.uniform(low, high, N)


NEAR_ONE = 1.0 + RNG.choice([-1.0, 1.0], N) * log_uniform(-15, -1)
NEAR_ZEROS_OF_SINE = np.arange(1, N) * math.pi / 2
CASES: list[tuple[str, Callable[[mpmath.mpf], mpmath.mpf], NDArray[np.float64]]] = [
    ("sin(x)", mpmath.sin, uniform(-4, 4)),
    ("sin(x)", mpmath.sin, uniform(-1e7, 1e7)),
    ("sin(x)", mpmath.sin, log_uniform(-300, 300)),
    ("sin(x)", mpmath.sin, NEAR_ZEROS_OF_SINE),
    ("cos(x)", mpmath.cos, uniform(-4, 4)),
    ("cos(x)", mpmath.cos, log_uniform(-300, 300)),
    ("cos(x)", mpmath.cos, NEAR_ZEROS_OF_SINE),
    ("tan(x)", mpmath.tan, uniform(-4, 4)),
    ("tan(x)", mpmath.tan, log_uniform(-300, 300)),
    ("tan(x)", mpmath.tan, NEAR_ZEROS_OF_SINE),
    ("exp(x)", mpmath.exp, uniform(-2, 2)),
    ("exp(x)", mpmath.exp, uniform(-707, 709)),
    ("log(x)", mpmath.log, log_uniform(-307, 308)),
    ("log(x)", mpmath.log, NEAR_ONE),
    ("log(x)", mpmath.log, log_uniform(-323, -307)),
    ("tanh(x)", mpmath.tanh, uniform(-3, 3)),
    ("tanh(x)", mpmath.tanh, log_uniform(-300, 2)),
    ("asin(x)", mpmath.asin, uniform(-1, 1)),
    ("acos(x)", mpmath.acos, uniform(-1, 1)),
    ("atan(x)", mpmath.atan, uniform(-3, 3)),
    ("atan(x)", mpmath.atan, log_uniform(-300, 300)),
    ("sqrt(x)", mpmath.sqrt, log_uniform(-300, 300)),
    ("x^2", lambda x: x**2, uniform(-9, 9)),
    ("x^3", lambda x: x**3, uniform(-9, 9)),
    ("x^4", lambda x: x**4, uniform(-9, 9)),
    ("x^-1", lambda x: 1 / x, uniform(-9, 9)),
    ("x^-2", lambda x: x**-2, uniform(-9, 9)),
    ("x^7", lambda x: x**7, uniform(-9, 9)),
    ("x^-13", lambda x: x**-13, uniform(-9, 9)),
]


@pytest.mark.parametrize(("text", "function", "points"), CASES)
def test_functions_are_within_three_ulp_of_mpmath(
    text: str, function: Callable[[mpmath.mpf], mpmath.mpf], points: NDArray[np.float64]
) -> None:
    with mpmath.workprec(1200):  # enough to reduce an argument of 1e300
        reference = [function(mpmath.mpf(float(x))) for x in points]
        assert ulps(evaluate(parse(text, ["x"]), points), reference) < 3.0


@pytest.mark.parametrize(("base", "exponent"), [((-20, 20), 12.0), ((-0.3, 0.3), 900.0), ((-100, 100), 3.0)])
def test_real_power_is_within_two_ulp_of_mpmath(base: tuple[float, float], exponent: float) -> None:
    table = np.column_stack([log_uniform(*base), uniform(-exponent, exponent)])
    with mpmath.workprec(200):
        reference = [mpmath.mpf(float(x)) ** mpmath.mpf(float(y)) for x, y in table]
        assert ulps(evaluate(parse("x^y", ["x", "y"]), table), reference) < 2.0


EDGES = np.array([
    0.0, -0.0, 1.0, -1.0, 2.5, -2.5, math.inf, -math.inf, math.nan, 5e-324, -5e-324, 1e-310, 2.3e-308, 1.7e308,
    -1.7e308, 709.7, 709.9, 745.0, -745.2, -708.5, -740.0, 1e7, 1e7 + 1, 1e22, -1e22, 20.0, 40.0, -40.0,
])  # fmt: skip
NUMPY = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "exp": np.exp, "log": np.log, "tanh": np.tanh, "sqrt": np.sqrt,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
}  # fmt: skip


@pytest.mark.parametrize("name", NUMPY)
@pytest.mark.parametrize("length", [1, 7, 300])  # whole vectors, remainders and more than a block
def test_edges_agree_with_numpy(name: str, length: int) -> None:
    points = np.resize(EDGES, max(length, len(EDGES)))
    with np.errstate(all="ignore"):
        expected = NUMPY[name](points)
    found = evaluate(parse(f"{name}(x)", ["x"]), points)
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0)
    assert (np.signbit(found) == np.signbit(expected))[~np.isnan(expected)].all()


def test_powers_at_the_edges_agree_with_numpy() -> None:
    bases, exponents = (grid.ravel() for grid in np.meshgrid(EDGES, [*EDGES, 2.0, 3.0, -3.0, 0.5, -0.5, 1e300]))
    with np.errstate(all="ignore"):
        expected = np.power(bases, exponents)
    found = evaluate(parse("x^y", ["x", "y"]), np.column_stack([bases, exponents]))
    np.testing.assert_allclose(found, expected, rtol=1e-15, atol=0)


@pytest.mark.parametrize("power", [-9, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8, 33])
def test_integer_powers_at_the_edges_agree_with_numpy(power: int) -> None:
    with np.errstate(all="ignore"):
        expected = np.power(EDGES, float(power))
    usable = ~((np.abs(expected) < 1e-300) & (expected != 0))  # a reciprocal rounds twice among the subnormals
    found = evaluate(parse(f"x^{power}", ["x"]), EDGES)
    np.testing.assert_allclose(found[usable], expected[usable], rtol=2e-15, atol=0)


@pytest.mark.parametrize("name", ["min", "max"])
def test_min_and_max_pass_nan_on(name: str) -> None:
    left, right = (grid.ravel() for grid in np.meshgrid(EDGES, EDGES))
    expected = {"min": np.minimum, "max": np.maximum}[name](left, right)
    np.testing.assert_array_equal(
        evaluate(parse(f"{name}(x, y)", ["x", "y"]), np.column_stack([left, right])), expected
    )


def test_division_and_logarithm_give_ieee_results() -> None:
    table = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [1.0, -0.0]])
    np.testing.assert_array_equal(evaluate(parse("x/y", ["x", "y"]), table), [np.inf, -np.inf, np.nan, -np.inf])
    np.testing.assert_array_equal(evaluate(parse("log(x)", ["x"]), np.array([0.0, -1.0])), [-np.inf, np.nan])
