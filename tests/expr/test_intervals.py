"""Bounds by interval arithmetic hold every value on a box, and are those of the values where these are simple."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import apply, constant, variable
from scalesr.expr.intervals import bounds
from scalesr.expr.text import parse

UNARY = ["sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "abs", "asin", "acos", "atan", "neg"]
leaves = st.one_of(st.integers(0, 1).map(variable), st.floats(-3, 3).map(constant))
formulas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["+", "-", "*", "/", "^", "min", "max"]), inner, inner).map(lambda p: apply(*p)),
        st.tuples(st.sampled_from(UNARY), inner).map(lambda p: apply(*p)),
        st.tuples(inner, st.integers(-3, 4)).map(lambda p: apply("powi", p[0], power=p[1])),
    ),
    max_leaves=6,
)


@settings(max_examples=300)
@given(formulas, st.floats(-3, 3), st.floats(0, 3), st.floats(-3, 3), st.floats(0, 3))
def test_no_value_on_a_box_is_outside_its_bounds(expr, x, width, y, height):
    low, high = np.array([[x], [y]]), np.array([[x + width], [y + height]])
    within = np.random.default_rng(0).uniform(low.T, high.T, (200, 2))
    with np.errstate(all="ignore"):
        values = evaluate(expr, within)
        (least,), (most,) = bounds(expr, low, high)
    values = values[np.isfinite(values)]
    size = np.abs(values).max(initial=1.0)
    assert (values >= least - 1e-9 * size).all()
    assert (values <= most + 1e-9 * size).all()


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("x0^2", 0, 4),
        ("sin(x0)", np.sin(-1), 1),
        ("x0*x1", -2, 4),
        ("1/x1", 0.5, 1),
        ("1/x0", -np.inf, np.inf),
        ("exp(-x1)", np.exp(-2), np.exp(-1)),
        ("abs(x0)", 0, 2),
    ],
)
def test_bounds_of_simple_formulas_are_their_range(text, least, most):
    (low,), (high,) = bounds(parse(text), np.array([[-1.0], [1.0]]), np.array([[2.0], [2.0]]))
    assert (low, high) == pytest.approx((least, most))
