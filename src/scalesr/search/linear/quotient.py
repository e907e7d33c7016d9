"""How a ratio of sums of monomials is written: of the ways to shift powers across the bar, the shortest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, constant, open_constant
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.monomials import Exponents, monomial
from scalesr.search.linear.relations import LinearRelation, Term

Floats = NDArray[np.float64]


def written_ratio(relation: LinearRelation) -> tuple[Expression, Floats]:
    """The ratio with open coefficients, one below the bar being 1, and a guess of them."""
    ways = [_written(_shifted(relation, shift)) for shift in _shifts(relation)]
    return min(ways, key=lambda way: way[0].n_nodes)


def ratio_to_one(above: Sequence[Exponents], below: Sequence[Exponents]) -> Expression:
    """Sum of terms over 1 plus a sum of terms, all coefficients open, those above first."""
    over = _sum([constant(1.0), *(_open(one) for one in below)])
    return apply("/", _sum([_open(one) for one in above]), over)


def _shifts(relation: LinearRelation) -> list[Exponents]:
    """Monomials to multiply both sums by: none, or what clears denominators and common factors."""
    below = np.array([term.exponents for term in relation.below])
    every = np.vstack([below, *(term.exponents for term in relation.above)])
    shifts = [np.zeros(every.shape[1], int), -every.min(axis=0), -below.min(axis=0), *(-one for one in below)]
    return list(dict.fromkeys(tuple(shift.tolist()) for shift in shifts))


def _shifted(relation: LinearRelation, shift: Exponents) -> LinearRelation:
    def moved(terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(replace(term, exponents=_plus(term.exponents, shift)) for term in terms)

    return LinearRelation(moved(relation.above), moved(relation.below))


def _plus(first: Exponents, second: Exponents) -> Exponents:
    return tuple(e + s for e, s in zip(first, second, strict=True))


def _written(relation: LinearRelation) -> tuple[Expression, Floats]:
    unit = _unit(relation.below)
    rest = [term for term in relation.below if term is not unit]
    guess = [term.coefficient / unit.coefficient for term in (*relation.above, *rest)]
    above = _sum([_open(term.exponents) for term in relation.above])
    below = _sum([monomial(unit.exponents), *(_open(term.exponents) for term in rest)])
    is_whole = not rest and not any(unit.exponents)
    return above if is_whole else apply("/", above, below), np.array(guess)


def _unit(terms: tuple[Term, ...]) -> Term:
    """The term that has the coefficient 1: the constant if it matters, else the longest one."""
    longest = max(terms, key=lambda term: term.length)
    plain = next((term for term in terms if not any(term.exponents)), longest)
    return plain if plain.length >= LINEAR.weak_constant * longest.length else longest


def _open(exponents: Exponents) -> Expression:
    return apply("*", open_constant(), monomial(exponents)) if any(exponents) else open_constant()


def _sum(terms: list[Expression]) -> Expression:
    return reduce(lambda left, right: apply("+", left, right), terms)
