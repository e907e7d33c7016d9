"""Slices: what the curves over each variable alone look like, and which variable comes first."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from scalesr.combine.coefficients import in_variable
from scalesr.combine.seeker import Seeker
from scalesr.combine.slice_terms import terms_of
from scalesr.expr.expression import Expression
from scalesr.records.discovery import Step
from scalesr.records.grid import Grid
from scalesr.records.skeleton import Ranking, Skeleton

BEAM = 12  # skeletons of a variable that are followed
N_SUMS = 8  # sums whose terms are offered to the rows
MOST_FUNCTIONS = 8  # of one variable
OVERFIT = 0.1  # of the error: too many functions of a variable do no harm where the rows choose, too few do
HOPELESS = 3  # skeletons that do not fit which are followed beside some that do


def find_slices(
    curves: Mapping[int, Grid], seeker: Seeker, n_fits: int, names: Sequence[str]
) -> tuple[dict[int, Ranking], list[Step]]:
    """Skeletons for the curves of each variable."""
    found: dict[int, Ranking] = {}
    steps: list[Step] = []
    for variable, grid in curves.items():
        started = time.monotonic()
        if seeker.deadline.passed:
            break
        ranking = seeker.rank(grid.curve(variable), n_fits)
        if ranking.skeletons:
            found[variable] = ranking
            best, *others = (f"{s.expression} (error {s.error:.1e})" for s in ranking.skeletons[:6])
            summary = f"{names[variable]} alone, as x0: {best}. {ranking.ended}"
            steps.append(Step("search", summary, time.monotonic() - started, tuple(others)))
    return found, steps


def find_sums(curves: Mapping[int, Grid], seeker: Seeker) -> dict[int, Ranking]:
    """Sums of plain functions for the curves of each variable."""
    found = {}
    for variable, grid in curves.items():
        sharp = replace(grid.curve(variable), noise=OVERFIT * grid.noise)
        ranking = None if seeker.deadline.passed else seeker.rank_linear(sharp)
        if ranking is not None and ranking.skeletons:
            found[variable] = ranking
    return found


def functions_of(rankings: Mapping[int, Ranking]) -> dict[int, list[Expression]]:
    """Functions that the curves of each variable are sums of, those of the best skeletons first."""
    found: dict[int, list[Expression]] = {}
    for variable, ranking in rankings.items():
        terms = _distinct(term for skeleton in ranking.skeletons[:N_SUMS] for term in terms_of(skeleton))
        if terms:
            found[variable] = [in_variable(term, variable) for term in terms[:MOST_FUNCTIONS]]
    return found


def _distinct(terms: Iterable[Expression]) -> list[Expression]:
    return list(dict.fromkeys(terms))


def orders(slices: Mapping[int, Ranking]) -> list[tuple[int, ...]]:
    """Variables with simple curves first; then each other variable in front of that order."""
    first = sorted(slices, key=lambda variable: (_complexity(slices[variable]), variable))
    return [(front, *(variable for variable in first if variable != front)) for front in first]


def _complexity(ranking: Ranking) -> tuple[bool, int, int]:
    """A curve is simple if a short formula with few constants fits it."""
    best = ranking.skeletons[0]
    return not best.within_noise, best.expression.n_open, best.complexity


def shortlist(ranking: Ranking) -> list[Skeleton]:
    """Skeletons worth following: those that fit first, then the best of the others."""
    usable = [s for s in ranking.skeletons if np.isfinite(s.constants).all() and s.expression.variables]
    fitting = [s for s in usable if s.within_noise]
    others = [s for s in usable if not s.within_noise]
    return (fitting + others[: HOPELESS if fitting else BEAM])[:BEAM]
