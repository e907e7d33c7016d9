"""Slices: what the curves over each variable alone look like, and which variable comes first."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from scalesr.chain.coefficients import in_variable
from scalesr.chain.config import CHAIN
from scalesr.chain.seeker import Seeker
from scalesr.chain.slice_terms import terms_of
from scalesr.expr.expression import Expression
from scalesr.records.curves import Curves
from scalesr.records.discovery import Step
from scalesr.records.grid import Grid
from scalesr.records.outcome import Kind, Outcome
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.sweep import Sweep


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
            shown = _shown(grid.curve(variable), ranking.skeletons[0])
            first = ranking.skeletons[0]
            came = Outcome(Kind.CURVES, first.within_noise, first.error)
            steps.append(Step("search", summary, time.monotonic() - started, tuple(others), (shown,), came))
    return found, steps


def _shown(sweep: Sweep, best: Skeleton) -> Curves:
    """The curves of a variable, and what the best formula says of them."""
    return Curves.of(sweep, "target", formulas=[best.in_group(group) for group in range(sweep.n_groups)])


def find_sums(curves: Mapping[int, Grid], seeker: Seeker, sharpness: float) -> dict[int, Ranking]:
    """Sums of plain functions for the curves of each variable, as if their error was this many times as large."""
    found = {}
    for variable, grid in curves.items():
        sweep = replace(grid.curve(variable), noise=sharpness * grid.noise)
        ranking = None if seeker.deadline.passed else seeker.rank_linear(sweep)
        if ranking is not None and ranking.skeletons:
            found[variable] = ranking
    return found


def functions_of(rankings: Sequence[Mapping[int, Ranking]]) -> dict[int, list[Expression]]:
    """Functions that the curves of each variable are sums of, those of the best skeletons of each ranking first."""
    found: dict[int, list[Expression]] = {}
    for variable in rankings[0]:
        lists = [_terms(ranking[variable]) for ranking in rankings if variable in ranking]
        mixed = [term for terms in zip_longest(*lists) for term in terms if term is not None]
        distinct = list(dict.fromkeys(mixed))[: CHAIN.most_functions]
        if distinct:
            found[variable] = [in_variable(term, variable) for term in distinct]
    return found


def _terms(ranking: Ranking) -> list[Expression]:
    return list(dict.fromkeys(term for skeleton in ranking.skeletons[: CHAIN.n_sums] for term in terms_of(skeleton)))


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
    return (fitting + others[: CHAIN.n_not_fitting if fitting else CHAIN.n_slices])[: CHAIN.n_slices]
