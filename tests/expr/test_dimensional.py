from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scalesr.expr.dimensional import constant_dimensions, constant_scales
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from tests.expr.strategies import expressions


def dims(*powers: float) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, powers))


NAMES = ["m", "v", "c"]
COLUMNS = (dims(1, 0, 0), dims(0, 1, -1), dims(0, 1, -1))  # of mass, length and time
ENERGY = dims(1, 2, -2)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0.5*m*v^2", [dims(0, 0, 0)]),
        ("m*v^2.0", [dims(0, 0, 0)]),
        ("m*c^2/sqrt(1 - v^2/c^2)", [dims(0, 0, 0)]),
        ("7", [ENERGY]),
        ("3*m + 2*v", [dims(0, 2, -2), dims(1, 1, -1)]),
        ("m*c^2*exp(2*v)", [dims(0, -1, 1)]),
        ("m*c^2*(2 + 3*v)", [dims(0, 0, 0), dims(0, -1, 1)]),
        ("2*m*(v + 5)^2", [dims(0, 0, 0), dims(0, 1, -1)]),
        ("abs(m)*max(v, c)*min(v, 2)", [dims(0, 1, -1)]),
    ],
)
def test_constants_get_the_units_that_make_a_law_right_and_as_few_as_possible(text, found):
    assert constant_dimensions(parse(text, NAMES), COLUMNS, ENERGY) == tuple(found)


@pytest.mark.parametrize(
    "text",
    ["m + v", "m*v", "sin(v)", "m*c^2*exp(v)", "v^m", "m*c^2 + v", "m*v^2.1234567", "m*v^2*c^(0.5)", "sqrt(m)*v"],
)
def test_what_no_units_make_right_is_told(text):
    assert constant_dimensions(parse(text, NAMES), COLUMNS, ENERGY) is None


@settings(deadline=None, max_examples=200)
@given(
    expressions(max_nodes=12, operators=("+", "-", "*", "/", "neg", "abs", "powi", "sqrt", "sin", "exp", "max")),
    st.lists(st.integers(-2, 2), min_size=6, max_size=6),
)
def test_a_right_law_is_the_same_law_in_other_base_units(law: Expression, powers: list[int]):
    """The definition itself: other base units change every number by its own powers of their ratio, and no law."""
    columns = [dims(*powers[2 * (j % 2) : 2 * (j % 2) + 2]) for j in range(law.n_columns)]
    target = dims(*powers[4:])
    found = constant_dimensions(law, columns, target)
    if found is None:
        return
    ratio = np.array([1.5, 0.8])

    def factor(exponents):
        return float(np.prod(ratio ** np.array([float(power) for power in exponents])))

    X = np.random.default_rng(0).uniform(0.2, 0.9, (5, max(law.n_columns, 1)))
    other = X * np.array([factor(one) for one in columns] or [1.0])
    constants = [value * factor(one) for value, one in zip(law.constants, found, strict=True)]
    with np.errstate(all="ignore"):
        before = evaluate(law, X) * factor(target)
        after = evaluate(law.skeleton().bind(constants), other)
    whole = np.isfinite(before) & np.isfinite(after) & (np.abs(before) < 1e100)
    assert np.allclose(after[whole], before[whole], rtol=1e-6, atol=1e-12)


def test_units_that_do_not_go_together_make_numbers_of_their_own():
    law = parse("0.0005*m*v^2", ["m", "v"])  # kJ from kg and m/s
    assert constant_scales(law, [], [1.0, 1.0], 1000.0) == pytest.approx([1000.0])
    law = parse("6.7*m*v", ["m", "v"])
    assert constant_scales(law, [0], [1e-3, 1e3], 1.0) == pytest.approx([1.0])
