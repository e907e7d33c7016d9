"""From trajectories to laws: the weak form proposes, a search on rates where it has to, and trajectories choose."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.candidates import Candidates
from scalesr.dynamics.constant_terms import ConstantTerm
from scalesr.dynamics.decide import KEPT_FINAL, N_FINAL, Arena, Decided, decided
from scalesr.dynamics.derivatives import Differentiation, choose_windows, rates_of
from scalesr.dynamics.judge import Tested, judged, unsearched
from scalesr.dynamics.noise import noise_of_states
from scalesr.dynamics.residuals import residual_tests
from scalesr.dynamics.rows import datasets, map_rows, rate_rows
from scalesr.dynamics.second_order import noise_with_rates
from scalesr.dynamics.segments import cut
from scalesr.dynamics.shared_terms import with_shared_terms
from scalesr.dynamics.shooting import FLOOR, enough_steps, shoot, std_of
from scalesr.dynamics.together import Relation, relations
from scalesr.dynamics.trajectories import Trajectories
from scalesr.dynamics.weak.candidates import weak_candidates
from scalesr.expr.expression import Expression, variable
from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Step
from scalesr.records.stop import Stop

Floats = NDArray[np.float64]
Look = Callable[[Sequence[tuple[Dataset, int | None, float]]], list[Candidates]]  # tables, own columns, errors

HELD_SHARE = 0.2  # of the runs, held back for the verdict
FEWEST_RUNS = 5  # with fewer, none is held back
MOST_HELD = 200
BLUR = 1e-5  # of the standard deviation of a rate: what is below is left to the trajectories
DOUBTFUL = (0.1, 5.0)  # times the usual error: rows with rates that far from a finer window's are left out, if few
MARGIN = 2.0  # times the blur and the error of rates: laws that err no more are sharp
HURRIED = 0.5  # seconds for the choice on the trajectories after an interrupt, of the two that SIGTERM may take
NUMERICAL = 1e-7  # of a state's standard deviation: residuals of a right law on trajectories of a solver
UNSEEN = 1e-6  # of a state's standard deviation: noise below is not worth a number
MOST_WEAK = 0.4  # of the time and of the work: for laws of the weak form on the trajectories


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """The laws of a system and all that was found out about them."""

    discoveries: tuple[Discovery, ...]  # one per state
    constant_terms: tuple[ConstantTerm, ...]  # one per state that was tested for one
    relations: tuple[Relation, ...]
    notes: tuple[str, ...]
    noise: str  # a sentence on the noise of each state

    @property
    def statements(self) -> tuple[str, ...]:
        """What the data can and cannot determine, in sentences."""
        related = [one.sentence for one in self.relations]
        return (*self.notes, *related, *(one.sentence for one in self.constant_terms), self.noise)


def find_laws(
    data: Trajectories, look: Look, *, operators: Operators, is_map: bool, rng: np.random.Generator, deadline: Stop
) -> Motion:  # fmt: skip
    """The laws of motion of all states."""
    started = time.monotonic()
    known, held = _parts(data, rng)
    noise = noise_with_rates(known, noise_of_states(known))
    related = tuple(relations(known, noise))
    columns = _columns(known, related)
    tables, errors, how = _tables(known, columns, noise, is_map=is_map, rng=rng)
    arena = Arena(known, columns, _wide(tables, known, columns), noise, rng, deadline, is_map)
    steps = [Step("dynamics", how, time.monotonic() - started)]
    weak, first = _by_weak_form(arena, operators, steps)
    if first is not None and _is_enough(first, noise):
        found, best = unsearched([law.expression for law in first.shot.system.laws], known), first
    else:
        candidates = _searched(look, tables, errors, arena)
        found = [one.discovery for one in candidates]
        best = _by_search(candidates, weak, first, arena, steps)
    tested = _tested(best, known, held, noise, rng)
    discoveries = judged(best, tested, found, known, related)
    more = sum(step.seconds for step in steps)
    done = tuple(
        replace(one, trace=(*steps[:2], *one.trace, *steps[2:]), seconds=one.seconds + more) for one in discoveries
    )
    cut = () if deadline.reason is None else (f"The choice between laws was cut short: {deadline.reason}",)
    return Motion(done, best.terms, related, (*data.notes, *cut), _noise_sentence(known, noise))


def _by_weak_form(
    arena: Arena, operators: Operators, steps: list[Step]
) -> tuple[list[tuple[Expression, ...]], Decided | None]:  # fmt: skip
    """Candidates of the weak form, and the system that the trajectories make of them where every state has some."""
    nothing: list[tuple[Expression, ...]] = [()] * arena.data.n_states
    if arena.is_map:
        return nothing, None
    started, whole = time.monotonic(), arena.deadline
    weak = weak_candidates(arena.data, arena.columns, arena.noise, operators)
    if not all(weak):
        return weak, None
    seconds, work = (None if left is None else MOST_WEAK * left for left in (whole.left, whole.work_left))
    own = replace(arena, deadline=whole.child(seconds=seconds, work=work))
    try:
        found = decided(weak, own)
    except KeyboardInterrupt:  # the search ends at once, too, and what it has is decided in a hurry
        found = decided([laws[:1] for laws in weak], replace(arena, deadline=Stop(seconds=0.0)))
    said = f"Laws of the weak form, compared and refitted on {found.last.segments.n_segments} segments."
    steps.append(Step("dynamics", said, time.monotonic() - started))
    return weak, found


def _is_enough(found: Decided, noise: Floats) -> bool:
    """Whether the residuals along the trajectories are noise alone, or nothing."""
    shot, segments = found.shot, found.last.segments
    if not (shot.is_finite and shot.is_determined):
        return False
    if (shot.errors <= NUMERICAL * std_of(segments)).all():
        return True
    return all(test.is_noise for test in residual_tests(shot, segments.counts, noise))


def _searched(look: Look, tables: list[Dataset], errors: list[float], arena: Arena) -> list[Candidates]:
    """What the search on rates finds for each state whose law is not given by definition."""
    given, columns = arena.data.given, list(arena.columns)
    own = [columns.index(k) if k in columns and not arena.is_map else None for k in range(arena.data.n_states)]
    jobs = list(zip(tables, own, errors, strict=True))
    done = iter(look([job for place, job in enumerate(jobs) if place not in given]))
    rates = [variable(rate) for rate in given.values()]
    by_definition = zip(unsearched(rates, arena.data), rates, strict=True)
    return [*(Candidates(discovery, (rate,)) for discovery, rate in by_definition), *done]


def _by_search(
    candidates: Sequence[Candidates], weak: Sequence[Sequence[Expression]], first: Decided | None, arena: Arena,
    steps: list[Step],
) -> Decided:  # fmt: skip
    """The system that the trajectories choose among what the search on rates and the weak form have found."""
    started = time.monotonic()
    n_given = len(arena.data.given)
    whole = [*candidates[:n_given], *(_over_all(one, arena.columns) for one in candidates[n_given:])]
    if any(one.discovery.was_interrupted for one in candidates):
        arena = replace(arena, deadline=Stop(seconds=HURRIED))
    joined: list[tuple[Expression, ...]] = []
    for place, laws in enumerate(with_shared_terms(whole, arena.tables)):
        decided_law = () if first is None else (first.shot.system.laws[place].expression,)
        joined.append((*decided_law, *laws, *weak[place][:2]))
    try:
        found = decided(joined, arena)
    except KeyboardInterrupt:  # the best laws on the rates, with constants as far as they come
        found = decided(joined, replace(arena, deadline=Stop(seconds=0.0)))
    said = f"Laws compared and refitted on {found.last.segments.n_segments} segments of the trajectories."
    steps.append(Step("dynamics", said, time.monotonic() - started))
    return found


def _noise_sentence(data: Trajectories, noise: Floats) -> str:
    """The noise of each state, as it shows without any law."""
    std = data.all_states.std(axis=0)
    parts = []
    for name, level, size in zip(data.states[: data.n_states - data.n_hidden], noise, std, strict=False):
        share = f"{level:.2g} ({100 * level / size:.2g} % of its standard deviation)"
        parts.append(f"{name} {share if level > UNSEEN * size else 'none visible'}")
    return f"Noise of the measurements, estimated without any law: {', '.join(parts)}."


def _parts(data: Trajectories, rng: np.random.Generator) -> tuple[Trajectories, Trajectories]:
    """Runs for the laws and runs for the verdict; few runs have to serve as both."""
    n = len(data.runs)
    if n < FEWEST_RUNS:
        return data, data
    n_held = min(max(int(HELD_SHARE * n), 1), MOST_HELD)
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
        return tables, [MARGIN * BLUR * table.std for table in tables], f"{len(X)} pairs of states and the next."
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


def _over_all(found: Candidates, columns: Sequence[int]) -> Candidates:
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


def _tested(
    best: Decided, known: Trajectories, held: Trajectories, noise: Floats, rng: np.random.Generator
) -> Tested:  # fmt: skip
    """The residuals of the fit, and those along runs that had no part in it, from starts that are fitted."""
    system, last = best.shot.system, best.last
    fitted = residual_tests(best.shot, last.segments.counts, noise)
    if held is known:
        return Tested(fitted, fitted, last.n_points, held_back=False)
    segments = cut(held, last.n_points, N_FINAL, rng=rng, n_kept=None if system.is_map else KEPT_FINAL)
    closed = replace(system, laws=tuple(replace(law, free=()) for law in system.laws))
    n_sub, followed = enough_steps(system, segments, FLOOR * std_of(segments))
    segments = segments.some(followed) if followed.any() else segments
    shot = shoot(closed, segments, n_sub=max(n_sub, last.n_sub))
    if not shot.is_finite:
        shot = replace(shot, residuals=np.full_like(shot.residuals, math.inf))
    return Tested(fitted, residual_tests(shot, segments.counts, noise), last.n_points, held_back=True)
