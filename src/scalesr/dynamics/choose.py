"""Choice: for each state the law with which the whole system runs closest to the trajectories for its size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.length import independent_share, length
from scalesr.dynamics.limits import without_poles
from scalesr.dynamics.segments import Segments
from scalesr.dynamics.shooting import Shot, shoot, std_of
from scalesr.dynamics.system import StateLaw, System
from scalesr.dynamics.terms import is_sum_of_products
from scalesr.evidence.neighbours import neighbours
from scalesr.evidence.numbers import simple_number
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit
from scalesr.expr.simplify import simplify
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop

Floats = NDArray[np.float64]
Grow = Callable[[Shot], Shot]

ROUNDS = 3  # of going through all states
TRIED = 4  # shorter laws that are tried on trajectories, those that the rates like best
TRIAL_STEPS = 8
WARM = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=60)
SIGMAS = 3.0  # within which a constant may snap to a simple number
ALIKE = 2.0  # residuals within this factor: the law whose constants can be told apart is preferred
LONGEST = 120  # nodes of a law that is worth a trial


class Contest:
    """Everything that laws are compared on; no system is tried twice."""

    def __init__(self, segments: Segments, n_sub: int, tables: Sequence[Dataset], deadline: Stop) -> None:
        self.segments, self.n_sub = segments, n_sub
        self.tables = tables  # rates per state, over all columns of the laws
        self.deadline = deadline
        self.n_columns = tables[0].n_variables
        self.trials: list[Shot] = []  # all that was fitted
        self._tried: set[tuple[Expression, ...]] = set()

    def shot(self, system: System, starts: Floats | None = None) -> Shot:
        done = shoot(
            system, self.segments, n_sub=self.n_sub, starts=starts, max_steps=TRIAL_STEPS, deadline=self.deadline
        )
        self.trials.append(done)
        return done

    def lengths(self, shots: Sequence[Shot], best: Shot) -> list[float]:
        """Description lengths with as many independent points as the best leaves, less its own."""
        std, share = std_of(self.segments), independent_share(best, self.segments.counts)
        own = length(best, std, share, self.n_columns)
        return [length(shot, std, share, self.n_columns) - own for shot in shots]

    def may_try(self, system: System) -> bool:
        """Whether laws of these forms have not been tried together, and there is time to."""
        return not self.deadline.passed and self.is_new(system)

    def is_new(self, system: System) -> bool:
        """Whether laws of these forms have not been tried together; asking counts as trying."""
        forms = tuple(law.expression.skeleton() for law in system.laws)
        if forms in self._tried:
            return False
        self._tried.add(forms)
        return True

    def is_better(self, trial: Shot, best: Shot) -> bool:
        """Whether a system is the better description, with as many independent points as the closer fit leaves."""
        if not trial.is_finite:
            return False
        if not best.is_finite:
            return True
        if trial.is_determined != best.is_determined and (trial.errors <= ALIKE * best.errors).all():
            return trial.is_determined
        std = std_of(self.segments)
        closer = min((trial, best), key=lambda one: float(np.log(one.errors + 1e-12 * std).sum()))
        share = independent_share(closer, self.segments.counts)
        return length(trial, std, share, self.n_columns) < length(best, std, share, self.n_columns)


def chosen(
    start: System, candidates: Sequence[Sequence[Expression]], contest: Contest, grow: Grow | None = None
) -> Shot:  # fmt: skip
    """The best system that can be put together from candidates, without parts that the trajectories do not ask for.

    Sums of products are left to `grow`, where it is given.
    """
    best = contest.shot(start)
    contest.is_new(start)
    for _ in range(ROUNDS):
        before = best
        best = best if grow is None else grow(best)
        own = [place for place, law in enumerate(start.laws) if law.free]  # others are given
        for place in own:
            best = _best_law(best, place, candidates[place], contest)
        for place in own:
            if grow is None or not is_sum_of_products(best.system.laws[place].expression):
                best = _shortened(best, place, contest)
        if best is before or contest.deadline.passed:
            break
    return best


def _best_law(best: Shot, place: int, laws: Sequence[Expression], contest: Contest) -> Shot:
    for law in laws:
        if contest.deadline.passed:
            return best
        system = best.system.with_law(place, StateLaw.all_free(law))
        if law.n_nodes <= LONGEST and law.variables and contest.is_new(system):
            trial = contest.shot(system, _starts(best))
            best = trial if contest.is_better(trial, best) else best
    return best


def _shortened(best: Shot, place: int, contest: Contest) -> Shot:
    """The law of one state with parts left out one after another."""
    while not contest.deadline.passed:
        law = best.system.laws[place].expression
        for shorter in _likely(law, contest.tables[place]):
            system = best.system.with_law(place, StateLaw.all_free(shorter))
            trial = contest.shot(system, _starts(best)) if contest.may_try(system) else best
            if contest.is_better(trial, best):
                best = trial
                break
        else:
            return best
    return best


def _likely(law: Expression, table: Dataset) -> list[Expression]:
    """Laws with one part less, fitted to rates, those first that the rates like best."""
    some = table.thinned(1500)
    found = []
    straight = without_poles(law, some.table)
    for shorter in [*([straight] if straight != law else []), *neighbours(law)]:
        plain = simplify(shorter)
        done = fit(plain.skeleton(), some.table, some.y, starts=plain.constants[np.newaxis], effort=WARM)
        if done.ok:
            found.append((done.rss, done.expression))
    return [expression for _, expression in sorted(found, key=lambda pair: pair[0])[:TRIED]]


def _starts(best: Shot) -> Floats | None:
    return best.starts if best.is_finite else None


def snapped(best: Shot, contest: Contest) -> Shot:
    """Constants that are simple numbers within their errors, closed one after another where nothing gets worse."""
    refused: set[tuple[int, int]] = set()
    while not contest.deadline.passed:
        pick = _surest(best, contest, refused)
        if pick is None:
            return best
        place, k, number = pick
        law = best.system.laws[place]
        constants = law.expression.constants.copy()
        constants[k] = number
        closed = StateLaw(law.expression.skeleton().bind(constants), tuple(j for j in law.free if j != k))
        trial = contest.shot(best.system.with_law(place, closed), best.starts)
        if contest.is_better(trial, best):
            best = trial
        else:
            refused.add((place, k))
    return best


def _surest(best: Shot, contest: Contest, refused: set[tuple[int, int]]) -> tuple[int, int, float] | None:
    """The free constant that is nearest to a simple number, measured by its error: state, place, number."""
    scale = independent_share(best, contest.segments.counts) ** -0.5
    errors = scale * np.sqrt(np.diag(best.covariance))
    found: list[tuple[float, int, int, float]] = []
    at = 0
    for place, law in enumerate(best.system.laws):
        for k in law.free:
            value, error = float(law.expression.constants[k]), float(errors[at])
            at += 1
            tolerance = SIGMAS * error + 1e-9 * abs(value)
            number = simple_number(value, tolerance) if np.isfinite(error) else None
            if number is not None and (place, k) not in refused:
                found.append((abs(number - value) / tolerance, place, k, number))
    return min(found)[1:] if found else None
