"""`scalesr fit`: from a table to its law."""

from __future__ import annotations

import itertools
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.choose import Choice, checked_choice, take
from scalesr.cli.output import STANDARD_OUTPUT, Delivery, JsonPath, check_targets, say_lines, tell, write_json
from scalesr.cli.progress import show_progress
from scalesr.cli.signals import heard_again, heard_until
from scalesr.cli.table_argument import MissingValues, TablePath, names_in, pairs_in
from scalesr.cli.table_given import InMemory, InPasses, is_in_passes, read_in_memory, read_in_passes
from scalesr.errors import DataError, MissingExtra

if TYPE_CHECKING:
    from scalesr.estimators.regressor import ScaleSRRegressor
    from scalesr.expr.operators import Operators

TIME_LIMIT = 60.0  # seconds, where no limit is given
SAMPLE_ROWS = 20_000  # that a search sees of a table that is read in passes, where nothing else is said


def fit(  # noqa: PLR0913, PLR0917  one argument per option
    table: TablePath,
    target: Annotated[str, typer.Option("--target", metavar="COLUMN", help="The column that the law is for.")] = "",
    features: Annotated[
        str, typer.Option(metavar="A,B,...", help="Columns that the law may use; all other numbers if not given.")
    ] = "",
    drop: Annotated[str, typer.Option(metavar="C,D,...", help="Columns to leave out.")] = "",
    weights: Annotated[str, typer.Option(metavar="COLUMN", help="A column with the weight of each row.")] = "",
    groups: Annotated[
        str,
        typer.Option(
            "--groups", metavar="COLUMN", help="A column that tells groups of rows, with constants of their own."
        ),
    ] = "",
    units: Annotated[
        str,
        typer.Option(
            "--units",
            metavar="A=kg,...",
            help="Units of all columns and the target; none leaves those of the table out.",
        ),
    ] = "",
    noise: Annotated[
        str, typer.Option("--noise", metavar="KIND", help="exact, constant, proportional, mixed, counts, constant:0.1.")
    ] = "auto",
    loss: Annotated[
        str, typer.Option("--loss", metavar="NAME", help="squared, absolute, huber, relative, poisson or logistic.")
    ] = "",
    outliers: Annotated[
        bool, typer.Option("--outliers/--no-outliers", help="Whether rows may be off by far more than the noise.")
    ] = True,
    y_error: Annotated[
        str, typer.Option("--y-error", metavar="COLUMN", help="The target's standard error: a column or a number.")
    ] = "",
    x_error: Annotated[
        str,
        typer.Option(
            "--x-error", metavar="A=0.1,...", help="Standard errors of columns, each a number or a column: x=x_err."
        ),
    ] = "",
    dates: Annotated[
        str, typer.Option("--dates", metavar="UNIT", help="What dates count: auto, seconds, days, years or phase.")
    ] = "auto",
    missing: Annotated[
        str, typer.Option("--missing", metavar="WAY", help="drop leaves rows with a missing cell out, error refuses.")
    ] = "drop",
    missing_values: MissingValues = "auto",
    operators: Annotated[
        str, typer.Option(metavar="NAMES", help="physics, paper, or operators with commas: +,*,exp,sqrt.")
    ] = "physics",
    preset: Annotated[str, typer.Option(help="default, or paper for the paper to the letter.")] = "default",
    search: Annotated[str, typer.Option(help="default, exhaustive, mcts, gp, dsr, nggp or a plug-in.")] = "default",
    generator: Annotated[str, typer.Option(help="auto, network, kernel or a plug-in.")] = "auto",
    max_complexity: Annotated[
        int | None, typer.Option("--max-complexity", min=1, metavar="SIZE", help="No law is longer than this.")
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option("--start", metavar="FORMULA", help="A formula to begin from, k*m1*m2/r^2; may be given again."),
    ] = None,
    template: Annotated[
        str, typer.Option("--template", metavar="LAW", help="A law with holes that are found: a*f(x) + g(y, z).")
    ] = "",
    constraints: Annotated[
        list[str] | None,
        typer.Option("--constraint", metavar="TEXT", help="What the law obeys: 'increasing in x'; may be given again."),
    ] = None,
    choose: Choice = "",
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", min=0.1, metavar="SECONDS", help="At most; 60, or none with --max-work."),
    ] = None,
    max_work: Annotated[
        float | None,
        typer.Option(
            "--max-work", min=0.001, metavar="UNITS", help="Fits of a formula to 1000 rows; the same on every machine."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same law.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=-1, help="Cores to use; -1 is all.")] = 1,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="HTML", help="Write a report to this file.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="JSON", help="Write the law to this file.")] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep what has been done in this file, or go on from there."),
    ] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Begin anew where the checkpoint exists.")] = False,
    sample_rows: Annotated[
        int | None,
        typer.Option(
            "--sample-rows", min=1, metavar="ROWS", help="Read Parquet in passes; the search sees so many rows: 20000."
        ),
    ] = None,
    json: JsonPath = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")] = False,
) -> None:
    """Find the law behind a column of a table.

    Progress goes to standard error, the result to standard output. Ctrl-C ends the search and
    prints the best law so far. The law is printed before any file is written.

    \b
    Examples:
      scalesr fit planets.csv --target P
      scalesr fit wind.xlsx --target power --drop date --time-limit 300
      scalesr fit runs.parquet --target yield --report runs.html --save law.json
      scalesr fit fall.csv --target h --units v0=m/s,t=s,h=m
      scalesr fit decays.csv --target counts --groups sample
      scalesr fit big.csv --target y --time-limit 36000 --checkpoint big.run
      scalesr fit folder-of-parquet --target y --sample-rows 50000
      zcat runs.csv.gz | scalesr fit - --target yield --json | jq .law
    """
    from scalesr.tables import Wanted

    chosen = (names_in(features), names_in(drop), weights or None)
    wanted = Wanted(
        target, *chosen, dates=dates, missing=missing, y_error=y_error, groups=groups, x_error=pairs_in(x_error)
    )
    table_given: InMemory | InPasses
    if is_in_passes(table, sample_rows):
        table_given = read_in_passes(table, wanted, report=report, quiet=quiet)
    else:
        table_given = read_in_memory(table, wanted, missing_values, quiet=quiet)
    targets = {"--save": save, "--report": report, "--json": json, "--checkpoint": checkpoint}
    check_targets(targets, [table])
    check_report(report)
    checked_choice(choose)
    seconds = TIME_LIMIT if time_limit is None and max_work is None else time_limit

    from scalesr.cli.outcome import NOTHING_FOUND
    from scalesr.estimators.regressor import ScaleSRRegressor  # loads the compiler; --help does without
    from scalesr.estimators.units import named_units
    from scalesr.estimators.values import values_of
    from scalesr.records.discovery import Verdict

    known, about_units = table_given.units(units)
    if not quiet:
        tell(about_units, indent="  ")
    model = ScaleSRRegressor(
        units=known,
        noise=noise,
        outliers="auto" if outliers else False,
        loss=loss or None,
        start=start,
        template=template or None,
        constraints=constraints,
        preset=preset, operators=operators_called(operators), search=search, generator=generator,
        time_limit=seconds, max_work=max_work, max_complexity=max_complexity, n_jobs=jobs, random_state=seed,
        checkpoint=checkpoint, sample_rows=SAMPLE_ROWS if sample_rows is None else sample_rows,
    )  # fmt: skip
    with (
        heard_until(lambda: "discovery_" in vars(model)),
        _begun_anew(checkpoint if restart else None),
        show_progress(quiet=quiet) as told,
    ):
        table_given.fit(model.set_params(verbose=told or 0))
    take(model.set_params(verbose=0), choose)
    (discovery,) = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    delivery = Delivery()
    with delivery.part():
        _tell_result(model, table_given.target, json, time_limit=seconds, saved=save)
    with delivery.part():
        _write(
            json,
            values_of(discovery, table_given.target, named_units(known))
            | {"table": table_given.description, "notes": table_given.notes},
        )
    with delivery.part():
        _save(model, save, quiet=quiet)
    with delivery.part(), heard_again():
        _write_report(report, model, table_given, quiet=quiet)
    delivery.close()
    if discovery.verdict in (Verdict.NO_LAW, Verdict.NOT_TRIED):
        raise typer.Exit(NOTHING_FOUND)


def _write(path: Path | None, values: dict[str, object]) -> None:
    if path is not None:
        write_json(path, values)


def _save(model: ScaleSRRegressor, path: Path | None, *, quiet: bool) -> None:
    if path is not None:
        model.save(path)
        tell([] if quiet else [f"Saved in {path}."])


def _tell_result(
    model: ScaleSRRegressor, target: str, json: Path | None, *, time_limit: float | None, saved: Path | None
) -> None:
    """Print the law, its verdict and the next step, unless standard output is for JSON."""
    from scalesr.cli.outcome import lines_of, next_step
    from scalesr.estimators.units import named_units

    discovery = model.discovery_[0] if isinstance(model.discovery_, tuple) else model.discovery_
    if json != STANDARD_OUTPUT:
        after = next_step(discovery, saved=None if saved is None else shlex.quote(str(saved)), time_limit=time_limit)
        lines = lines_of(discovery, target, after, named_units(model.units))
        compared = [step.summary for step in discovery.trace if step.stage in ("start", "constraints")]
        say_lines([*lines[:-2], *([""] if compared else []), *compared, *lines[-2:]])


def operators_called(names: str) -> Operators:
    """A set of operators from presets and names between commas."""
    from scalesr.estimators.plugins import operators_of

    return operators_of(list(names_in(names)) or "physics")


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["scalesr", *sys.argv[1:]])


def check_report(path: Path | None) -> None:
    """Refuse a report where nothing can be drawn."""
    if path is not None and find_spec("matplotlib") is None:
        raise MissingExtra("Reports need matplotlib: pip install 'scalesr[plot]'.")


def _write_report(path: Path | None, model: ScaleSRRegressor, given: InMemory | InPasses, *, quiet: bool) -> None:
    if path is None or isinstance(given, InPasses):
        return
    rows = given.rows
    from scalesr.estimators.fit_rows import labels_of
    from scalesr.estimators.frames import named_rows
    from scalesr.report import write_report

    X, y = named_rows(rows.X, rows.names, rows.y, rows.target)
    (discovery,) = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    labels = labels_of(discovery, rows)
    write_report(path, model, X, y, command=command_line(), sample_weight=rows.weights, groups=labels)
    tell([] if quiet else [f"Saved in {path}."])


def _free_name(place: Path) -> Path:
    """A name beside a file that no other file has."""
    names = (f"{place.name}.before{count or ''}" for count in itertools.count())
    return next(path for path in map(place.with_name, names) if not os.path.lexists(path))


@contextmanager
def _begun_anew(checkpoint: Path | None) -> Iterator[None]:
    """A block in which a checkpoint is not there; it is lost when the block has made its own, and not before."""
    from scalesr.model_files.checkpoint import is_checkpoint

    if checkpoint is None or not checkpoint.exists():
        yield
        return
    if not is_checkpoint(checkpoint):
        raise DataError(f"{checkpoint} is no checkpoint, so that --restart does not remove it; choose another file.")
    place = checkpoint.resolve()
    aside = _free_name(place)
    place.replace(aside)
    try:
        yield
    finally:
        if place.exists():
            aside.unlink(missing_ok=True)
        else:
            aside.replace(place)
