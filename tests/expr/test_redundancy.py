from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from scalesr.errors import FormulaError
from scalesr.expr.expression import Expression
from scalesr.expr.redundancy import family_rank, redundant_constants, remove_redundant
from scalesr.expr.text import parse
from tests.expr.strategies import MODERATE, SMALL_POWERS, expressions

# Skeleton, dimension of its family, and what is left without redundant constants.
KNOWN = [
    ("C*exp(x0 + C)", 1, "C*exp(x0)"),
    ("C/(C + C*x0)", 2, "C/(C + x0)"),
    ("C*C*x0", 1, "C*x0"),
    ("C*x0 + C", 2, "C*x0 + C"),
    ("C*sqrt(C*x0 + C)", 2, "C*sqrt(x0 + C)"),
    ("log(C*x0) + C", 1, "log(x0) + C"),
    ("C + C*log(C*x0 + C)", 3, "C + C*log(x0 + C)"),
    ("(C*x0 + C)*(C*x1 + C)", 3, "(x0 + C)*(C*x1 + C)"),
    ("C*sin(C*x0 + C) + C", 4, "C*sin(C*x0 + C) + C"),
    ("C*sin(x0 + C) + C*cos(x0)", 2, "C*sin(x0) + C*cos(x0)"),
    ("C*tanh(C*(x0 + C) + C)", 3, "C*tanh(C*x0 + C)"),
    ("C*x0/(C + x0*C) + C", 3, "C*x0/(C + x0) + C"),
    ("C*x0^C", 2, "C*x0^C"),
    ("3*x0", 0, "3*x0"),
    ("C", 1, "C"),
]


@pytest.mark.parametrize(("text", "rank", "left"), KNOWN)
def test_known_skeletons_lose_what_changes_nothing(text: str, rank: int, left: str) -> None:
    skeleton = parse(text)
    assert family_rank(skeleton) == rank
    assert len(redundant_constants(skeleton)) == skeleton.n_open - rank
    assert str(remove_redundant(skeleton)) == left


@given(expressions(max_nodes=9, open_constants=True, constants=MODERATE, powers=SMALL_POWERS))
@settings(max_examples=60, deadline=None)
def test_the_dimension_of_the_family_stays(expr: Expression) -> None:
    assert family_rank(remove_redundant(expr)) == family_rank(expr)


def test_places_are_counted_from_the_left() -> None:
    assert redundant_constants(parse("C*x0 + C*exp(x0 + C)")) == (2,)


def test_rows_decide_what_can_be_told_apart() -> None:
    skeleton = parse("C*x0 + C*x1")
    same = np.tile(np.linspace(0.5, 1.5, 20)[:, np.newaxis], (1, 2))
    assert family_rank(skeleton) == 2
    assert family_rank(skeleton, same) == 1


def test_a_removed_factor_keeps_the_sign_of_the_fit() -> None:
    skeleton = parse("C*sqrt(C*x0 + C)")
    assert str(remove_redundant(skeleton, constants=[1.0, -2.0, 3.0])) == "C*sqrt(-x0 + C)"
    with pytest.raises(FormulaError, match="3 open constants; 2 values"):
        remove_redundant(skeleton, constants=[1.0, -2.0])


def test_without_finite_values_every_constant_counts() -> None:
    skeleton = parse("sqrt(-1 - x0^2)*C + C")
    assert family_rank(skeleton) == 2
    assert remove_redundant(skeleton) == skeleton
