"""`scalesr-bench search`: searches side by side on sweeps with a known answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr_bench.cli.delivery import deliver, open_runs
from scalesr_bench.cli.number_lists import noise_levels
from scalesr_bench.cli.options import AcceptStale, FirstSeed, Jobs, RunsPath, Seeds
from scalesr_bench.cli.progress_line import ProgressLine

if TYPE_CHECKING:
    from rich.table import Table

    from scalesr_bench.search.measure import SearchResult
    from scalesr_bench.search.runs import SearchRun
    from scalesr_bench.search.summary import SummaryLine

STORED = Path("benchmarks/results/search.json")
RUNS = Path("benchmarks/runs/search.jsonl")
LISTED = 60  # failures on the screen; the result file has them all


def search(  # noqa: PLR0913, PLR0917  one argument per option
    methods: Annotated[str, typer.Option(help="Searches by name, or module:factory, with commas.")] = "default",
    suite: Annotated[
        str, typer.Option(help="all, quick (40 sweeps drawn once), or suites of problems such as nguyen,feynman.")
    ] = "all",
    noise: Annotated[str, typer.Option(help="Levels of noise, as shares of the standard deviation.")] = "0,0.001,0.01",
    seeds: Seeds = 3,
    seed: FirstSeed = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds per sweep.")] = 10.0,
    jobs: Jobs = 1,
    only: Annotated[str, typer.Option(help="Only sweeps whose name has this text.")] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many sweeps, drawn once.")] = None,
    runs: RunsPath = RUNS,
    accept_stale: AcceptStale = False,
    json: JsonPath = None,
) -> None:
    """Measure searches on one-variable sweeps whose law is known.

    The sweeps are all one-variable problems and, for every variable of the paper's, Strogatz's and
    Feynman's laws, three groups of 200 points with the other variables held. A run of all sweeps is
    stored in benchmarks/results/search.json unless --json says otherwise, any other only where
    --json says so.

    Example: scalesr-bench search --suite quick --noise 0 --seeds 1
    """
    from scalesr_bench.search.measure import SearchSettings, measure_searches  # loads the compiler; --help does without

    settings = SearchSettings(
        tuple(methods.split(",")), suite, only, limit, noise_levels(noise), seed, seeds, time_limit, jobs
    )
    log = open_runs(runs, settings.run_limit, accept_stale=accept_stale)
    result = measure_searches(settings, log, progress=ProgressLine())
    path = json or (STORED if result.selection.is_whole else None)
    deliver(path, result.as_json(), lambda: _print(result))


def _print(result: SearchResult) -> None:
    from rich.console import Console

    console = Console()
    console.print(_table(result.summary))
    for note in result.notes:
        console.print(note)
    missed = result.failures
    for run in missed[:LISTED]:
        console.print(_failure(run), markup=False, soft_wrap=True, highlight=False)
    if len(missed) > LISTED:
        console.print(f"... and {len(missed) - LISTED} more failures, in the file of runs and under --json.")


def _table(lines: list[SummaryLine]) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table

    title = "Recovered laws of one-variable sweeps; seconds, fits and rank are medians"
    table = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("method", no_wrap=True)
    for heading in ("noise", "runs", "right", "95 %", "top 12", "s", "to right", "fits", "rank"):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in lines:
        to_right, rank = line.median_seconds_to_right, line.median_rank
        table.add_row(
            line.method, f"{line.noise:g}", str(line.n_runs), f"{line.share:.1%}", f"{line.low:.0%}-{line.high:.0%}",
            f"{line.n_in_top / line.n_runs:.1%}", f"{line.median_seconds:.2f}",
            "-" if to_right is None else f"{to_right:.2f}", f"{line.median_fits:,.0f}",
            "-" if rank is None else f"{rank:g}",
        )  # fmt: skip
    return table


def _failure(run: SearchRun) -> str:
    rank = "" if run.rank is None else f" (the right one is number {run.rank})"
    where = f"{run.method}, noise {run.noise:g}, seed {run.seed}: {run.sweep}"
    return f"{where}\n    truth  {run.truth}\n    {run.finding}  {run.found}{rank}"
