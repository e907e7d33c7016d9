"""The method, readable aloud: make the problem as small as its rows allow, then search one variable at a time."""

from __future__ import annotations

import numpy as np

from scalesr.pipeline.paper import discover_as_in_the_paper
from scalesr.pipeline.run import Run
from scalesr.pipeline.steps import (
    PlainLaws,
    in_usual_units,
    leading_columns,
    search_all_variables,
    search_by_control_variables,
    search_rows,
    shrunk,
    weigh_rows,
    with_enough_columns,
    with_needed,
    without_irrelevant,
)
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery
from scalesr.records.engine import ready_engine
from scalesr.reduce.leading import Leading
from scalesr.reduce.reduction import Reduction
from scalesr.search.linear.blas import one_thread


def discover(
    data: Dataset, settings: Settings, *, rng: np.random.Generator, progress: Report | None = None
) -> Discovery:
    """Find the law behind a table; the engine is made ready before the clock starts."""
    ready_engine(progress)
    if settings.preset == "paper":
        return discover_as_in_the_paper(data, settings, rng=rng, progress=progress)
    with one_thread():  # the linear algebra of small problems, whose last digits then depend on nothing
        run = Run(data, settings, rng=rng, progress=progress)
        with run.until_settled():
            run.offer(settings.start)
            look(run)
        return run.concluded()


def opening(run: Run) -> tuple[Reduction, Leading, PlainLaws]:
    """The rows in usual units, the columns that are looked at first, and a first look for plain laws of these."""
    here = in_usual_units(run)
    few = leading_columns(run, here)
    plain = PlainLaws(run, few.reduction)
    plain.look_once()
    return here, few, plain


def look(run: Run) -> None:
    """Propose laws until one is exact; what is cheap comes first, and small problems before large ones."""
    here, few, plain = opening(run)
    if weigh_rows(run):
        here, few, plain = opening(run)
    enough = with_enough_columns(run, here, few)
    problems = [] if enough.is_enough else [(here, PlainLaws(run, here))]
    for _, all_columns in problems:
        all_columns.look_once()
    if enough.reduction is few.reduction:
        problems.append((enough.reduction, plain))
    else:
        problems.append((enough.reduction, PlainLaws(run, enough.reduction)))
    relevant = without_irrelevant(run, enough.reduction)
    if relevant is not enough.reduction:  # which a small effect may belie, so the larger problem is kept for later
        problems.append((relevant, PlainLaws(run, relevant)))
    while (smaller := shrunk(run, problems[-1][0])) is not None:
        needed = with_needed(run, smaller, enough.reduction)
        problems.append((needed, PlainLaws(run, needed)))
        problems[-1][1].look_once()
    chains = []
    for problem, plain in reversed(problems):
        plain.look_on()
        run.stop_if_found()
        if problem.data.n_variables == 1:
            search_rows(run, problem)
            run.stop_if_found()
        chains.append(search_by_control_variables(run, problem) if problem.data.n_variables > 1 else None)
    run.stop_if_found(was_complete=problems[-1][0].data.n_variables == 1)
    search_all_variables(run, *problems[-1], chains[0])
