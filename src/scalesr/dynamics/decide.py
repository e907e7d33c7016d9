"""The system that the trajectories choose: laws put together from candidates, with the terms that the data ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.choose import Contest, chosen
from scalesr.dynamics.constant_terms import ConstantTerm, constant_terms
from scalesr.dynamics.grow import grown
from scalesr.dynamics.length import independent_share
from scalesr.dynamics.residuals import residual_tests
from scalesr.dynamics.rivals import StateRival, best_of_rivals
from scalesr.dynamics.segments import Segments, cut
from scalesr.dynamics.shooting import FLOOR, Shot, enough_steps, shoot, std_of
from scalesr.dynamics.system import StateLaw, System, system_of
from scalesr.dynamics.terms import is_sum_of_products
from scalesr.dynamics.trajectories import Trajectories
from scalesr.expr.expression import Expression, variable
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop

Floats = NDArray[np.float64]

LENGTHS = (160, 80, 40, 16, 8, 3)  # points of a segment, tried in turn
N_SEGMENTS = 100  # at most, that laws are compared on
N_POINTS = 2_400  # about as many of these, and no fewer than FEWEST_KEPT of a segment
FEWEST_KEPT = 16
N_FINAL, KEPT_FINAL = 400, 160  # segments and points of each for the last fit
SHORT = 40  # points of the segments that starts are compared on
CLOSE = 0.3  # of the standard deviation: how far a system may be from the data at most for long segments
TOO_FAR = 0.01  # of the noise: what steps between points may add to it
DEGREE = 3  # of products that laws are grown by


@dataclass(frozen=True, slots=True, eq=False)
class Last:
    """What the last fit was made on."""

    segments: Segments
    n_sub: int
    n_points: int  # of a segment in the data
    share: float  # of points that count as independent


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """A system fitted to the trajectories, what is known of its constant terms, and where it was fitted."""

    shot: Shot
    terms: tuple[ConstantTerm, ...]
    last: Last
    rivals: tuple[StateRival, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Arena:
    """Everything besides candidates that laws are decided by."""

    data: Trajectories
    columns: Sequence[int]  # that laws may use
    tables: list[Dataset]  # rates of each state over all columns
    noise: Floats
    rng: np.random.Generator
    deadline: Stop
    is_map: bool = False

    def cut(self, n_points: int, n_most: int = N_SEGMENTS, n_kept: int | None = None) -> Segments:
        """Segments of this many points, of which enough are kept."""
        segments = cut(self.data, n_points, n_most, rng=self.rng)
        if self.is_map:
            return segments
        kept = n_kept or max(N_POINTS // segments.n_segments, FEWEST_KEPT)
        return segments if kept >= n_points else cut(self.data, n_points, n_most, rng=self.rng, n_kept=kept)

    def with_given(self, system: System) -> System:
        """The system with the laws that are given by definition."""
        for place, rate in self.data.given.items():
            system = system.with_law(place, StateLaw(variable(rate), ()))
        return system

    def tame(self, system: System, segments: Segments) -> tuple[Segments, int]:
        """Segments that can be followed, and steps between their points that are enough for it."""
        tolerance = np.maximum(FLOOR * std_of(segments), TOO_FAR * self.noise)
        n_sub, followed = enough_steps(system, segments, tolerance)
        return (segments.some(followed), n_sub) if followed.any() else (segments, n_sub)


def decided(candidates: Sequence[Sequence[Expression]], arena: Arena) -> Decided:
    """The best system, beginning with the first candidate of each state, or with the first that has a function."""
    start = arena.with_given(_better_start(candidates, arena))
    n_points = longest_that_works(start, arena)
    best, contest = _compared(start, candidates, n_points, arena)
    longer = longest_that_works(best.system, arena) if n_points < LENGTHS[0] and best.is_finite else n_points
    if longer > n_points:
        n_points = longer
        best, contest = _compared(best.system, candidates, n_points, arena)
    best, terms = constant_terms(
        best, contest, arena.data.states, [arena.data.states[place] for place in arena.data.given]
    )
    best, rivals = best_of_rivals(best, contest)
    return replace(_last_fit(best, terms, contest, n_points, arena), rivals=rivals)


def _better_start(candidates: Sequence[Sequence[Expression]], arena: Arena) -> System:
    """The first sums of products, or the first laws that are none where these describe short segments better.

    Sums that leave nothing but noise are the start in any case, as their terms are soon sorted out.
    """
    plain = system_of([laws[0] for laws in candidates], is_map=arena.is_map)
    firsts = [next((law for law in laws if not is_sum_of_products(law)), laws[0]) for laws in candidates]
    other = system_of(firsts, is_map=arena.is_map)
    if arena.is_map or other == plain:
        return plain
    segments, n_sub = arena.tame(arena.with_given(plain), arena.cut(SHORT))
    contest = Contest(segments, n_sub, arena.tables, arena.deadline)
    first = contest.shot(arena.with_given(plain))
    if first.is_finite and all(test.is_noise for test in residual_tests(first, segments.counts, arena.noise)):
        return first.system
    second = contest.shot(arena.with_given(other))
    return (second if contest.is_better(second, first) else first).system


def _compared(
    start: System, candidates: Sequence[Sequence[Expression]], n_points: int, arena: Arena
) -> tuple[Shot, Contest]:  # fmt: skip
    segments, n_sub = arena.tame(start, arena.cut(n_points))
    contest = Contest(segments, n_sub, arena.tables, arena.deadline)
    grow = None if arena.is_map else lambda shot: grown(shot, contest, arena.columns, DEGREE)
    return chosen(start, candidates, contest, grow), contest


def _last_fit(
    best: Shot, terms: tuple[ConstantTerm, ...], contest: Contest, n_points: int, arena: Arena
) -> Decided:  # fmt: skip
    final, n_sub = arena.tame(best.system, arena.cut(n_points, N_FINAL, KEPT_FINAL))
    shot = shoot(best.system, final, n_sub=n_sub, deadline=arena.deadline)
    if not shot.is_finite:
        shot, final, n_sub = best, contest.segments, contest.n_sub
    return Decided(shot, terms, Last(final, n_sub, n_points, independent_share(shot, final.counts)))


def longest_that_works(system: System, arena: Arena) -> int:
    """Points of the longest segments along which a system stays near the data."""
    longest = max(run.n_points for run in arena.data.runs)
    tried = [n for n in LENGTHS if n <= longest] or [LENGTHS[-1]]
    for n_points in tried[:-1]:
        segments, n_sub = arena.tame(system, arena.cut(n_points))
        shot = shoot(system, segments, n_sub=n_sub, max_steps=3, deadline=arena.deadline)
        if shot.is_finite and (shot.errors <= CLOSE * std_of(segments)).all():
            return n_points
    return tried[-1]
