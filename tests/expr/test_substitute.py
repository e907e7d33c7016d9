import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.substitute import substitute
from scalesr.expr.text import parse


def test_values_are_those_of_the_composition():
    outer, inner = parse("2.5*x0^2 - sin(x1)/x0 + 1"), parse("x1*x2 + 3")
    X = np.random.default_rng(0).uniform(1, 2, (50, 3))
    moved = np.column_stack([evaluate(inner, X), X[:, 1]])
    np.testing.assert_array_equal(evaluate(substitute(outer, {0: inner}), X), evaluate(outer, moved))


def test_open_constants_and_other_variables_stay():
    assert str(substitute(parse("C*x0^C + x1"), {0: parse("x2 - x3")})) == "C*(x2 - x3)^C + x1"
