"""RatioSearch: quotients of two sums of monomials, each with a coefficient.

The target times an unknown denominator is an unknown numerator, which is linear in both. That only
proposes: a form is always refitted on the target itself, where errors of the target do no harm.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import comb

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import EXACT, description_length, is_within_noise
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.linear.blas import one_thread
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.growth import Grower
from scalesr.search.linear.low_ratios import low_ratios
from scalesr.search.linear.monomials import Exponents, laurent_exponents, n_laurent, polynomial_exponents
from scalesr.search.linear.quotient import written_ratio
from scalesr.search.linear.relations import LinearRelation, exact_relations
from scalesr.search.linear.sparse_ratios import sparse_ratios
from scalesr.search.residual import has_structure

Floats = NDArray[np.float64]

DEGREES = (1, 2, 3, 4)
WARM = Effort(n_screened=1, n_polished=1, polish_trials=20, final_trials=60)


@dataclass(frozen=True, slots=True)
class RatioSearch:
    """Ratios of sums of monomials in all variables, for sweeps of one group; `rng` is not used."""

    operators: Operators = field(default_factory=lambda: Operators("physics"))

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank ratios by description length; ends with the first that is exact."""
        del rng, progress
        stop = Stop(seconds=budget.seconds, parent=budget.stop)
        found = _Found(sweep.thinned(1, LINEAR.refitted_rows), stop)
        if {"+", "*", "/"} <= set(self.operators.names) and sweep.n_groups == 1:
            with one_thread():
                found.take_all(_exact(sweep))
                found.take_all(_grown(sweep, stop))
                found.prune()
        return found.ranking()


class _Found:
    """The ratios refitted so far, until one is exact."""

    def __init__(self, sweep: Sweep, stop: Stop) -> None:
        self.sweep, self.stop, self.started = sweep, stop, time.monotonic()
        self.fitted: list[tuple[Skeleton, LinearRelation]] = []
        self.is_exact = False

    def take_all(self, relations: Iterator[LinearRelation]) -> None:
        """Refit relations one after the other."""
        while not (self.is_exact or self.stop.passed) and (relation := next(relations, None)) is not None:
            self.take(relation)

    def take(self, relation: LinearRelation) -> None:
        """Refit a relation on the target, as a ratio."""
        skeleton = _fitted(*written_ratio(relation), self.sweep) if relation.is_law else None
        if skeleton is not None:
            self.fitted.append((skeleton, relation))
            left = float(np.sqrt(skeleton.rss[0] / self.sweep.n_rows))
            self.is_exact |= left <= LINEAR.doubtful * EXACT * self.sweep.scale

    def prune(self) -> None:
        """Take terms out of the best ratio as long as that makes a better one."""
        pruned: LinearRelation | None = None
        while self.fitted and not self.is_exact and self._best is not pruned:
            pruned = self._best
            self.take_all(pruned.shorter())

    @property
    def _best(self) -> LinearRelation:
        return min(self.fitted, key=lambda pair: pair[0].score)[1]

    def ranking(self) -> Ranking:
        """The best first."""
        ranked = sorted((skeleton for skeleton, _ in self.fitted), key=lambda one: (one.score, one.complexity))
        ended = str(self.stop.reason or "The search came to its end.")
        seconds, n_fits = time.monotonic() - self.started, len(ranked)
        return Ranking(tuple(ranked), self.sweep.names, n_fits, n_fits, seconds, ended)


def _exact(sweep: Sweep) -> Iterator[LinearRelation]:
    """Relations that hold up to rounding, in ever larger libraries that the rows can bear."""
    for exponents in _libraries(sweep.n_variables):
        n_rows = 2 * LINEAR.rows_per_column * len(exponents)
        if n_rows <= sweep.n_rows:
            thin = sweep.thinned(1, n_rows)
            yield from exact_relations(exponents, thin.columns, thin.y)


def _grown(sweep: Sweep, stop: Stop) -> Iterator[LinearRelation]:
    """Ratios that describe rows with noise: from all terms down, from one term up side by side, from two terms up."""
    libraries = [exponents for exponents in _libraries(sweep.n_variables) if len(exponents) <= LINEAR.max_grown]
    if libraries and sweep.n_rows >= LINEAR.fewest_rows_of_ratios:
        yield from low_ratios(sweep.thinned(1, LINEAR.n_stripped))
        if sweep.n_rows <= LINEAR.followed_side_by_side:
            yield from sparse_ratios(Grower(libraries[-1], sweep))
        small = Grower(libraries[-1], sweep.thinned(1, LINEAR.n_grown))
        large = Grower(small.exponents, sweep.thinned(1, LINEAR.n_stripped))
        grown = small.grown()
        for found in grown:
            yield from small.relations(found)
        if len(large.exponents) == len(small.exponents):  # every term has values on all rows
            for found in grown[: LINEAR.n_polished]:
                yield from large.relations(large.exchanged(large.refitted(found), stop))


def _libraries(n_variables: int) -> list[tuple[Exponents, ...]]:
    """Sets of monomials, the small ones first."""
    made = []
    for degree in DEGREES:
        if comb(n_variables + degree, degree) <= LINEAR.max_monomials:
            made.append(polynomial_exponents(n_variables, degree))
        if n_laurent(n_variables, degree) <= LINEAR.max_monomials:
            made.append(laurent_exponents(n_variables, degree))
    return list(dict.fromkeys(sorted(made, key=len)))


def _fitted(form: Expression, guess: Floats, sweep: Sweep) -> Skeleton | None:
    """A form with its constants refitted on the target; None where it has no value on some row."""
    X, y = sweep.group(0)
    done = fit(form, X, y, weights=sweep.weights, starts=guess, effort=WARM)
    if not done.ok:
        return None
    constants, covariance = done.constants[np.newaxis], done.covariance[np.newaxis]
    error = float(np.sqrt(done.rss / sweep.n_rows)) / sweep.std
    within = is_within_noise(done.rss, form.n_open, sweep) and not has_structure(form, constants, sweep)
    length = description_length(form, done.rss, sweep)
    return Skeleton(form, constants, covariance, np.array([done.rss]), error, length, within)
