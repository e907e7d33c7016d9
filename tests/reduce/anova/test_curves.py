import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.reduce.anova.curves import like, sums_of_functions
from scalesr.reduce.anova.functions import CurveFunction, functions_over

X = np.linspace(0.3, 4, 200)
CANDIDATES = functions_over(0.3, 4.0, Operators("physics"))


@pytest.mark.parametrize(
    ("curve", "expected"),
    [
        (2 * X**2 - 1, {"x0^2": None}),
        (3 * np.cos(2.37 * X) + 0.4 * np.sin(X), {"cos": 2.37, "sin(x0)": None}),
        (1 / X - 2.2 * np.exp(-0.73 * X), {"1/x0": None, "exp": 0.73}),
        (X**2 + 2 * np.cos(X) - 3 * np.exp(-1.68 * X), {"x0^2": None, "cos(x0)": None, "exp": 1.68}),
    ],
)
def test_a_curve_is_read_as_the_sum_that_it_is(curve, expected):
    found = min(sums_of_functions(X, curve, CANDIDATES, most=4, error=1e-8), key=lambda pair: pair[0])[1]
    assert {one.text for one in found} == set(expected)
    for one in found:
        assert one.rate == (None if expected[one.text] is None else pytest.approx(expected[one.text], rel=1e-6))


def test_noise_does_not_bring_in_functions():
    noisy = 2 * np.sin(X) + 0.01 * np.random.default_rng(0).normal(size=len(X))
    found = min(sums_of_functions(X, noisy, CANDIDATES, most=3, error=0.01), key=lambda pair: pair[0])[1]
    assert found == (CurveFunction("sin(x0)"),)


def test_the_function_of_a_factor_is_among_those_that_are_like_it():
    names = like(X, 5 - 2 * np.sin(2.11 * X), CANDIDATES)
    assert any(one.text == "sin" and one.rate == pytest.approx(2.11, rel=1e-6) for one in names)
    assert CurveFunction("1/x0^2") in like(X, 1 / X**2 + 3, CANDIDATES)


def test_a_slope_is_that_of_the_logarithm_of_the_rate():
    one = CurveFunction("exp", 1.5)
    np.testing.assert_allclose(one.slope(X), -1.5 * X * np.exp(-1.5 * X), rtol=1e-6, atol=1e-9)
    assert not CurveFunction("x0").slope(X).any()


def test_functions_have_values_over_the_whole_range():
    texts = {one.text for one in functions_over(-1.0, 2.0, Operators("physics"))}
    assert "x0^2" in texts
    assert "log(x0)" not in texts
    assert {one.text for one in functions_over(0.5, 2.0, Operators("+", "*"))} == {"x0", "x0^2", "x0^3", "x0^4"}


@pytest.mark.parametrize("size", [1e-120, 1e110])
def test_functions_that_leave_the_range_of_floats_are_no_candidates(size):
    x = np.linspace(size, 3 * size, 40)
    candidates = functions_over(float(x[0]), float(x[-1]), Operators("physics"))
    assert "x0^4" not in {one.text for one in candidates}  # whose squares are 0 or infinite
    found = sums_of_functions(x, x / size, candidates, most=1, error=1e-3)
    assert min(found, key=lambda one: one[0])[1][0].text == "x0"
