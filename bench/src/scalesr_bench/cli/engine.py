"""`scalesr-bench engine`: evaluation and fits on one core, beside pyoperon and SciPy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr_bench.cli.delivery import deliver

if TYPE_CHECKING:
    from rich.table import Table

    from scalesr_bench.engine.measure import EngineResult

STORED = Path("benchmarks/results/engine.json")
BILLION = 1e9


def engine(
    json: JsonPath = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A few seconds for a first look; the numbers are rough.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random trees and curves.")] = 0,
) -> None:
    """Measure evaluation and fits on one core, next to pyoperon and SciPy.

    A full run is stored in benchmarks/results/engine.json unless --json says otherwise, a quick
    one only where --json says so. pyoperon comes with pip install 'scalesr-bench[rivals]'.

    Example: scalesr-bench engine --quick --json -
    """
    from scalesr_bench.engine.measure import FULL, QUICK, measure_engine  # loads the compiler; --help does without

    def progress(text: str) -> None:
        typer.echo(f"measuring {text}", err=True)

    result = measure_engine(QUICK if quick else FULL, seed=seed, progress=progress)
    path = json or (None if quick else STORED)
    deliver(path, {"quick": quick, "seed": seed} | result.as_json(), lambda: _print(result))


def _print(result: EngineResult) -> None:
    from rich.console import Console

    console = Console()
    for table in (_speeds(result), _fits(result), _bars(result)):
        console.print(table)
    console.print("Ratios of fits are to MINPACK: over all curves, and over the easy ones that MINPACK fits.")
    milliseconds = 1e3 * result.fits.seconds_for_all_groups
    console.print(f"{result.fits.n_curves} groups in one call of fit_groups: {milliseconds:.1f} ms.")
    compiling = result.compile_time
    console.print(f"First process {compiling.first:.1f} s with compiling, second process {compiling.second:.1f} s.")
    if result.memory.before and result.memory.after:
        grown = (result.memory.after - result.memory.before) / 2**20
        console.print(f"Memory grew by {grown:.1f} MiB over {result.memory.n_evaluations:,} evaluations.")


def _speeds(result: EngineResult) -> Table:
    table = _table("Billion nodes x rows per second, next to pyoperon (single precision)")
    for heading in ("trees", "rows", "each", "Evaluate", "ratio", "batch", "EvaluateTrees", "ratio"):
        table.add_column(heading, justify="left" if heading == "trees" else "right")
    for s in result.speeds:
        rates = [None if rate is None else rate / BILLION for rate in (s.each, s.operon_each, s.batch, s.operon_batch)]
        cells = (rates[0], rates[1], s.ratio_each, rates[2], rates[3], s.ratio_batch)
        table.add_row(s.kind, str(s.rows), *("-" if cell is None else f"{cell:.2f}" for cell in cells))
    return table


def _fits(result: EngineResult) -> Table:
    fits = result.fits
    table = _table(f"Fits of C*exp(C*x) + C to {fits.n_curves} curves of {fits.n_points} points")
    table.add_column("method")
    for heading in ("fits/s", "ms/fit", "success", "ratio", "easy ratio"):
        table.add_column(heading, justify="right")
    for speed in fits.methods:
        table.add_row(
            speed.method,
            f"{1 / speed.seconds_per_fit:,.0f}",
            f"{1e3 * speed.seconds_per_fit:.4f}",
            f"{speed.success_rate:.0%}",
            f"{fits.ratio_to_minpack(speed.method):.1f}",
            f"{fits.easy_ratio_to_minpack(speed.method):.1f}",
        )
    return table


def _bars(result: EngineResult) -> Table:
    table = _table("Bars")
    table.add_column("what")
    for heading in ("ratio", "at least", ""):
        table.add_column(heading, justify="right")
    for bar in result.bars():
        table.add_row(bar.what, f"{bar.ratio:.2f}", f"{bar.at_least:g}", "met" if bar.is_met else "missed")
    return table


def _table(title: str) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table

    return Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False)
