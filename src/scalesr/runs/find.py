"""The search of a run: the estimator on the run's table, with its progress, checkpoint and law in the folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

import numpy as np

from scalesr.estimators.dynamics import ScaleSRDynamics
from scalesr.estimators.frames import frame_of, named_groups, named_rows
from scalesr.estimators.plugins import operators_of
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.told_units import units_of
from scalesr.records.discovery import Discovery, Verdict
from scalesr.records.outcome import Ending
from scalesr.report.rows import Rows
from scalesr.runs.plan import Plan
from scalesr.runs.progress import ProgressFile
from scalesr.runs.run import Run
from scalesr.runs.state import Phase
from scalesr.runs.view import motion_view, table_view
from scalesr.tables import Rows as TableRows
from scalesr.tables import Wanted, choose_rows, read_table

Listening = Callable[[Run], AbstractContextManager[None]]

LEAST_SHARE: Final = 0.25  # of the time limit, for a run that goes on: what a checkpoint does not keep is done again


def rows_of(run: Run, plan: Plan) -> TableRows:
    """The rows of a run's table that its plan chooses."""
    table = read_table(run.table, run.name)
    wanted = Wanted(target=plan.target, features=plan.features, weights=plan.weights or None, groups=plan.groups)
    return choose_rows(table, wanted)


def find_law(run: Run, plan: Plan, listening: Listening) -> None:
    """Look for the law of a column, and keep it."""
    rows = rows_of(run, plan)
    spent = run.state.seconds
    progress = ProgressFile(run, before=spent)
    units, about_units = units_of(rows, plan.units)
    model = ScaleSRRegressor(
        operators=operators_of(*plan.operators), time_limit=_left(plan, spent), random_state=plan.seed,
        units=units, start=plan.start or None, template=plan.template or None, constraints=plan.constraints or None,
        checkpoint=None if plan.groups else run.checkpoint,  # which laws of groups do not have yet
        verbose=progress,
    )  # fmt: skip
    X, y = named_rows(rows.X, rows.names, rows.y, rows.target)
    started = time.monotonic()
    with _counted(run, spent, started), listening(run):
        model.fit(X, y, rows.weights, groups=named_groups(rows.groups, plan.groups))
    model.set_params(verbose=0, time_limit=plan.time_limit)
    model.save(run.law)
    discovery = model.discovery_
    assert isinstance(discovery, Discovery)
    cells = discovery.taken.with_constants(np.asarray(X), rows.groups)
    drawn = Rows.of(discovery.equation, cells, np.asarray(y), rows.target, rows.weights)
    run.set_values("view", table_view(discovery, drawn) | {"notes": [*rows.notes, *about_units]})
    run.set_values("summary", _summary([(rows.target, discovery)], drawn.error / (float(np.std(rows.y)) or 1.0)))
    run.set_state(Phase.DONE, _ended([discovery]), seconds=spent + time.monotonic() - started)


def find_motion(run: Run, plan: Plan, listening: Listening) -> None:
    """Look for laws of motion, and keep them."""
    frame, columns = trajectories_of(run, plan)
    spent = run.state.seconds
    model = ScaleSRDynamics(
        order=plan.order, operators=operators_of(*plan.operators), time_limit=plan.time_limit, random_state=plan.seed,
        verbose=ProgressFile(run, before=spent),
    )  # fmt: skip
    started = time.monotonic()
    with _counted(run, spent, started), listening(run):
        model.fit(frame, states=plan.states, **columns)
    model.set_params(verbose=0)
    model.save(run.law)
    states = model.state_names_[: len(plan.states)]
    run.set_values("view", motion_view(model.compare(frame, **columns), states))
    found = [discovery for _, discovery in model.shown_laws()]
    run.set_values("summary", _summary(model.shown_laws()))
    run.set_state(Phase.DONE, _ended(found), seconds=spent + time.monotonic() - started)


def trajectories_of(run: Run, plan: Plan) -> tuple[Any, dict[str, Any]]:
    """The trajectories of a run's table, and how its columns are used."""
    columns = {"time": plan.time, "trajectory": plan.trajectory or None}
    return frame_of(read_table(run.table, run.name), plan.states, plan.time, columns["trajectory"]), columns


def _left(plan: Plan, spent: float) -> float:
    """The time that a run has left."""
    return max(plan.time_limit - spent, LEAST_SHARE * plan.time_limit)


@contextmanager
def _counted(run: Run, spent: float, started: float) -> Iterator[None]:
    """A block whose time counts as the run's, however it ends."""
    try:
        yield
    finally:
        run.set_state(Phase.RUNNING, seconds=spent + time.monotonic() - started)


def _summary(laws: list[tuple[str, Discovery]], share: float | None = None) -> dict[str, Any]:
    """What a list of runs shows: the law, its verdict and its error as a share of the target's standard deviation."""
    text = "; ".join(f"{left} = {discovery.equation.rounded()}" for left, discovery in laws)
    verdicts = dict.fromkeys(str(discovery.verdict) for _, discovery in laws)
    return {
        "law": text,
        "verdict": ", ".join(verdicts),
        "share": share if share is not None and share < np.inf else None,
    }


def _ended(found: list[Discovery]) -> str:
    """Why the search ended, for the list of runs."""
    if any(one.ending is Ending.INTERRUPTED for one in found):
        was_early = any(one.verdict is Verdict.NOT_TRIED for one in found)
        return (
            "It was stopped before anything was tried." if was_early else "It was stopped; this is the best law so far."
        )
    return found[0].ended
