"""`scalesr-bench units`: what the units of columns are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, write_json
from scalesr_bench.cli.progress_line import ProgressLine
from scalesr_bench.cli.text_table import print_table

STORED = Path("benchmarks/results/units.json")
RUNS = Path("benchmarks/runs/units.jsonl")


def units(  # noqa: PLR0913, PLR0917  one argument per option
    laws: Annotated[str, typer.Option(help="Names of laws with commas; all if not given.")] = "",
    every: Annotated[int, typer.Option(min=1, help="Each so-manieth law only: 4 takes the 1st, 5th, 9th ...")] = 1,
    rows: Annotated[int, typer.Option(min=5, help="Rows of each table.")] = 30,
    noise: Annotated[float, typer.Option(min=0, help="Noise over the standard deviation of the target.")] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the tables.")] = 0,
    max_work: Annotated[float, typer.Option("--max-work", min=0.001, help="Units of work for each run.")] = 1000.0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; each uses one core.")] = 1,
    runs: Annotated[Path, typer.Option(help="File of finished runs; a killed benchmark goes on from it.")] = RUNS,
    accept_stale: Annotated[
        bool, typer.Option("--accept-stale", help="Count stored runs of other code and limits, too.")
    ] = False,
    json: JsonPath = None,
) -> None:
    """Measure how many laws of the Feynman lectures are recovered with units and without, on the same rows and work.

    A law is recovered if its form is right and every constant is within 5 %. Said is also how many of the laws that
    were returned are dimensionally wrong. Stored in benchmarks/results/units.json unless --json says otherwise or
    some laws are named.

    Example: scalesr-bench units --laws "I.12.1,I.14.3" --max-work 50 --json -
    """
    from scalesr_bench.machine import provenance
    from scalesr_bench.units.measure import UnitSettings, measure_units, open_log, runs_table  # loads the compiler

    names = tuple(name for name in laws.split(",") if name)
    settings = UnitSettings(rows, noise, seed, max_work, names, every, jobs)
    result = measure_units(settings, open_log(runs, settings, accept_stale=accept_stale), progress=ProgressLine())
    path = json or (None if names else STORED)
    if path != STANDARD_OUTPUT:
        print_table(runs_table(result))
    if path:
        write_json(path, provenance() | result.as_json())
