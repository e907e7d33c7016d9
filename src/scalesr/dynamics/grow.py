"""Terms chosen by the trajectories: sparse regression on the flow itself, linear about the best system so far.

The derivatives of the flow by the coefficients of all terms that a law could have, those it has and those
it has not, are the columns of a linear regression whose errors are the measurements' own. The starts of
segments are eliminated. What the regression proposes is fitted to the trajectories and has to describe
them shorter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.choose import Contest
from scalesr.dynamics.length import form_length, independent_share
from scalesr.dynamics.shooting import Shot, normal_equations, work_of_a_step
from scalesr.dynamics.system import StateLaw, System
from scalesr.dynamics.terms import Weighted, weighted_terms
from scalesr.dynamics.weak.library import monomials, weighted_sum
from scalesr.dynamics.weak.sparse import Normal, best_subsets
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression

Floats = NDArray[np.float64]

ROUNDS = 8
TRIED = 3  # subsets of each round that are fitted to the trajectories


def grown(best: Shot, contest: Contest, columns: Sequence[int], degree: int) -> Shot:
    """The system with the products of columns that the trajectories ask for, and without those they do not."""
    for _ in range(ROUNDS):
        if contest.deadline.passed or not best.is_finite:
            return best
        before = best
        for system in _proposed(best, contest, columns, degree):
            if contest.may_try(system):
                trial = contest.shot(system, best.starts)
                best = trial if contest.is_better(trial, best) else best
        if best is before:
            return best
    return best


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a free constant of the widened system stands."""

    state: int
    term: int
    is_coefficient: bool


def _proposed(best: Shot, contest: Contest, columns: Sequence[int], degree: int) -> list[System]:
    """Systems that the linear regression finds shortest."""
    parts = [weighted_terms(law.expression) if law.free else [] for law in best.system.laws]
    library = monomials(columns, degree)
    wide = [_widened(own, library) if own else [] for own in parts]
    system = System(
        tuple(
            StateLaw.all_free(weighted_sum([c for c, _ in own], [t for _, t in own])) if own else law
            for own, law in zip(wide, best.system.laws, strict=True)
        )
    )
    places = [place for state, own in enumerate(wide) for place in _places(state, own)]
    normal = _normal(system, best, contest, wide, places)
    if normal is None:
        return []
    found = []
    for subset in best_subsets(normal, TRIED):
        values = dict(zip(sorted(subset), normal.coefficients(subset).tolist(), strict=True))
        found.append(_kept(system, wide, places, values))
    return [*found, *_without_atoms(best.system, parts)]


def _without_atoms(system: System, parts: list[list[Weighted]]) -> list[System]:
    """The system without one of the terms that have constants of their own, which the regression keeps."""
    found = []
    for state, own in enumerate(parts):
        for out, (_, term) in enumerate(own):
            if term.variables and len(term.constants) and len(own) > 1:
                rest = [pair for k, pair in enumerate(own) if k != out]
                law = weighted_sum([factor for factor, _ in rest], [kept for _, kept in rest])
                found.append(system.with_law(state, StateLaw.all_free(law)))
    return found


def _widened(own: list[Weighted], library: Sequence[Expression]) -> list[Weighted]:
    """The terms of a law and, with nothing of them, those of a library that it has not."""
    known = {canonical_key(term) for _, term in own}
    return [*own, *((0.0, term) for term in library if canonical_key(term) not in known)]


def _places(state: int, own: list[Weighted]) -> list[_Place]:
    """The constants of a weighted sum in their order."""
    found = []
    for k, (_, term) in enumerate(own):
        found.append(_Place(state, k, True))
        found += [_Place(state, k, False)] * (len(term.constants) if term.variables else 0)
    return found


def _normal(
    system: System, best: Shot, contest: Contest, wide: list[list[Weighted]], places: list[_Place]
) -> Normal | None:  # fmt: skip
    """The regression in units of the noise; terms with constants of their own stay in."""
    reduced = normal_equations(system, contest.segments, best, n_sub=contest.n_sub)
    contest.deadline.spend(work_of_a_step(contest.segments, contest.n_sub))
    if reduced is None:
        return None
    share = independent_share(best, contest.segments.counts)
    matrix, side, total = share * reduced[0], share * reduced[1], share * reduced[2]
    side_of_values = side + matrix @ system.values
    whole = total + float(system.values @ (side + side_of_values))
    per_constant = 0.5 * math.log(max(share * best.n_points, 2.0))
    prices = [
        per_constant + (form_length(wide[p.state][p.term][1], contest.n_columns) if p.is_coefficient else 0.0)
        for p in places
    ]
    nonlinear = {(p.state, p.term) for p in places if not p.is_coefficient}
    fixed = frozenset(k for k, p in enumerate(places) if (p.state, p.term) in nonlinear)
    return Normal(matrix, side_of_values, whole, np.array(prices), fixed)


def _kept(system: System, wide: list[list[Weighted]], places: list[_Place], values: dict[int, float]) -> System:
    """The system with the chosen terms alone, and the constants that the regression gives them."""
    laws = []
    for state, own in enumerate(wide):
        if not own:  # a law that is given
            laws.append(system.laws[state])
            continue
        here = {k: p for k, p in enumerate(places) if p.state == state}
        terms, coefficients = [], []
        for k, place in here.items():
            if place.is_coefficient and k in values:
                inner = [values[m] for m, p in here.items() if p.term == place.term and not p.is_coefficient]
                term = own[place.term][1]
                terms.append(term.skeleton().bind(inner) if inner else term)
                coefficients.append(values[k])
        laws.append(StateLaw.all_free(weighted_sum(coefficients, terms)))
    return System(tuple(laws), system.is_map)
