"""`scalesr-bench verdict`: what verdicts and probabilities are worth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr.errors import DataError
from scalesr_bench.cli.delivery import deliver, open_runs
from scalesr_bench.cli.figure_path import FigurePath, check_figure, save_figure
from scalesr_bench.cli.options import AcceptStale, Jobs, RunsPath, TablesFolder
from scalesr_bench.cli.progress_line import ProgressLine
from scalesr_bench.cli.text_table import print_tables

if TYPE_CHECKING:
    from scalesr_bench.verdict.measure import VerdictResult
    from scalesr_bench.verdict.runs import VerdictRun

STORED = Path("benchmarks/results/verdict.json")
RUNS = Path("benchmarks/runs/verdict.jsonl")
LISTED = 40  # mistakes on the screen; the result file has them all


def verdict(  # noqa: PLR0913, PLR0917  one argument per option
    methods: Annotated[str, typer.Option(help="scalesr or other methods of bench, with commas.")] = "scalesr",
    laws: Annotated[int, typer.Option(min=0, help="Tables of random laws.")] = 400,
    of_a_kind: Annotated[int, typer.Option(min=0, help="Tables without a law, of each of seven kinds.")] = 30,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the laws, their rows and their noise.")] = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds per table.")] = 20.0,
    jobs: Jobs = 1,
    runs: RunsPath = RUNS,
    accept_stale: AcceptStale = False,
    figure: FigurePath = None,
    stored: Annotated[Path | None, typer.Option(help="Draw this stored result; measure nothing.")] = None,
    tables: TablesFolder = None,
    json: JsonPath = None,
) -> None:
    """Measure how many laws of a probability are right, and how often a verdict is wrong.

    Random laws of 1 to 6 variables with 10 to 5000 rows, columns that do not matter and noise of every kind, and
    tables without a continuous law: levels, categories, coin flips, rare events, small integers, grids, medians. Said
    are: of laws given 90 % or more, how many are right; the expected calibration error; how often "exact" is wrong;
    and how often "within noise" is said where boosted trees or nearest neighbours predict fresh rows better. A whole
    run is stored in benchmarks/results/verdict.json unless --json says otherwise, any other only where --json says so.

    Example: scalesr-bench verdict --laws 40 --of-a-kind 3 --jobs 2 --figure reliability.svg
    """
    check_figure(figure)
    if stored is not None:
        _draw_stored(stored, figure)
        return
    from scalesr_bench.verdict.measure import VerdictSettings, kind_table, measure_verdicts, summary_table

    settings = VerdictSettings(tuple(methods.split(",")), laws, of_a_kind, seed, time_limit, jobs)
    log = open_runs(runs, settings.run_limit, accept_stale=accept_stale)
    result = measure_verdicts(settings, log, progress=ProgressLine())
    path = json or (STORED if settings.is_whole else None)
    if tables is not None:
        summary_table(result).write(tables, "verdicts")
        kind_table(result).write(tables, "kinds")
    deliver(path, result.as_json(), lambda: _print(result))
    if figure is not None:
        _draw(result, figure)


def _print(result: VerdictResult) -> None:
    from scalesr_bench.verdict.measure import kind_table, summary_table

    print_tables([summary_table(result), kind_table(result)])
    _print_mistakes(result.mistakes)


def _print_mistakes(mistakes: Sequence[VerdictRun]) -> None:
    for run in mistakes[:LISTED]:
        given = "" if run.probability is None else f", {run.probability:.0%}"
        errs = "has no values" if run.law_error is None else f"errs {run.law_error:.3g}"
        beaten = f"; {run.better} err {run.predictor_error:.3g}, the law {errs}" if run.better else ""
        typer.echo(f"{run.method}: {run.kind} {run.place}, {run.n_rows} rows, noise {run.noise:g} {run.noise_kind}")
        typer.echo(f"    truth  {run.truth}\n    {run.finding}  {run.found} [{run.verdict}{given}{beaten}]")
    if len(mistakes) > LISTED:
        typer.echo(f"... and {len(mistakes) - LISTED} more, in the file of runs and under --json.")


def _draw(result: VerdictResult, path: Path) -> None:
    from scalesr_bench.figures.calibration import reliability_figure

    save_figure(reliability_figure({line.method: line.bins for line in result.summary}), path)


def _draw_stored(path: Path, figure: Path | None) -> None:
    """The diagram of a stored result."""
    from json import JSONDecodeError, loads

    from scalesr_bench.figures.calibration import reliability_figure
    from scalesr_bench.verdict.calibration import ReliabilityBin

    if figure is None:
        raise DataError(f"--stored {path} is drawn; say where with --figure PATH.")
    try:
        lines = loads(path.read_text(encoding="utf-8"))["summary"]
        bins = {line["method"]: [ReliabilityBin(**one) for one in line["bins"]] for line in lines}
    except (OSError, UnicodeDecodeError, JSONDecodeError, KeyError, TypeError) as error:
        raise DataError(f"The stored result {path} cannot be read: {error}.") from error
    save_figure(reliability_figure(bins), figure)
