from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.signs import with_plain_signs, with_signs_before_terms
from scalesr.expr.text import parse
from tests.expr.strategies import expressions


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("x0 - -2*x1", "x0 + 2*x1"),
        ("x0 + -2*x1", "x0 - 2*x1"),
        ("-2*x0 + x1", "x1 - 2*x0"),
        ("x0 - 5*sin(x1*(1 - x0))", "x0 + 5*sin(x1*(x0 - 1))"),
        ("-1.5*(2 - x0)/x1", "1.5*(x0 - 2)/x1"),
        ("(-2*x0)/(-3*x1)", "2*x0/(3*x1)"),
        ("x0*(1 - x1)", "x0*(1 - x1)"),
        ("cos(-2*x0)", "cos(-2*x0)"),
    ],
)
def test_minus_signs_that_cancel_or_follow_a_plus_go(text: str, plain: str) -> None:
    assert with_plain_signs(parse(text)) == parse(plain)


@given(
    expressions(operators=("+", "-", "*", "neg", "sin", "cos", "tanh", "exp"))
)  # a quotient may turn from inf to -inf
def test_values_stay_the_same_and_nothing_grows(law: Expression) -> None:
    X = np.random.default_rng(0).uniform(-2, 2, (8, max(law.n_columns, 1)))
    plain = with_plain_signs(law)
    assert plain.n_nodes <= law.n_nodes
    with np.errstate(all="ignore"):
        before, after = evaluate(law, X), evaluate(plain, X)
    assert np.allclose(after, before, rtol=1e-9, atol=1e-300, equal_nan=True)


@pytest.mark.parametrize(
    ("text", "written", "signs"),
    [
        ("x0 + -0.0088*x1", "x0 - 0.0088*x1", [-1]),
        ("x0 - -2*x1", "x0 + 2*x1", [-1]),
        ("-2*x0 + x1 + -3", "-2*x0 + x1 - 3", [1, -1]),
        ("x0*(x1 + -2/x0*-4)", "x0*(x1 - 2/x0*(-4))", [-1, 1]),
        ("exp(-2*x0) + x1*-2", "exp(-2*x0) + x1*(-2)", [1, 1]),
        ("3*x0^2 + 1", "3*x0^2 + 1", [1, 1]),
    ],
)
def test_a_term_that_begins_with_a_minus_is_subtracted_and_its_constant_named(
    text: str, written: str, signs: list[int]
) -> None:
    law, turned = with_signs_before_terms(parse(text))
    assert (law, turned.tolist()) == (parse(written), signs)


@given(expressions())
def test_signs_before_terms_change_no_bit_of_a_value(law: Expression) -> None:
    X = np.random.default_rng(0).uniform(-2, 2, (8, max(law.n_columns, 1)))
    written, signs = with_signs_before_terms(law)
    assert np.array_equal(written.constants, law.constants * signs)
    assert re.search(r" [+-] -\d", str(written)) is None
    with np.errstate(all="ignore"):
        before, after = evaluate(law, X), evaluate(written, X)
    assert np.array_equal(after, before, equal_nan=True)
