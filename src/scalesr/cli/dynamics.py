"""`scalesr dynamics`: from a table of trajectories to their laws of motion."""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scalesr.cli.options import MaxWork, Quiet, ReportPath, SavePath, Seed, seconds_for
from scalesr.cli.output import STANDARD_OUTPUT, Delivery, JsonPath, check_targets, say_lines, tell, write_json
from scalesr.cli.progress import show_progress
from scalesr.cli.reporting import command_line
from scalesr.cli.signals import heard_again, heard_until
from scalesr.cli.table_argument import TablePath, names_in, read_argument

if TYPE_CHECKING:
    from scalesr.estimators.dynamics import ScaleSRDynamics
    from scalesr.records.budget import Progress, Report

TIME_LIMIT = 300.0  # seconds, where no limit is given
SECONDS_BETWEEN = 5.0  # reports of the search


@dataclass(frozen=True, slots=True)
class MotionFiles:
    """Where laws of motion go."""

    json: Path | None
    save: Path | None
    plot: Path | None
    report: Path | None
    quiet: bool

    def check(self, table: Path) -> None:
        """Refuse files that cannot be written, before any work is done for them."""
        targets = {"--save": self.save, "--plot": self.plot, "--report": self.report, "--json": self.json}
        check_targets(targets, [table])


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
        typer.Option("--time-limit", min=0.1, metavar="SECONDS", help="Limit; 300, or none with --max-work."),
    ] = None,
    max_work: MaxWork = None,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=-1, help="Processes; -1 is one per core.")] = 1,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="PICTURE", help="Draw trajectories into this SVG or PNG file.")
    ] = None,
    report: ReportPath = None,
    save: SavePath = None,
    json: JsonPath = None,
    quiet: Quiet = False,
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
    files = MotionFiles(json, save, plot, report, quiet)
    files.check(table)
    read = read_argument(table, quiet=quiet)

    from scalesr.cli.outcome import NOTHING_FOUND
    from scalesr.estimators.dynamics import ScaleSRDynamics  # loads the compiler; --help does without
    from scalesr.estimators.frames import frame_of
    from scalesr.records.discovery import Verdict

    named = (*names_in(states), *names_in(inputs)) if states else ()  # without states all other columns are
    frame = frame_of(read, named, time or None, trajectory or None)
    columns: dict[str, Any] = {"time": time or None, "trajectory": trajectory or None, "inputs": names_in(inputs)}
    seconds = seconds_for(time_limit, max_work, TIME_LIMIT)
    model = ScaleSRDynamics(
        kind=kind, order=order, time_limit=seconds, max_work=max_work, n_jobs=jobs, random_state=seed
    )  # fmt: skip
    with heard_until(lambda: "discoveries_" in vars(model)), show_progress(quiet=quiet) as told:
        model.set_params(verbose=now_and_then(told) if told else 0).fit(
            frame, states=names_in(states) or None, **columns
        )
    model.set_params(verbose=0)
    _deliver(files, model, frame, columns)
    if all(discovery.verdict is Verdict.NO_LAW for _, discovery in model.shown_laws()):
        raise typer.Exit(NOTHING_FOUND)


def _deliver(files: MotionFiles, model: ScaleSRDynamics, frame: Any, columns: dict[str, Any]) -> None:
    """Print the laws and write the files; one that fails costs no other, and is told at the end."""
    delivery = Delivery()
    with delivery.part():
        if files.json != STANDARD_OUTPUT:
            say_lines(_lines(model))
    with delivery.part():
        if files.json is not None:
            write_json(files.json, _values(model))
    with delivery.part():
        if files.save is not None:
            model.save(files.save)
    with delivery.part(), heard_again():
        if files.plot is not None:
            _draw(files.plot, model, frame, columns)
    with delivery.part(), heard_again():
        if files.report is not None:
            _write_report(files.report, model, frame, columns)
    delivery.close()
    if not files.quiet:
        tell(f"Saved in {path}." for path in (files.plot, files.report, files.save) if path is not None)


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
