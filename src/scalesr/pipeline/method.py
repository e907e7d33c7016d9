"""The method, in plain steps: make the problem as small as its rows allow, then search one variable at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.chain import ChainResult
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
from scalesr.reduce.view import has_heavy_tails, logarithmic_view
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

    `again` makes a new start where rows turn out not to count alike.
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
    *others, opened = begun
    search_by_parts(run, opened.few.reduction)
    if has_heavy_tails(opened.here.data.y):  # on every scale: no function can be learned: first what needs none
        opened.plain.look_fully()
    if weigh_rows(run, opened.here.data if others else run.data, opened.slopes):
        *others, opened = again()
    if run.has_noise and opened.few.reduction.data.n_variables > 1:
        breed(run, opened.few.reduction, opened.plain)  # before transformations, which noise may mislead
        revise(run)
    problems = with_columns_that_matter(run, others, opened)
    go_down(run, problems)
    if run.has_noise:
        look_under_noise(run, problems)
    search_every(run, problems)


@dataclass(frozen=True, slots=True, eq=False)
class Subproblem:
    """Rows with fewer columns, and the sparse laws of them."""

    reduction: Reduction
    plain: SparseLaws

    @property
    def n_variables(self) -> int:
        return self.reduction.data.n_variables


@dataclass(frozen=True, slots=True)
class Subproblems:
    """The problems that a run begins with, the widest first, and those that transformations lead to."""

    begun: list[Subproblem]
    wider: Reduction  # the columns that a transformation may turn out to need
    moved: dict[Key, Subproblem]

    @property
    def origin(self) -> Subproblem:
        """What transformations begin with."""
        return self.begun[-1]

    @property
    def smallest_first(self) -> list[Subproblem]:
        """Those that transformations lead to, and then those they begin with."""
        return [*sorted(self.moved.values(), key=lambda problem: problem.n_variables), *reversed(self.begun)]


def with_columns_that_matter(run: Run, others: list[Opening], opened: Opening) -> Subproblems:
    """The leading columns, more where they are not enough, and the same without those that do not matter."""
    enough = with_enough_columns(run, opened.here, opened.few)
    begun = [Subproblem(one.few.reduction, one.plain) for one in others]
    if not enough.is_enough:
        begun.append(Subproblem(opened.here, SparseLaws(run, opened.here)))
        begun[-1].plain.look_once()
    is_known = enough.reduction is opened.few.reduction
    begun.append(Subproblem(enough.reduction, opened.plain if is_known else SparseLaws(run, enough.reduction)))
    relevant = without_irrelevant(run, enough.reduction)
    if relevant is not enough.reduction:  # which a small effect may belie, so the larger problem is kept for later
        begun.append(Subproblem(relevant, SparseLaws(run, relevant)))
    return Subproblems(begun, enough.reduction, {})


def go_down(run: Run, problems: Subproblems) -> None:
    """Make the problem smaller, transformation by transformation.

    Under noise a transformation may be owed to chance: the way down is gone more than once then, a transformation
    to a problem that is not known yet comes before others, and what is new is looked at, the smallest first.
    """
    here, new = _shrunk(run, problems, problems.origin.reduction)
    if here.data.n_variables > 1 and (logged := logarithmic_view(here, run.settings.operators)) is not None:
        new += _shrunk(run, problems, logged)[1]  # what a law has in an exponent shows no symmetry outside of it
    if run.has_noise:
        for problem in reversed(new):
            look_at(run, problem)


def _shrunk(run: Run, problems: Subproblems, start: Reduction) -> tuple[Reduction, list[Subproblem]]:
    """The smallest problem that transformations lead to from a start, and those on the way that are new."""
    here, new = start, list[Subproblem]()
    while (moved := with_fewer_columns(run, here, problems.moved)) is not None:
        here = with_needed(run, moved, problems.wider)
        if here.key not in problems.moved:
            new.append(Subproblem(here, SparseLaws(run, here)))
            new[-1].plain.look_once()
            problems.moved[here.key] = new[-1]
    return here, new


def look_under_noise(run: Run, problems: Subproblems) -> None:
    """Transformations may mislead under noise, so that no problem waits until all has been done for a smaller one."""
    breed_and_revise(run, problems.origin, PIPELINE.bred_under_noise)
    if problems.moved:
        breed_and_revise(run, problems.smallest_first[0], PIPELINE.bred_under_noise)
    for _ in range(PIPELINE.ways_under_noise - 1):
        go_down(run, problems)
        revise(run)
    for problem in reversed(problems.begun):
        look_at(run, problem)
    breed_and_revise(run, problems.smallest_first[0], PIPELINE.bred_under_noise)


def breed_and_revise(run: Run, problem: Subproblem, n_fits: int) -> None:
    """Many formulas in all variables of a problem, and the best laws with their parts found again."""
    if problem.n_variables > 1:
        breed(run, problem.reduction, problem.plain, n_fits)
    revise(run)


def search_every(run: Run, problems: Subproblems) -> None:
    """Every search of every problem, the smallest first, and in the end all variables at once for as long as it takes.

    A full look for sparse laws may take half a minute, so that what is as promising comes before it. Formulas are bred
    before curves are searched, but for the user's own search or function: what was asked for comes first.
    """
    every, chains = problems.smallest_first, list[ChainResult | None]()
    is_usual = run.settings.search == "default" and run.settings.generator == "auto"
    for problem in every:
        if problem.n_variables == 1:
            problem.plain.look_fully()
            run.stop_if_found()
            search_rows(run, problem.reduction)
            run.stop_if_found()
            chains.append(None)
            continue
        problem.plain.look_quickly()
        is_bred = problem in (every[0], problems.origin)
        if is_bred and is_usual:
            breed_and_revise(run, problem, PIPELINE.bred_at_once)
        chains.append(search_by_control_variables(run, problem.reduction))
        if is_bred and not is_usual:
            breed_and_revise(run, problem, PIPELINE.bred_at_once)
        problem.plain.look_fully()
        run.stop_if_found()
    run.stop_if_found(was_complete=every[0].n_variables == 1)
    search_all_variables(run, every[0].reduction, every[0].plain, chains[0])


def look_at(run: Run, problem: Subproblem) -> None:
    """Quick looks at a problem; where one variable is left, every look and a search of all small forms in it."""
    problem.plain.look_quickly()
    if problem.n_variables == 1:
        problem.plain.look_fully()
        run.stop_if_found()
        search_small_forms(run, problem.reduction)
        run.stop_if_found()
