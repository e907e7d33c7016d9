"""`scalesr fit`: from a table to its law."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.checkpoint_aside import begun_anew
from scalesr.cli.choose import Choice, checked_choice, take
from scalesr.cli.law_files import LawFiles, discovery_of
from scalesr.cli.options import (
    ColumnErrors,
    ConstraintTexts,
    Dates,
    Drop,
    Features,
    GeneratorName,
    Loss,
    MaxComplexity,
    MaxWork,
    Missing,
    NoiseKind,
    OperatorNames,
    Outliers,
    Preset,
    Quiet,
    ReportPath,
    SavePath,
    SearchName,
    Seed,
    StartingFormulas,
    TargetError,
    TemplateText,
    TimeLimit,
    UnitsGiven,
    Weights,
    operators_called,
    seconds_for,
)
from scalesr.cli.output import JsonPath, tell
from scalesr.cli.progress import show_progress
from scalesr.cli.signals import heard_until
from scalesr.cli.table_argument import MissingValues, TablePath, names_in, pairs_in
from scalesr.cli.table_given import read_given

TIME_LIMIT = 60.0  # seconds, where no limit is given
SAMPLE_ROWS = 20_000  # that a search sees of a table that is read in passes, where nothing else is said


def fit(  # noqa: PLR0913, PLR0917  one argument per option
    table: TablePath,
    target: Annotated[str, typer.Option("--target", metavar="COLUMN", help="The column that the law is for.")] = "",
    features: Features = "",
    drop: Drop = "",
    weights: Weights = "",
    groups: Annotated[
        str,
        typer.Option(
            "--groups", metavar="COLUMN", help="A column that tells groups of rows, with constants of their own."
        ),
    ] = "",
    units: UnitsGiven = "",
    noise: NoiseKind = "auto",
    loss: Loss = "",
    outliers: Outliers = True,
    y_error: TargetError = "",
    x_error: ColumnErrors = "",
    dates: Dates = "auto",
    missing: Missing = "drop",
    missing_values: MissingValues = "auto",
    operators: OperatorNames = "physics",
    preset: Preset = "default",
    search: SearchName = "default",
    generator: GeneratorName = "auto",
    max_complexity: MaxComplexity = None,
    start: StartingFormulas = None,
    template: TemplateText = "",
    constraints: ConstraintTexts = None,
    choose: Choice = "",
    time_limit: TimeLimit = None,
    max_work: MaxWork = None,
    seed: Seed = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=-1, help="Cores to use; -1 is all.")] = 1,
    report: ReportPath = None,
    save: SavePath = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep progress in this file, or resume from it."),
    ] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Start over although the checkpoint exists.")] = False,
    sample_rows: Annotated[
        int | None,
        typer.Option(
            "--sample-rows",
            min=1,
            metavar="ROWS",
            help="Read Parquet in passes; how many rows the search sees (20000).",
        ),
    ] = None,
    json: JsonPath = None,
    quiet: Quiet = False,
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

    wanted = Wanted(
        target, names_in(features), names_in(drop), weights or None,
        dates=dates, missing=missing, y_error=y_error, groups=groups, x_error=pairs_in(x_error),
    )  # fmt: skip
    given = read_given(table, wanted, missing_values, sample_rows, report=report, quiet=quiet)
    files = LawFiles(save, report, json, checkpoint, quiet)
    files.check(table)
    checked_choice(choose)
    seconds = seconds_for(time_limit, max_work, TIME_LIMIT)

    from scalesr.cli.outcome import NOTHING_FOUND
    from scalesr.estimators.regressor import ScaleSRRegressor  # loads the compiler; --help does without
    from scalesr.records.discovery import Verdict

    known, about_units = given.units(units)
    if not quiet:
        tell(about_units, indent="  ")
    model = ScaleSRRegressor(
        units=known, noise=noise, outliers="auto" if outliers else False, loss=loss or None,
        start=start, template=template or None, constraints=constraints,
        preset=preset, operators=operators_called(operators), search=search, generator=generator,
        time_limit=seconds, max_work=max_work, max_complexity=max_complexity, n_jobs=jobs, random_state=seed,
        checkpoint=checkpoint, sample_rows=SAMPLE_ROWS if sample_rows is None else sample_rows,
    )  # fmt: skip
    with (
        heard_until(lambda: "discovery_" in vars(model)),
        begun_anew(checkpoint if restart else None),
        show_progress(quiet=quiet) as told,
    ):
        given.fit(model.set_params(verbose=told or 0))
    take(model.set_params(verbose=0), choose)
    files.deliver(model, given, time_limit=seconds)
    if discovery_of(model).verdict in (Verdict.NO_LAW, Verdict.NOT_TRIED):
        raise typer.Exit(NOTHING_FOUND)
