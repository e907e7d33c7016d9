"""`scalesr batch`: a law for each of many tables."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.fit import TIME_LIMIT
from scalesr.cli.options import (
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
from scalesr.cli.outcome import NOTHING_FOUND
from scalesr.cli.output import (
    BAD_INPUT,
    STANDARD_OUTPUT,
    Delivery,
    JsonPath,
    check_targets,
    say_lines,
    tell,
    tell_over,
    write_json,
)
from scalesr.cli.signals import CutShort, heard_until
from scalesr.cli.table_argument import MissingValues, names_in
from scalesr.errors import SettingError

if TYPE_CHECKING:
    from scalesr.cluster.fit_many import Laws
    from scalesr.cluster.job import BatchLine
    from scalesr.cluster.standing import BatchStanding

SHOWN = 20  # laws that are printed; the summary has all
Option = typer.Option


def batch(  # noqa: PLR0913, PLR0917  one argument per option
    tables: Annotated[
        str, typer.Argument(metavar="FOLDER_OR_GLOB", help="A folder of tables, a pattern in quotes, or one table.")
    ],
    target: Annotated[
        str, Option("--target", metavar="COLUMN", help="Column of each law; several with commas, or 'gene*'.")
    ] = "",
    output: Annotated[
        Path | None,
        Option(
            "--output", metavar="FOLDER", help="Where laws and summary go; a batch that was cut off continues there."
        ),
    ] = None,
    groups: Annotated[str, Option("--groups", metavar="COLUMN", help="A law for each value of this column.")] = "",
    backend: Annotated[
        str, Option("--backend", help="joblib, dask or ray; an address given by --cluster says which.")
    ] = "",
    cluster: Annotated[
        str, Option("--cluster", metavar="ADDRESS", help="dask://HOST:PORT or ray://HOST:PORT; none: this machine.")
    ] = "",
    features: Features = "",
    drop: Drop = "",
    weights: Weights = "",
    units: UnitsGiven = "",
    noise: NoiseKind = "auto",
    loss: Loss = "",
    outliers: Outliers = True,
    y_error: TargetError = "",
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
    time_limit: TimeLimit = None,
    max_work: MaxWork = None,
    seed: Seed = 0,
    jobs: Annotated[int, Option("--jobs", min=-1, help="Workers on this machine; -1 is one per core.")] = -1,
    restart: Annotated[bool, Option("--restart", help="Do everything again.")] = False,
    json: JsonPath = None,
    quiet: Quiet = False,
) -> None:
    """Find a law for each of many tables, targets or groups.

    Each law is in the output folder as soon as it is found, as a file that scalesr show and predict
    read; summary.csv and summary.json list them all, with a sentence where there is none. Started
    again, the same command does what is left to be done. Short tables are done first.

    \b
    Examples:
      scalesr batch runs --target yield --output laws
      scalesr batch 'sensors/*.parquet' --target power --output laws --jobs 4
      scalesr batch cells.csv --target 'gene*' --output laws
      scalesr batch plants.csv --target height --groups species --output laws
      scalesr batch runs --target yield --output laws --cluster dask://10.0.0.5:8786
    """
    if not target:
        raise SettingError("Say which column the laws are for: --target COLUMN.")
    if output is None:
        raise SettingError("Say where the laws go: --output FOLDER.")

    from scalesr.cluster.files import ReadOptions
    from scalesr.cluster.fit_many import fit_many  # loads the compiler; --help does without
    from scalesr.tables import Wanted

    wanted = Wanted(
        "", names_in(features), names_in(drop), weights or None, dates=dates, missing=missing, y_error=y_error
    )
    check_targets({"--json": json}, [Path(tables)])
    all_of_them = partial(
        fit_many, tables, output=output, backend=backend or None, cluster=cluster or None, n_jobs=jobs, restart=restart,
        verbose=0 if quiet else _Teller(),
        reading=ReadOptions(wanted, names_in(target), groups or None, missing_values, units),
        groups=groups or None,
        operators=operators_called(operators), preset=preset, search=search, generator=generator, noise=noise,
        loss=loss or None, outliers="auto" if outliers else False, max_complexity=max_complexity, start=start,
        template=template or None, constraints=constraints,
        time_limit=seconds_for(time_limit, max_work, TIME_LIMIT), max_work=max_work, random_state=seed,
    )  # fmt: skip
    laws, is_interrupted = _as_far_as_it_came(all_of_them)
    delivery = Delivery()
    with delivery.part():
        if json != STANDARD_OUTPUT:
            say_lines(_lines(laws.lines, output))
    with delivery.part():
        if json is not None:
            write_json(json, [line.values() for line in laws.lines])
    delivery.fail(laws.unwritten)
    delivery.close()
    if is_interrupted:
        raise CutShort("Interrupted; the same command continues with what is left.")
    if not any(line.is_found for line in laws.lines):
        raise typer.Exit(BAD_INPUT if all(line.failure for line in laws.lines) else NOTHING_FOUND)


def _as_far_as_it_came(fit_all: Callable[[], Laws]) -> tuple[Laws, bool]:
    """The laws of a batch, and whether it was interrupted; an interrupt before the first of them has no result."""
    from scalesr.cluster.fit_many import BatchInterrupted

    found: list[Laws] = []
    try:
        with heard_until(lambda: bool(found)):
            found.append(fit_all())
    except BatchInterrupted as interrupt:
        if not interrupt.laws.lines:
            raise
        return interrupt.laws, True
    return found[0], False


def _lines(lines: tuple[BatchLine, ...], output: Path) -> list[str]:
    """The laws, and where they are."""
    shown = [line.sentence for line in lines[:SHOWN]]
    more = [f"... and {len(lines) - SHOWN} more."] if len(lines) > SHOWN else []
    failed = sum(bool(line.failure) for line in lines)
    found = f"{sum(line.is_found for line in lines)} of {len(lines)} laws were found"
    told = f"{found}; {failed} could not be looked for." if failed else f"{found}."
    return [*shown, *more, "", f"{told} They are in {output / 'laws'}, all lines in {output / 'summary.csv'}."]


class _Teller:
    """A line per law; in a terminal what is left stands below, and is written over."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()

    def __call__(self, standing: BatchStanding) -> None:
        if not self._is_terminal:
            tell([standing.sentence])
            return
        tell_over(standing.sentence[:110], is_last=standing.n_done == standing.n_jobs)
