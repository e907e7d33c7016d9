"""`scalesr dynamics`: from a table of trajectories to their laws of motion."""

from __future__ import annotations

import math
import time as clock
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scalesr.cli.fit import command_line
from scalesr.cli.output import STANDARD_OUTPUT, Delivery, JsonPath, check_targets, say_lines, tell, write_json
from scalesr.cli.progress import show_progress
from scalesr.cli.signals import heard_again, heard_until
from scalesr.cli.table_argument import TablePath, names_in, read_argument

if TYPE_CHECKING:
    from scalesr.estimators.dynamics import ScaleSRDynamics
    from scalesr.records.budget import Progress, Report

TIME_LIMIT = 300.0  # seconds, where no limit is given
SECONDS_BETWEEN = 5.0  # reports of the search


def dynamics(  # noqa: PLR0913, PLR0917  one argument per option
    table: TablePath,
    time: Annotated[str, typer.Option("--time", metavar="COLUMN", help="The column of times.")] = "",
    trajectory: Annotated[str, typer.Option(metavar="COLUMN", help="A column that tells the runs apart.")] = "",
    states: Annotated[str, typer.Option(metavar="U,V,...", help="The states; all other columns if not given.")] = "",
    inputs: Annotated[str, typer.Option(metavar="A,B,...", help="Known inputs and parameters.")] = "",
    kind: Annotated[str, typer.Option(help="ode for rates, map for the next state.")] = "ode",
    order: Annotated[int, typer.Option(min=1, max=2, help="2 where rates were not measured: x'' = f(x, x').")] = 1,
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", min=0.1, metavar="SECONDS", help="At most; 300, or none with --max-work."),
    ] = None,
    max_work: Annotated[
        float | None,
        typer.Option("--max-work", min=0.001, metavar="UNITS", help="Counted work; the same on every machine."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same laws.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=-1, help="Processes; -1 is one per core.")] = 1,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PICTURE", help="Draw trajectories into this SVG or PNG file.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="HTML", help="Write a report to this file.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="JSON", help="Write the laws to this file.")] = None,
    json: JsonPath = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")] = False,
) -> None:
    """Find the laws of motion behind a table of trajectories.

    The table has a row per measurement: its time, the states and, with several runs, which run it
    belongs to. Progress goes to standard error, the laws to standard output.

    \b
    Examples:
      scalesr dynamics switch.csv --time t --states U,V --trajectory run --report switch.html
      scalesr dynamics growth.csv --time hours --inputs light --save growth.json
      scalesr dynamics pendulum.csv --time t --states angle --order 2
    """
    check_targets({"--save": save, "--plot": plot, "--report": report, "--json": json}, [table])
    read = read_argument(table, quiet=quiet)

    from scalesr.cli.outcome import NOTHING_FOUND
    from scalesr.estimators.dynamics import ScaleSRDynamics  # loads the compiler; --help does without
    from scalesr.estimators.frames import frame_of
    from scalesr.records.discovery import Verdict

    named = (*names_in(states), *names_in(inputs)) if states else ()  # without states all other columns are
    frame = frame_of(read, named, time or None, trajectory or None)
    columns: dict[str, Any] = {"time": time or None, "trajectory": trajectory or None, "inputs": names_in(inputs)}
    seconds = TIME_LIMIT if time_limit is None and max_work is None else time_limit
    model = ScaleSRDynamics(
        kind=kind, order=order, time_limit=seconds, max_work=max_work, n_jobs=jobs, random_state=seed
    )  # fmt: skip
    with heard_until(lambda: "discoveries_" in vars(model)), show_progress(quiet=quiet) as told:
        model.set_params(verbose=now_and_then(told) if told else 0).fit(
            frame, states=names_in(states) or None, **columns
        )
    model.set_params(verbose=0)
    delivery = Delivery()
    with delivery.part():
        if json != STANDARD_OUTPUT:
            say_lines(_lines(model))
    with delivery.part():
        if json is not None:
            write_json(json, _values(model))
    with delivery.part():
        if save is not None:
            model.save(save)
    with delivery.part(), heard_again():
        if plot is not None:
            _draw(plot, model, frame, columns)
    with delivery.part(), heard_again():
        if report is not None:
            _write_report(report, model, frame, columns)
    delivery.close()
    if not quiet:
        tell(f"Saved in {path}." for path in (plot, report, save) if path is not None)
    if all(discovery.verdict is Verdict.NO_LAW for _, discovery in model.shown_laws()):
        raise typer.Exit(NOTHING_FOUND)


def _draw(path: Path, model: ScaleSRDynamics, frame: Any, columns: dict[str, Any]) -> None:
    from scalesr.report.trajectories import write_trajectories

    write_trajectories(path, model.compare(frame, **columns), model.state_names_[: len(model.shown_laws())])


def _write_report(path: Path, model: ScaleSRDynamics, frame: Any, columns: dict[str, Any]) -> None:
    from scalesr.report import write_motion_report

    write_motion_report(path, model, model.compare(frame, **columns), command=command_line())


def _lines(model: ScaleSRDynamics) -> list[str]:
    lines = ["", *str(model).splitlines(), ""]
    for name, (_, discovery) in zip(model.state_names_, model.shown_laws(), strict=False):
        lines.append(f"{name}: {discovery.sentence}")
    return [*lines, *model.statements_]


def now_and_then(report: Report) -> Report:
    """A report that passes on one state of the search every few seconds: every state has searches of its own."""
    last = -math.inf

    def told(progress: Progress) -> None:
        nonlocal last
        if clock.monotonic() - last >= SECONDS_BETWEEN:
            last = clock.monotonic()
            report(progress)

    return told


def _values(model: ScaleSRDynamics) -> dict[str, object]:
    pairs = zip(model.state_names_, model.discoveries_, strict=True)
    return {
        "kind": model.kind,
        "laws": [
            {
                "state": name,
                "law": one.equation.text(),
                "latex": one.equation.latex(),
                "constants": one.equation.constants.tolist(),
                "standard_errors": [
                    error if error < 1e300 else None for error in one.equation.standard_errors.tolist()
                ],
                "verdict": str(one.verdict),
                "reason": one.reason,
            }
            for name, one in pairs
        ],
        "statements": list(model.statements_),
    }
