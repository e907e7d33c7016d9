"""`scalesr fit`: from a table to its law."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, write_json
from scalesr.cli.progress import show_progress
from scalesr.cli.table_argument import TablePath, names_in, read_argument, tell
from scalesr.errors import DataError, MissingExtra, SettingError

if TYPE_CHECKING:
    from scalesr.estimators.regressor import ScaleSRRegressor
    from scalesr.expr.operators import Operators
    from scalesr.records.discovery import Discovery
    from scalesr.tables import Rows, Table


def fit(  # noqa: PLR0913, PLR0917  one argument per option
    table: TablePath,
    target: Annotated[str, typer.Option("--target", metavar="COLUMN", help="The column that the law is for.")] = "",
    features: Annotated[
        str, typer.Option(metavar="A,B,...", help="Columns that the law may use; all other numbers if not given.")
    ] = "",
    drop: Annotated[str, typer.Option(metavar="C,D,...", help="Columns to leave out.")] = "",
    weights: Annotated[str, typer.Option(metavar="COLUMN", help="A column with the weight of each row.")] = "",
    operators: Annotated[
        str, typer.Option(metavar="NAMES", help="physics, paper, or operators with commas: +,*,exp,sqrt.")
    ] = "physics",
    preset: Annotated[str, typer.Option(help="default, or paper for the paper to the letter.")] = "default",
    search: Annotated[str, typer.Option(help="default, exhaustive, mcts, gp, dsr, nggp or a plug-in.")] = "default",
    generator: Annotated[str, typer.Option(help="auto, network, kernel or a plug-in.")] = "auto",
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.1, metavar="SECONDS", help="At most.")] = 60.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same law.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=-1, help="Cores to use; -1 is all.")] = 1,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="HTML", help="Write a report to this file.")
    ] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="JSON", help="Write the law to this file.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FILE", help="Keep what has been done in this file.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="FILE", help="Go on from such a file, to the same law.")
    ] = None,
    json: JsonPath = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the result alone.")] = False,
) -> None:
    """Find the law behind a column of a table.

    Progress goes to standard error, the result to standard output. Ctrl-C ends the search and
    prints the best law so far.

    \b
    Examples:
      scalesr fit planets.csv --target P
      scalesr fit wind.xlsx --target power --drop date --time-limit 300
      scalesr fit runs.parquet --target yield --report runs.html --save law.json
      scalesr fit big.csv --target y --time-limit 36000 --checkpoint big.run
      zcat runs.csv.gz | scalesr fit - --target yield --json | jq .law
    """
    read = read_argument(table, quiet=quiet)
    rows = _rows(read, target, names_in(features), names_in(drop), weights or None)
    if not quiet:
        tell(rows.notes, indent="  ")
    for path in (report, save, checkpoint):
        _check_folder(path)
    kept = _checkpoint(checkpoint, resume)

    from scalesr.cli.outcome import NOTHING_FOUND, values_of
    from scalesr.estimators.regressor import ScaleSRRegressor  # loads the compiler; --help does without
    from scalesr.records.discovery import Verdict

    model = ScaleSRRegressor(
        preset=preset, operators=operators_called(operators), search=search, generator=generator,
        time_limit=time_limit, n_jobs=jobs, random_state=seed, checkpoint=kept,
    )  # fmt: skip
    with show_progress(quiet=quiet) as told:
        _fitted(model.set_params(verbose=told or 0), rows)
    model.set_params(verbose=0)
    (discovery,) = model.discovery_ if isinstance(model.discovery_, tuple) else (model.discovery_,)
    if save is not None:
        model.save(save)
    if report is not None:
        _write_report(report, model, rows)
    _tell_result(discovery, rows, json, time_limit=time_limit, saved=save)
    if json is not None:
        write_json(json, values_of(discovery, rows.target) | {"table": read.description, "notes": _notes(read, rows)})
    if not quiet:
        tell(f"Saved in {path}." for path in (report, save) if path is not None)
    if discovery.verdict is Verdict.NO_LAW:
        raise typer.Exit(NOTHING_FOUND)


def _tell_result(discovery: Discovery, rows: Rows, json: Path | None, *, time_limit: float, saved: Path | None) -> None:
    """Print the law, its verdict and the next step, unless standard output is for JSON."""
    from scalesr.cli.outcome import lines_of, next_step

    if json != STANDARD_OUTPUT:
        after = next_step(discovery, saved=None if saved is None else shlex.quote(str(saved)), time_limit=time_limit)
        typer.echo("\n".join(lines_of(discovery, rows.target, after)))


def operators_called(names: str) -> Operators:
    """A set of operators from presets and names between commas."""
    from scalesr.estimators.plugins import operators_of

    return operators_of(*(names_in(names) or ("physics",)))


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["scalesr", *sys.argv[1:]])


def _rows(table: Table, target: str, features: tuple[str, ...], drop: tuple[str, ...], weights: str | None) -> Rows:
    from scalesr.tables import choose_rows

    if not target:
        named = ", ".join(table.names[:8]) + (" ..." if len(table.names) > 8 else "")
        raise SettingError(f"Say which column the law is for: --target COLUMN; {table.source} has {named}.")
    return choose_rows(table, target=target, features=features, drop=drop, weights=weights)


def _notes(table: Table, rows: Rows) -> list[str]:
    return [*table.notes, *rows.notes]


def _fitted(model: ScaleSRRegressor, rows: Rows) -> None:
    from scalesr.estimators.frames import named_rows

    X, y = named_rows(rows.X, rows.names, rows.y, rows.target)
    model.fit(X, y, rows.weights)


def _write_report(path: Path, model: ScaleSRRegressor, rows: Rows) -> None:
    from scalesr.estimators.frames import named_rows

    try:
        from scalesr.report import write_report
    except ModuleNotFoundError as error:
        raise MissingExtra("Reports need matplotlib: pip install 'scalesr[plot]'.") from error
    X, y = named_rows(rows.X, rows.names, rows.y, rows.target)
    write_report(path, model, X, y, command=command_line(), sample_weight=rows.weights)


def _checkpoint(fresh: Path | None, resumed: Path | None) -> Path | None:
    """The file of a run: a new one, or one that is there already."""
    from scalesr.model_files.checkpoint import is_checkpoint

    if fresh is not None and resumed is not None:
        raise SettingError("Give --checkpoint FILE to begin or --resume FILE to go on, not both.")
    if resumed is not None:
        if not resumed.is_file():
            raise DataError(f"There is no checkpoint {resumed}; begin with --checkpoint {resumed}.")
        return resumed
    if fresh is not None and fresh.exists():
        if not is_checkpoint(fresh):
            raise DataError(f"{fresh} is there and is no checkpoint; choose another file for --checkpoint.")
        fresh.unlink()
    return fresh


def _check_folder(path: Path | None) -> None:
    """A file that cannot be written is found out before the work, not after."""
    if path is not None and not path.resolve().parent.is_dir():
        raise DataError(f"{path} cannot be written: there is no folder {path.resolve().parent}.")
