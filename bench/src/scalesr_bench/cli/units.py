"""`scalesr-bench units`: what the units of columns are worth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr.cli.table_argument import names_in
from scalesr_bench.cli.delivery import deliver, open_runs
from scalesr_bench.cli.options import AcceptStale, Jobs, RelativeNoise, RunsPath
from scalesr_bench.cli.progress_line import ProgressLine
from scalesr_bench.cli.text_table import print_table

STORED = Path("benchmarks/results/units.json")
RUNS = Path("benchmarks/runs/units.jsonl")


def units(  # noqa: PLR0913, PLR0917  one argument per option
    laws: Annotated[str, typer.Option(help="Names of laws with commas; all if not given.")] = "",
    every: Annotated[int, typer.Option(min=1, help="Only every n-th law: 4 takes the 1st, 5th, 9th ...")] = 1,
    rows: Annotated[int, typer.Option(min=5, help="Rows of each table.")] = 30,
    noise: RelativeNoise = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the tables.")] = 0,
    max_work: Annotated[float, typer.Option("--max-work", min=0.001, help="Units of work for each run.")] = 1000.0,
    jobs: Jobs = 1,
    runs: RunsPath = RUNS,
    accept_stale: AcceptStale = False,
    json: JsonPath = None,
) -> None:
    """Measure how many laws of the Feynman lectures are recovered with units and without, on the same rows and work.

    A law is recovered if its form is right and every constant is within 5 %. Said is also how many of the laws that
    were returned are dimensionally wrong. Stored in benchmarks/results/units.json unless --json says otherwise or
    some laws are named.

    Example: scalesr-bench units --laws "I.12.1,I.14.3" --max-work 50 --json -
    """
    from scalesr_bench.units.measure import UnitSettings, measure_units, runs_table  # loads the compiler

    names = names_in(laws)
    settings = UnitSettings(rows, noise, seed, max_work, names, every, jobs)
    log = open_runs(runs, settings.run_limit, accept_stale=accept_stale)
    result = measure_units(settings, log, progress=ProgressLine())
    path = json or (None if names else STORED)
    deliver(path, result.as_json(), lambda: print_table(runs_table(result)))
