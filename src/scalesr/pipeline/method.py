"""The method, readable aloud: make the problem as small as its rows allow, then search one variable at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.paper.method import discover_as_in_the_paper
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.parts import search_by_parts
from scalesr.pipeline.revise import revise
from scalesr.pipeline.rules import allowed_columns, spared
from scalesr.pipeline.run import Run
from scalesr.pipeline.steps import (
    SparseLaws,
    breed,
    in_groups,
    in_usual_units,
    leading_columns,
    search_all_variables,
    search_by_control_variables,
    search_rows,
    search_small_forms,
    weigh_rows,
    with_enough_columns,
    with_fewer_columns,
    with_needed,
    without_irrelevant,
)
from scalesr.pipeline.template import discover_by_template
from scalesr.pipeline.views import on_shared_scale, waves_as_columns
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery
from scalesr.records.engine import ready_engine
from scalesr.reduce.leading import Leading
from scalesr.reduce.reduction import Key, Reduction, untouched
from scalesr.reduce.view import has_heavy_tails
from scalesr.search.linear.blas import one_thread

Floats = NDArray[np.float64]


def discover(
    data: Dataset, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
) -> Discovery:
    """Find the law behind a table; the engine is made ready before the clock starts."""
    ready_engine(progress)
    if settings.preset == "paper":
        return discover_as_in_the_paper(data, settings, rng=rng, progress=progress)
    with one_thread():  # the linear algebra of small problems, whose last digits then depend on nothing
        if settings.frame is not None:
            return discover_by_template(data, spared(settings), settings.frame, look, rng=rng, progress=progress)
        run = Run(data, spared(settings), rng=rng, progress=progress)
        with run.until_stopped():
            run.offer(settings.start)
            look(run)
        if run.was_content:
            with run.until_stopped():
                revise(run)  # whichever law is the best by now: none is told before its parts were looked at
        return run.concluded()


class Opening(NamedTuple):
    """The rows as they are looked at, the columns that are looked at first, and sparse laws of these."""

    here: Reduction
    few: Leading
    plain: SparseLaws
    slopes: Floats | None = None  # (rows,) of what the target is seen through, where it is
    has_waves: bool = False  # as columns


def opening(run: Run, start: Reduction, *, with_waves: bool = True) -> list[Opening]:
    """Begin with the rows in usual units, then the target on a scale that they share, then waves as columns.

    Each comes with a first look for sparse laws; the last is what the work goes on with.
    """
    begun = [_begun(run, in_usual_units(run, start))]
    viewed = on_shared_scale(run, begun[0].here)
    if viewed is not None:
        begun.append(_begun(run, viewed.reduction, viewed.slopes))
    here, slopes = begun[-1].here, begun[-1].slopes
    waved = waves_as_columns(run, here) if with_waves else here
    if waved is not here:
        begun.append(_begun(run, waved, slopes)._replace(has_waves=True))
    return begun


def _begun(run: Run, here: Reduction, slopes: Floats | None = None) -> Opening:
    few = leading_columns(run, here)
    plain = SparseLaws(run, few.reduction)
    plain.look_once()
    return Opening(here, few, plain, slopes)


def look(run: Run) -> None:
    """Propose laws of the columns; before that of dimensionless groups, where units are known.

    A constant of the law may carry a unit that no column has, so that the groups get a part of the time alone.
    """
    groups = in_groups(run)
    if groups is not None:
        with run.share(PIPELINE.share_of_groups):
            look_from(run, groups, lambda: in_groups(run) or untouched(run.data))
    rules = run.settings.rules
    look_from(run, allowed_columns(run.data, rules), lambda: allowed_columns(run.data, rules))


def look_from(run: Run, start: Reduction, again: Callable[[], Reduction]) -> None:
    """Propose laws until one is exact, of waves as columns first where the rows show any, then of the rows as they are.

    `again` makes the start anew where rows turn out not to count alike.
    """
    begun, was_weighed = opening(run, start), run.was_weighed
    if begun[-1].has_waves:
        with run.share(PIPELINE.share_of_waves):
            continue_from(run, begun, lambda: opening(run, again()))
        begun = begun[:-1] if run.was_weighed == was_weighed else opening(run, again(), with_waves=False)
        continue_from(run, begun, lambda: opening(run, again(), with_waves=False))
    else:
        continue_from(run, begun, lambda: opening(run, again()))


def continue_from(run: Run, begun: list[Opening], again: Callable[[], list[Opening]]) -> None:
    """Go on from an opening until a law is exact; what is cheap comes first, and small problems before large ones."""
    *others, (here, few, plain, slopes, _) = begun
    search_by_parts(run, few.reduction)
    if has_heavy_tails(here.data.y):  # on every scale: no function can be learned, so what needs none comes first
        plain.look_fully()
    if weigh_rows(run, here.data if others else run.data, slopes):
        *others, (here, few, plain, *_) = again()
    if run.has_noise and few.reduction.data.n_variables > 1:
        breed(run, few.reduction, plain)  # before transformations, which noise may mislead
        revise(run)
    enough = with_enough_columns(run, here, few)
    problems = [Subproblem(one.few.reduction, one.plain) for one in others]
    if not enough.is_enough:
        problems.append(Subproblem(here, SparseLaws(run, here)))
        problems[-1].plain.look_once()
    if enough.reduction is few.reduction:
        problems.append(Subproblem(enough.reduction, plain))
    else:
        problems.append(Subproblem(enough.reduction, SparseLaws(run, enough.reduction)))
    relevant = without_irrelevant(run, enough.reduction)
    if relevant is not enough.reduction:  # which a small effect may belie, so the larger problem is kept for later
        problems.append(Subproblem(relevant, SparseLaws(run, relevant)))
    known: dict[Key, Subproblem] = {}
    go_down(run, known, relevant, enough.reduction)
    if run.has_noise:
        for problem in list(known.values())[-1:]:  # the smallest
            if problem.n_variables > 1:
                breed(run, problem.reduction, problem.plain)
        revise(run)
        for _ in range(PIPELINE.ways_under_noise - 1):
            go_down(run, known, relevant, enough.reduction)
    every = [*sorted(known.values(), key=lambda problem: problem.n_variables), *reversed(problems)]
    if run.has_noise:  # transformations may mislead, so that no problem waits until all has been done for a smaller one
        for problem in reversed(problems):
            look_at(run, problem)
        for problem in (problems[-1], every[0]):
            if problem.n_variables > 1:
                breed(run, problem.reduction, problem.plain, PIPELINE.bred_under_noise)
            revise(run)
    chains = []
    for problem in every:
        problem.plain.look_fully()
        run.stop_if_found()
        if problem.n_variables == 1:
            search_rows(run, problem.reduction)
            run.stop_if_found()
        chains.append(search_by_control_variables(run, problem.reduction) if problem.n_variables > 1 else None)
        if problem.n_variables > 1 and (problem is every[0] or problem is problems[-1]):  # the smallest, and its origin
            breed(run, problem.reduction, problem.plain)
    run.stop_if_found(was_complete=every[0].n_variables == 1)
    search_all_variables(run, every[0].reduction, every[0].plain, chains[0])


def go_down(run: Run, known: dict[Key, Subproblem], start: Reduction, wider: Reduction) -> None:
    """Make the problem smaller, transformation by transformation.

    Under noise a transformation may be owed to chance: the way down is gone more than once then, a transformation
    to a problem that is not known yet comes before others, and what is new is looked at, the smallest first.
    """
    here, new = start, list[Subproblem]()
    while (moved := with_fewer_columns(run, here, known)) is not None:
        here = with_needed(run, moved, wider)
        if here.key not in known:
            new.append(Subproblem(here, SparseLaws(run, here)))
            new[-1].plain.look_once()
            known[here.key] = new[-1]
    if run.has_noise:
        for problem in reversed(new):
            look_at(run, problem)


def look_at(run: Run, problem: Subproblem) -> None:
    """Quick looks at a problem; where one variable is left, every look and a search of all small forms in it."""
    problem.plain.look_quickly()
    if problem.n_variables == 1:
        problem.plain.look_fully()
        run.stop_if_found()
        search_small_forms(run, problem.reduction)
        run.stop_if_found()


@dataclass(frozen=True, slots=True)
class Subproblem:
    """Rows with fewer columns, and the sparse laws of them."""

    reduction: Reduction
    plain: SparseLaws

    @property
    def n_variables(self) -> int:
        return self.reduction.data.n_variables
