import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.phases import with_small_phases
from scalesr.expr.simplify import simplify
from scalesr.expr.text import parse

X = np.random.default_rng(0).uniform(-3, 3, (100, 2))


@pytest.mark.parametrize(
    "text",
    [
        "2*sin(x0*x1 + 10.4)",
        "x0 - 5.5*cos(x0 - 7)",
        "sin(x0 + 3)*cos(x1 - 1)",
        "sin(x0)",
        "sin(x0*(x1 - 1) + (7.3 - x1))",
        "cos(-(x0 - (x1 + 4)))",
    ],
)
def test_the_values_stay_the_same(text):
    expr = parse(text)
    np.testing.assert_allclose(evaluate(with_small_phases(expr), X), evaluate(expr, X), rtol=1e-10, atol=1e-12)


def test_a_phase_is_at_most_a_quarter_turn():
    found = simplify(with_small_phases(parse("1.35*x0 - 5.5*sin(x0*x1 + 10.42477796076938)")))
    assert max(abs(found.constants)) == 5.5
    assert min(abs(found.constants - 1.0)) < 1e-12
    assert min(found.constants) > 0


def test_a_phase_within_nested_sums_is_reduced_too():
    found = with_small_phases(parse("sin(x0*(x1 - 1) + (7.283185307179586 - x1))"))
    np.testing.assert_allclose(found.constants, [1.0, 1.0], rtol=1e-12)
