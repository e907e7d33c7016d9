"""From trajectories to laws: rates, a search per state, and the choice on the trajectories themselves."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.candidates import Candidates
from scalesr.dynamics.choose import Contest, chosen, snapped
from scalesr.dynamics.constant_terms import ConstantTerm, constant_terms
from scalesr.dynamics.derivatives import Differentiation, choose_windows, rates_of
from scalesr.dynamics.judge import judged
from scalesr.dynamics.length import independent_share
from scalesr.dynamics.noise import noise_of_states
from scalesr.dynamics.rows import datasets, map_rows, rate_rows
from scalesr.dynamics.segments import Segments, cut
from scalesr.dynamics.shared_terms import with_shared_terms
from scalesr.dynamics.shooting import FLOOR, Shot, enough_steps, shoot, spread_of
from scalesr.dynamics.system import System, system_of
from scalesr.dynamics.tidy import tidied
from scalesr.dynamics.together import Relation, relations
from scalesr.dynamics.trajectories import Trajectories
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Step
from scalesr.records.stop import Stop

Floats = NDArray[np.float64]
Look = Callable[[Sequence[tuple[Dataset, int | None, float]]], list[Candidates]]  # tables, own columns, errors

HELD_SHARE = 0.2  # of the runs, held back for the verdict
FEWEST_RUNS = 5  # with fewer, none is held back
MOST_HELD = 200
BLUR = 1e-5  # of the spread of a rate: what is below is left to the trajectories
DOUBTFUL = (0.1, 5.0)  # times the usual error: rows with rates that far from a finer window's are left out, if few
MARGIN = 2.0  # times the blur and the error of rates: laws that err no more are sharp
HURRIED = 3.0  # seconds for the choice on the trajectories after an interrupt
LENGTHS = (128, 32, 8, 3)  # points of a segment, tried in turn
N_CONTEST, KEPT_CONTEST = 100, 16  # segments and points of each that laws are compared on
N_FINAL, KEPT_FINAL = 400, 40  # and those of the last fit
CLOSE = 0.3  # of the spread: how far a system may be from the data at most for long segments


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """The laws of a system and all that was found out about them."""

    discoveries: tuple[Discovery, ...]  # one per state
    constant_terms: tuple[ConstantTerm, ...]  # one per state that was tested for one
    relations: tuple[Relation, ...]
    notes: tuple[str, ...]

    @property
    def statements(self) -> tuple[str, ...]:
        """What the data can and cannot tell, in sentences."""
        return (*self.notes, *(one.sentence for one in self.relations), *(one.sentence for one in self.constant_terms))


def find_laws(
    data: Trajectories, look: Look, *, is_map: bool, rng: np.random.Generator, deadline: Stop
) -> Motion:  # fmt: skip
    """The laws of motion of all states."""
    started = time.monotonic()
    known, held = _parts(data, rng)
    noise = noise_of_states(known)
    related = tuple(relations(known, noise))
    columns = _columns(known, related)
    tables, errors, how = _tables(known, columns, noise, is_map=is_map, rng=rng)
    prepared = time.monotonic() - started
    own = [columns.index(place) if place in columns and not is_map else None for place in range(known.n_states)]
    found = look(list(zip(tables, own, errors, strict=True)))
    searched = time.monotonic() - started - prepared
    whole = [_over_all(one, columns) for one in found]
    until = Stop(seconds=HURRIED) if any(one.discovery.was_interrupted for one in found) else deadline
    wide = _wide(tables, known, columns)
    try:
        shot, terms, last = _settled(known, whole, wide, noise, rng, until, is_map=is_map)
        tested = shoot_held(shot.system, held, last, rng)
    except KeyboardInterrupt:  # the best laws on the rates, with constants as far as they come
        shot, terms, last = _settled(known, whole, wide, noise, rng, Stop(seconds=0.0), is_map=is_map)
        tested = shoot_held(shot.system, held, last, rng)
    refit = Step(
        "dynamics",
        f"Laws compared and refitted on {last.segments.n_segments} segments of the trajectories.",
        time.monotonic() - started - prepared - searched,
    )
    steps = (Step("dynamics", how, prepared), refit)
    searched_for = [one.discovery for one in found]
    discoveries = judged(shot, tested, searched_for, known, noise, last.share, related, held is not known)
    more = prepared + refit.seconds
    done = tuple(replace(one, trace=(steps[0], *one.trace, refit), seconds=one.seconds + more) for one in discoveries)
    return Motion(done, terms, related, data.notes)


@dataclass(frozen=True, slots=True, eq=False)
class Last:
    """What the last fit was made on."""

    segments: Segments
    n_sub: int
    n_points: int  # of a segment in the data
    share: float  # of points that count as independent


def _parts(data: Trajectories, rng: np.random.Generator) -> tuple[Trajectories, Trajectories]:
    """Runs for the laws and runs for the verdict; few runs have to serve as both."""
    n = len(data.runs)
    if n < FEWEST_RUNS:
        return data, data
    n_held = min(max(round(HELD_SHARE * n), 1), MOST_HELD)
    order = rng.permutation(n)
    return data.some(np.sort(order[n_held:])), data.some(np.sort(order[:n_held]))


def _columns(data: Trajectories, related: Sequence[Relation]) -> list[int]:
    """Columns that laws may use: of states that move together one is left out."""
    dropped: set[int] = set()
    for relation in related:
        free = [j for j in relation.states if j not in dropped]
        if len(free) > 1:
            dropped.add(free[-1])
    return [j for j in range(len(data.names)) if j not in dropped]


def _tables(
    data: Trajectories, columns: list[int], noise: Floats, *, is_map: bool, rng: np.random.Generator
) -> tuple[list[Dataset], list[float], str]:
    """A table per state, the error of its target, and how it was made, in a sentence.

    Errors of differentiation are smooth, and a search would take them for parts of the law. Noise of
    their size is added, so that they drown in it; the trajectories have them not.
    """
    if is_map:
        X, Y = map_rows(data, rng=rng)
        tables = datasets(X, Y, data, columns, np.ones(Y.shape, np.bool_), "next {}")
        return tables, [MARGIN * BLUR * table.spread for table in tables], f"{len(X)} pairs of states and the next."
    how: Differentiation = choose_windows(data, noise)
    X, Y, doubts = rate_rows(rates_of(data, how), how.reach, rng=rng)
    blur = np.maximum(how.biases, BLUR * Y.std(axis=0))
    trusted = _trusted(doubts / np.hypot(how.errors, blur))
    tables = datasets(X, Y + blur * rng.normal(size=Y.shape), data, columns, trusted, "d{}/dt")
    errors = (MARGIN * np.hypot(how.errors, blur)).tolist()
    said = ", ".join(f"{level:.1e}" for level in blur)
    n_left = ", ".join(str(table.n_rows) for table in tables)
    return tables, errors, f"{how.sentence(data.states)} {n_left} of {len(X)} rows trusted, blurred by {said}."


def _trusted(doubts: Floats) -> NDArray[np.bool_]:  # (rows, states), in usual errors
    """Rows whose rates can be relied on, by the strictest measure that leaves half of them for a state."""
    kept = np.ones(doubts.shape, np.bool_)
    for most in reversed(DOUBTFUL):
        fewer = doubts <= most
        kept = np.where(fewer.sum(axis=0) >= 0.5 * len(doubts), fewer, kept)
    return kept


def _over_all(found: Candidates, columns: list[int]) -> Candidates:
    """Candidates as laws of all columns."""
    return replace(found, laws=tuple(found.renumbered(columns)))


def _wide(tables: Sequence[Dataset], data: Trajectories, columns: list[int]) -> list[Dataset]:
    """The tables with a place for every column; those that laws may not use hold zeros."""
    if len(columns) == len(data.names):
        return list(tables)
    wide = []
    for table in tables:
        full = np.zeros((len(data.names), table.n_rows))
        full[columns] = table.columns
        wide.append(Dataset(full, table.y, data.names, table.target))
    return wide


def _settled(
    data: Trajectories, found: Sequence[Candidates], tables: list[Dataset], noise: Floats,
    rng: np.random.Generator, deadline: Stop, *, is_map: bool,
) -> tuple[Shot, tuple[ConstantTerm, ...], Last]:  # fmt: skip
    """The system that the trajectories choose, its constants fitted to them."""
    start = system_of([one.laws[0] for one in found], is_map=is_map)
    n_points = _longest_that_works(start, data, noise, rng, deadline)
    segments, n_sub = _tame(
        start, cut(data, n_points, N_CONTEST, rng=rng, n_kept=None if is_map else KEPT_CONTEST), noise
    )
    contest = Contest(segments, n_sub, tables, deadline)
    best = chosen(start, with_shared_terms(found, tables), contest)
    best, terms = constant_terms(best, contest, data.states)
    best = tidied(snapped(best, contest), contest)
    final = cut(data, n_points, N_FINAL, rng=rng, n_kept=None if is_map else KEPT_FINAL)
    final, n_sub = _tame(best.system, final, noise)
    shot = shoot(best.system, final, n_sub=n_sub, deadline=deadline)
    if not shot.is_finite:
        shot, final, n_sub = best, segments, contest.n_sub
    return shot, terms, Last(final, n_sub, n_points, independent_share(shot, final.counts))


def _longest_that_works(
    system: System, data: Trajectories, noise: Floats, rng: np.random.Generator, deadline: Stop
) -> int:
    """Points of the longest segments along which the first system stays near the data."""
    for n_points in LENGTHS[:-1]:
        kept = None if system.is_map else KEPT_CONTEST
        segments = cut(data, n_points, N_CONTEST, rng=rng, n_kept=kept)
        segments, n_sub = _tame(system, segments, noise)
        shot = shoot(system, segments, n_sub=n_sub, max_steps=3, deadline=deadline)
        if shot.is_finite and (shot.errors <= CLOSE * spread_of(segments)).all():
            return n_points
    return LENGTHS[-1]


def _tame(system: System, segments: Segments, noise: Floats) -> tuple[Segments, int]:
    """Segments that can be followed, and steps between their points that are enough for it."""
    n_sub, followed = enough_steps(system, segments, np.maximum(FLOOR * spread_of(segments), 0.01 * noise))
    return (segments.some(followed), n_sub) if followed.any() else (segments, n_sub)


def shoot_held(system: System, held: Trajectories, last: Last, rng: np.random.Generator) -> Shot:
    """The system along runs that had no part in it, from starts that are fitted."""
    segments = cut(held, last.n_points, N_FINAL, rng=rng, n_kept=None if system.is_map else KEPT_FINAL)
    closed = replace(system, laws=tuple(replace(law, free=()) for law in system.laws))
    n_sub, followed = enough_steps(system, segments, FLOOR * spread_of(segments))
    shot = shoot(closed, segments.some(followed) if followed.any() else segments, n_sub=max(n_sub, last.n_sub))
    return shot if shot.is_finite else replace(shot, residuals=np.full_like(shot.residuals, math.inf))
