"""Sums and products from left to right: the same values, the same order of constants."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalesr.expr.associate import associated
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import apply, constant, variable
from scalesr.expr.text import parse

leaves = st.one_of(st.integers(0, 2).map(variable), st.floats(0.5, 2).map(constant))
formulas = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner).map(lambda parts: apply(*parts)),
        inner.map(lambda part: apply("exp", apply("sin", part))),
    ),
    max_leaves=10,
)


@given(formulas)
def test_values_and_constants_stay(expr):
    X = np.random.default_rng(0).uniform(0.5, 2, (20, 3))
    plain = associated(expr)
    assert plain.constants.tolist() == expr.constants.tolist()
    with np.errstate(all="ignore"):
        before, after = evaluate(expr, X), evaluate(plain, X)
    known = np.isfinite(before) & (np.abs(before) > 1e-3) & (np.abs(before) < 1e6)
    assert np.allclose(after[known], before[known], rtol=1e-6)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("x0 + (x1 - (x2 + 1))", "x0 + x1 - x2 - 1"),
        ("2*(x0*(x1/x2))", "2*x0*x1/x2"),
        ("x0 - sin(x1 + (x2 + 1))", "x0 - sin(x1 + x2 + 1)"),
        ("x0/(x1/x2)", "x0/x1*x2"),
    ],
)
def test_brackets_that_say_nothing_go(written, plain):
    assert str(associated(parse(written))) == plain
