"""`scalesr-bench SUITE`: whole discoveries side by side on tables with a known answer."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr.errors import DataError
from scalesr_bench.cli.delivery import deliver, tell_stale
from scalesr_bench.cli.figure_path import FigurePath, check_figure, save_figure
from scalesr_bench.cli.number_lists import noise_levels, whole_numbers
from scalesr_bench.cli.options import AcceptStale, FirstSeed, Jobs, RunsPath, Seeds, TablesFolder
from scalesr_bench.cli.progress_line import ProgressLine

if TYPE_CHECKING:
    from rich.table import Table

    from scalesr_bench.laws.condition import Condition
    from scalesr_bench.laws.measure import LawResult
    from scalesr_bench.laws.runs import LawRun
    from scalesr_bench.laws.summary import LawLine, ProblemLine

STORED = Path("benchmarks/results")
RUNS = Path("benchmarks/runs/laws.jsonl")
LISTED = 60  # failures on the screen; the result file has them all


def laws(  # noqa: PLR0913, PLR0917  one argument per option
    suite: Annotated[
        str,
        typer.Argument(help="paper, srbench, feynman, strogatz, nguyen, jin, many-variables, science, hard, ..."),
    ],
    methods: Annotated[
        str, typer.Option(help="scalesr, scalesr-paper, spl, dsr, nggp, gplearn, pyoperon, ... with commas.")
    ] = "scalesr",
    problems: Annotated[str, typer.Option(help="Only problems with these names or patterns, as Jin-6,Nguyen-*.")] = "",
    noise: Annotated[str, typer.Option(help="Levels of noise, as shares; else the suite's usual ones.")] = "",
    noise_kind: Annotated[
        str,
        typer.Option(
            help="constant (level: share of the standard deviation), proportional (share of each value), counts "
            "(1/sqrt of the mean count: 0.1 is 100 events) or outliers (as constant, and 5 % of the rows off by 10 to "
            "100 standard deviations of the noise); else the suite's own."
        ),
    ] = "",
    seeds: Seeds = 3,
    seed: FirstSeed = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds per run.")] = 90.0,
    jobs: Jobs = 1,
    rows: Annotated[str, typer.Option(help="Rows per table instead of the usual number, as 10,100,1000.")] = "",
    extra_columns: Annotated[int, typer.Option(min=0, help="Random columns that do not matter, per table.")] = 0,
    oracle: Annotated[bool, typer.Option("--oracle", help="No rows: methods ask the true function for all.")] = False,
    law_seed: Annotated[int, typer.Option(min=0, help="Seed of suites that are drawn (many-variables, no-law).")] = 0,
    part: Annotated[
        str,
        typer.Option(
            help="Of science and hard: seen (the usual one), unseen or all. Nothing is tuned on the unseen part."
        ),
    ] = "",
    kind: Annotated[str, typer.Option(help="Of hard: poles, decades, oscillations or many-terms.")] = "",
    from_csv: Annotated[
        Path | None, typer.Option(help="Read problems from this file; SUITE is only the name they go by.")
    ] = None,
    runs: RunsPath = RUNS,
    accept_stale: AcceptStale = False,
    figure: FigurePath = None,
    tables: TablesFolder = None,
    json: JsonPath = None,
) -> None:
    """Measure how often the law behind a table is found, and how often "exact" is said wrongly.

    A run of a whole suite is stored in benchmarks/results/laws-SUITE.json unless --json says
    otherwise, any other only where --json says so.

    Example: scalesr-bench paper --methods scalesr,spl,pysindy --seeds 3 --time-limit 60 --jobs 2
    With a curve: scalesr-bench science --rows 20,200,2000 --figure recovery.svg
    """
    from scalesr_bench.laws.law_tables import problem_table, stage_table, summary_table
    from scalesr_bench.laws.measure import LawSettings, check_methods, choose, measure_laws, open_log, plan
    from scalesr_bench.laws.suites import named_suite, usual_noise
    from scalesr_bench.laws.target_noise import read_kind

    check_figure(figure)
    if figure is not None and not rows:
        raise DataError("--figure draws recovery against rows; say how many with --rows 10,100,1000.")
    suite, of_noise = named_suite(suite, kind), read_kind(noise_kind)
    levels = noise_levels(noise) if noise else usual_noise(suite, of_noise)
    settings = LawSettings(
        suite, tuple(methods.split(",")), tuple(problems.split(",")) if problems else (), levels,
        seed, seeds, time_limit, jobs, whole_numbers(rows, "Rows"), extra_columns, oracle,
        law_seed, from_csv.name if from_csv else "", part, of_noise,
    )  # fmt: skip
    check_methods(settings)
    selection = choose(settings, from_csv)
    log = open_log(runs, settings, from_csv, accept_stale=accept_stale)
    tell_stale(log, accept_stale=accept_stale)
    result = measure_laws(settings, selection, log, progress=ProgressLine())
    is_whole = selection.is_whole and from_csv is None
    path = json or (STORED / f"{settings.label}.json" if is_whole else None)
    if tables is not None:
        summary_table(result.summary, result.notes).write(tables, "summary")
        problem_table(result.problems).write(tables, "problems")
        stage_table(result.runs).write(tables, "failures")
    made = [asdict(place) | {"n_runs_there": n} for place, n in log.places(plan(settings, selection))]
    deliver(path, {"made": made} | result.as_json(), lambda: _print(result))
    if figure is not None:
        from scalesr_bench.figures.recovery import recovery_figure

        save_figure(recovery_figure(result.summary), figure)


def _print(result: LawResult) -> None:
    from rich.console import Console

    console = Console()
    console.print(_summary(result.summary))
    console.print(_problems(result.problems))
    for line in result.summary:
        console.print(_beside(line), highlight=False)
    for note in result.notes:
        console.print(note)
    missed = result.failures
    for run in missed[:LISTED]:
        console.print(_failure(run), markup=False, soft_wrap=True, highlight=False)
    if len(missed) > LISTED:
        console.print(f"... and {len(missed) - LISTED} more failures, in the file of runs and under --json.")


def _beside(line: LawLine) -> str:
    """What the table has no room for."""
    parts = [f"verdicts right {line.n_verdict_right}/{line.n_runs}"]
    parts += [f"lost by the search {line.n_lost_by_search}, by the data {line.n_lost_by_data}"]
    parts.append(", ".join(f"{verdict} {count}" for verdict, count in line.verdicts.items()) or "no verdict")
    parts.append("median s " + ", ".join(f"{name} {s:.2f}" for name, s in line.median_seconds_per_stage.items()))
    parts += [f"extra columns used {line.n_extra_used}"] if line.n_extra_used else []
    parts += [f"median rows asked {line.median_asked:.0f}"] if line.median_asked else []
    return f"{line.suite}, {line.method}, {line.condition.words}: {'; '.join(parts)}."


def _summary(lines: list[LawLine]) -> Table:
    were_asked, has_rows = any(line.median_asked for line in lines), any(line.given_rows for line in lines)
    has_kinds = any(line.noise_kind not in ("", "constant") for line in lines)
    headings = ["noise", *(["kind"] if has_kinds else []), *(["rows"] if has_rows else [])]
    headings += ["runs", "right", "95 %", "form", "paper's", "wrong", "median s", "max s"]
    headings += ["asked"] if were_asked else []
    table = _table('Recovered laws; "wrong" counts "exact" said of what is not the law', ("suite", "method"), headings)
    for line in lines:
        table.add_row(
            line.suite, _short(line.method), f"{line.noise:g}", *([line.noise_kind or "-"] if has_kinds else []),
            *([str(line.given_rows or "usual")] if has_rows else []), str(line.n_runs), f"{line.share:.1%}",
            f"{line.low:.0%}-{line.high:.0%}", str(line.n_form), str(line.n_paper), str(line.n_wrong_exact),
            f"{line.median_seconds:.1f}", f"{line.slowest_seconds:.1f}",
            *([f"{line.median_asked:.0f}"] if were_asked else []),
        )  # fmt: skip
    return table


def _problems(lines: list[ProblemLine]) -> Table:
    """Right runs of each problem, a column per method and condition."""
    columns = list(dict.fromkeys((line.method, line.condition) for line in lines))
    conditions = [condition for _, condition in columns]
    headings = [", ".join(filter(None, [_short(method), one.among(conditions)])) for method, one in columns]
    table = _table("Right runs per problem, median seconds", ("problem",), headings)
    rows: dict[str, dict[tuple[str, Condition], str]] = {}
    for line in lines:
        cell = f"{line.n_right}/{line.n_runs} {line.median_seconds:6.1f}"
        rows.setdefault(line.name_among(lines), {})[line.method, line.condition] = cell
    for problem, cells in rows.items():
        table.add_row(problem, *(cells.get(column, "-") for column in columns))
    return table


def _short(method: str) -> str:
    """A method's name without the module it is from."""
    return method.rpartition(":")[2]


def _table(title: str, texts: tuple[str, ...], numbers: tuple[str, ...] | list[str]) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=SIMPLE, pad_edge=False, padding=0)
    for heading in texts:
        table.add_column(heading, no_wrap=True)
    for heading in numbers:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _failure(run: LawRun) -> str:
    where = f"{run.method}, {run.condition.words}, seed {run.seed}: {run.suite}/{run.problem} ({run.seconds:.1f} s)"
    stage = f"; missed at: {run.failed_at}" if run.failed_at else ""
    stage += f"; lost by the {run.lost_by}" if run.lost_by else ""
    stage += f", truth ahead by {run.truth_ahead:.1f} nats" if run.truth_ahead is not None else ""
    said = f" [{run.verdict}, {run.origin}{stage}]" if run.verdict else ""
    wrong = " WRONG EXACT" if run.wrong_exact else ""
    return f"{where}{wrong}\n    truth  {run.truth}\n    {run.finding}  {run.found}{said}"
