"""The search of a run: the estimator on the run's table, with its progress, checkpoint and law in the folder."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

import numpy as np

from scalesr.estimators.constraints import read_constraints
from scalesr.estimators.dynamics import ScaleSRDynamics
from scalesr.estimators.fit_rows import fit_rows, labels_of
from scalesr.estimators.frames import frame_of as trajectory_frame
from scalesr.estimators.groups import require_plain
from scalesr.estimators.parameters import settings_of
from scalesr.estimators.plugins import operators_of
from scalesr.estimators.regressor import ScaleSRRegressor
from scalesr.estimators.starts import read_start
from scalesr.estimators.templates import frame_of
from scalesr.estimators.told_units import NONE, units_of
from scalesr.estimators.values import finite
from scalesr.records.discovery import Discovery, Verdict
from scalesr.records.outcome import Ending
from scalesr.report.law_on_rows import LawOnRows
from scalesr.runs.plan import Plan
from scalesr.runs.progress import ProgressFile
from scalesr.runs.run import RunFolder
from scalesr.runs.state import Phase
from scalesr.runs.view import motion_view, table_view
from scalesr.tables import ChosenRows, choose_rows, read_table

Listening = Callable[[RunFolder], AbstractContextManager[None]]

LEAST_SHARE: Final = 0.25  # of the time limit, for a run that goes on: what a checkpoint does not keep is done again


def rows_of(run: RunFolder, plan: Plan) -> ChosenRows:
    """The rows of a run's table that its plan chooses."""
    return choose_rows(read_table(run.table, run.name), plan.wanted)


def require_sense(plan: Plan, names: Sequence[str] = ()) -> None:
    """Refuse settings of a table's law that cannot be followed, before a process is begun for them.

    `names` are the columns as the law will call them; without them what is said of columns is looked at later.
    """
    model = ScaleSRRegressor(units=None if plan.units == NONE else plan.units or None, **plan.parameters)
    settings = settings_of(model.get_params(deep=False))
    if plan.groups:
        require_plain(settings)
    if names:
        frame_of(settings.template, names)
        read_constraints(settings.constraints, names, plan.target)
        for text in settings.formulas:
            read_start(text, names)


def find_law(run: RunFolder, plan: Plan, listening: Listening) -> None:
    """Look for the law of a column, and keep it."""
    rows, description, remarks = _understood(run, plan)
    units, about_units = units_of(rows, plan.units)
    notes = [*remarks, *rows.notes, *about_units]
    spent = run.state.seconds
    progress = ProgressFile(run, before=spent, limit=plan.time_limit)
    model = ScaleSRRegressor(
        **plan.parameters, units=units, checkpoint=run.checkpoint if run.can_go_on and not rows.categories else None,
        verbose=progress,
    )  # fmt: skip
    started = time.monotonic()

    def seconds() -> float:
        return spent + time.monotonic() - started

    with _counted(run, seconds), listening(run):
        limit = plan.time_limit
        fit_rows(model.set_params(time_limit=_left(limit, spent)), rows, groups=plan.groups, notes=notes)
        while (longer := _longer(run, model, limit)) is not None:
            limit = longer
            progress.begin_again(before=seconds(), limit=limit)
            model.set_params(time_limit=_left(limit, seconds()))
            fit_rows(model, rows, groups=plan.groups, notes=notes)
    model.set_params(verbose=0, time_limit=limit)
    model.save(run.law)
    discovery = _discovery(model)
    drawn = _drawn(discovery, rows)
    told = {"table": description, "notes": notes}
    run.set_values("view", table_view(discovery, drawn) | told)
    share = drawn.error / (float(np.std(rows.y)) or 1.0)
    run.set_values("summary", _summary([(rows.target, discovery)], share) | {"n_rows": len(rows.y)})
    run.set_state(Phase.DONE, _ended([discovery], limit), seconds=seconds())


def _understood(run: RunFolder, plan: Plan) -> tuple[ChosenRows, str, Sequence[str]]:
    """The rows, and what there is to say of their table, which is not kept beside them: it may be large."""
    table = read_table(run.table, run.name)
    return choose_rows(table, plan.wanted), table.description, table.notes


def _longer(run: RunFolder, model: ScaleSRRegressor, limit: float) -> float | None:
    """The time that was added to a run while its search was under way, where that has ended for want of it."""
    plan = run.plan
    if plan is None or plan.time_limit <= limit or _discovery(model).ending is not Ending.TIME:
        return None
    return plan.time_limit


def _discovery(model: ScaleSRRegressor) -> Discovery:
    assert isinstance(model.discovery_, Discovery)
    return model.discovery_


def _drawn(discovery: Discovery, rows: ChosenRows) -> LawOnRows:
    """The rows as a law's equation takes them: with the constants of each row's group, where it has some."""
    taken = discovery.taken
    table = taken.with_constants(rows.X, labels_of(discovery, rows))
    return LawOnRows.of(discovery.equation, table, rows.y, rows.target, rows.weights)


def find_motion(run: RunFolder, plan: Plan, listening: Listening) -> None:
    """Look for laws of motion, and keep them."""
    frame, columns = trajectories_of(run, plan)
    spent = run.state.seconds
    model = ScaleSRDynamics(
        order=plan.order, operators=operators_of(*plan.operators), time_limit=plan.time_limit, random_state=plan.seed,
        verbose=ProgressFile(run, before=spent, limit=plan.time_limit),
    )  # fmt: skip
    started = time.monotonic()

    def seconds() -> float:
        return spent + time.monotonic() - started

    with _counted(run, seconds), listening(run):
        model.fit(frame, states=plan.states, **columns)
    model.set_params(verbose=0)
    model.save(run.law)
    states = model.state_names_[: len(plan.states)]
    run.set_values("view", motion_view(model.compare(frame, **columns), states))
    found = [discovery for _, discovery in model.shown_laws()]
    run.set_values("summary", _summary(model.shown_laws()))
    run.set_state(Phase.DONE, _ended(found, plan.time_limit), seconds=seconds())


def trajectories_of(run: RunFolder, plan: Plan) -> tuple[Any, dict[str, Any]]:
    """The trajectories of a run's table, and how its columns are used."""
    columns = {"time": plan.time, "trajectory": plan.trajectory or None}
    return trajectory_frame(read_table(run.table, run.name), plan.states, plan.time, columns["trajectory"]), columns


def _left(limit: float, spent: float) -> float:
    """The time that a run has left."""
    return max(limit - spent, LEAST_SHARE * limit)


@contextmanager
def _counted(run: RunFolder, seconds: Callable[[], float]) -> Iterator[None]:
    """A block whose time counts as the run's, however it ends."""
    try:
        yield
    finally:
        run.set_state(Phase.RUNNING, seconds=seconds())


def _summary(laws: list[tuple[str, Discovery]], share: float | None = None) -> dict[str, Any]:
    """What lists of runs show; `share` is the error as a share of the target's standard deviation."""
    text = "; ".join(f"{left} = {discovery.equation.rounded()}" for left, discovery in laws)
    verdicts = dict.fromkeys(str(discovery.verdict) for _, discovery in laws)
    about: dict[str, Any] = {"law": text, "verdict": ", ".join(verdicts)}
    about["share"] = share if share is not None and share < np.inf else None
    if len(laws) == 1:
        ((_, found),) = laws
        about |= {"probability": found.probability, "complexity": found.taken.complexity}
        about["error"] = finite(math.sqrt(found.taken.loss))
    return about


def _ended(found: list[Discovery], limit: float) -> str:
    """Why the search ended; its limit is that of the whole run, of which the last process had a part perhaps."""
    if any(one.ending is Ending.INTERRUPTED for one in found):
        was_early = any(one.verdict is Verdict.NOT_TRIED for one in found)
        return (
            "It was stopped before anything was tried." if was_early else "It was stopped; this is the best law so far."
        )
    return f"Its time is up: {limit:g} s." if found[0].ending is Ending.TIME else found[0].ended
