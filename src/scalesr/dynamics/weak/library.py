"""Terms that laws of motion are made of, as formulas: products of columns, and functions of one or two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import combinations_with_replacement

from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.kernels.codes import POWI, VARIABLE

MOST_MONOMIALS = 120  # with more columns the degree is lower


def monomials(columns: Sequence[int], degree: int) -> list[Expression]:
    """Products of up to this many columns, lowest degree first; 1 is the first of them."""
    found: list[Expression] = [constant(1.0)]
    for size in range(1, degree + 1):
        more = [product(chosen) for chosen in combinations_with_replacement(columns, size)]
        if size > 1 and len(found) + len(more) > MOST_MONOMIALS:
            break
        found += more
    return found


def product(columns: Sequence[int]) -> Expression:
    """A product of columns; one that occurs more than once is a power."""
    counts = Counter(columns)
    factors = [variable(j) if n == 1 else apply("powi", variable(j), power=n) for j, n in counts.items()]
    return reduce(lambda left, right: apply("*", left, right), factors) if factors else constant(1.0)


def weighted_sum(coefficients: Sequence[float], terms: Sequence[Expression]) -> Expression:
    """A sum of terms with these coefficients; 0 where there is none."""
    parts = [_times(float(c), term) for c, term in zip(coefficients, terms, strict=True)]
    return reduce(lambda left, right: apply("+", left, right), parts) if parts else constant(0.0)


def _times(coefficient: float, term: Expression) -> Expression:
    return constant(coefficient) if not term.variables else apply("*", constant(coefficient), term)


def degree_of(term: Expression) -> int:
    """The number of factors of a product of columns."""
    return int(sum(
        (abs(arg) - 1 if code == POWI else 1) for code, arg in zip(term.codes.tolist(), term.args.tolist(), strict=True)
        if code in (VARIABLE, POWI)
    ))  # fmt: skip
