"""Starts: what is known of a problem, as formulas that a search in all variables begins with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from scalesr.expr.expression import Expression, apply
from scalesr.pipeline.config import PIPELINE
from scalesr.search.genetic.coefficients import without_coefficients


def starting_forms(laws: Sequence[Expression], parts: Sequence[Expression]) -> tuple[Expression, ...]:
    """Forms without coefficients: laws so far, then sums and products of two and three formulas of one variable each.

    Both are given with the best first.
    """
    bare = [form for law in laws[: PIPELINE.most_laws] if (form := without_coefficients(law)) is not None]
    single = [form for part in parts if (form := without_coefficients(part)) is not None]
    few = list(dict.fromkeys(single))[: PIPELINE.most_parts]
    return tuple(dict.fromkeys([*bare, *few, *_pairs(few), *_triples(few)]))


def _pairs(parts: Sequence[Expression]) -> Iterator[Expression]:
    for first, second in combinations(parts, 2):
        if first.variables != second.variables:
            yield apply("*", first, second)
            yield apply("+", first, second)


def _triples(parts: Sequence[Expression]) -> Iterator[Expression]:
    """A product and a summand, and a sum and a factor."""
    for first, second, third in permutations(parts, 3):
        if len({first.variables, second.variables, third.variables}) == 3 and first.variables < second.variables:
            yield apply("+", apply("*", first, second), third)
            yield apply("*", apply("+", first, second), third)
