"""Runs of laws as tables: rates with their intervals and times, per suite and per problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scalesr_bench.laws.condition import Condition
from scalesr_bench.laws.failing import STAGES, kind
from scalesr_bench.laws.lost_by import DATA, SEARCH
from scalesr_bench.laws.runs import LawRun
from scalesr_bench.laws.summary import LawLine, ProblemLine
from scalesr_bench.text_tables import TextTable, joined, rate

_STAGE_NOTES: Final = (
    "A stage is a reading of the trace; time: the limit came before a chain of variables had begun.",
    "Lost by the search: with constants fitted on its rows the truth scores better than the law found; by the data: "
    "it does not.",
)


def summary_table(lines: Sequence[LawLine], notes: Sequence[str] = ()) -> TextTable:
    """A row per suite, method and condition."""
    were_asked = any(line.median_asked for line in lines)
    has_rows = any(line.given_rows for line in lines)
    headings = ["suite", "method", "noise", "noise kind", *(["rows"] if has_rows else [])]
    headings += ["runs", "recovered (95 %)", "lost by search", "lost by data", "form", "paper's", "wrong exact"]
    headings += ["median s"]
    headings += ["median rows asked"] if were_asked else []
    rows = [
        joined(
            [
                line.suite, line.method, f"{line.noise:g}", line.noise_kind or "-",
                *([line.given_rows or "usual"] if has_rows else []),
                line.n_runs, rate(line.n_right, line.n_runs), line.n_lost_by_search, line.n_lost_by_data,
                line.n_form, line.n_paper, line.n_wrong_exact, f"{line.median_seconds:.1f}",
                *([f"{line.median_asked:.0f}"] if were_asked else []),
            ]
        )
        for line in lines
    ]  # fmt: skip
    return TextTable("Recovered laws", tuple(headings), tuple(rows), tuple(notes))


def problem_table(lines: Sequence[ProblemLine], title: str = "Recovered laws per problem") -> TextTable:
    """A row per problem, a column per method and condition."""
    columns = list(dict.fromkeys((line.method, line.condition) for line in lines))
    cells: dict[str, dict[tuple[str, Condition], str]] = {}
    for line in lines:
        cells.setdefault(line.name_among(lines), {})[line.method, line.condition] = rate(line.n_right, line.n_runs)
    headings = [_heading(method, condition, [one for _, one in columns]) for method, condition in columns]
    rows = [(problem, *(found.get(column, "-") for column in columns)) for problem, found in cells.items()]
    return TextTable(title, ("problem", *headings), tuple(rows))


def stage_table(runs: Sequence[LawRun]) -> TextTable:
    """A row per method and condition: at which stage laws were missed, and whether search or data lost them."""
    missed = [run for run in runs if run.failed_at]
    stages = [stage for stage in STAGES if any(kind(run.failed_at) == stage for run in missed)]
    groups = dict.fromkeys((run.method, run.condition) for run in missed)
    counts = Counter((run.method, run.condition, kind(run.failed_at)) for run in missed)
    losers = Counter((run.method, run.condition, run.lost_by) for run in missed)
    rows = [
        joined(
            [
                method, condition.words, *(counts[method, condition, stage] for stage in stages),
                *(losers[method, condition, loser] for loser in (SEARCH, DATA)),
            ]
        )
        for method, condition in groups
    ]  # fmt: skip
    headings = ("method", "condition", *stages, "lost by search", "lost by data")
    return TextTable("Laws missed, by stage", headings, tuple(rows), (*_STAGE_NOTES, *map(_missed, missed)))


def _missed(run: LawRun) -> str:
    lost = f"; lost by the {run.lost_by}" if run.lost_by else ""
    ahead = f", truth ahead by {run.truth_ahead:.1f} nats" if run.truth_ahead is not None else ""
    return f"{run.method}, {run.problem}, {run.condition.words}, seed {run.seed}: {run.failed_at}{lost}{ahead}."


def _heading(method: str, condition: Condition, among: Sequence[Condition]) -> str:
    differs = condition.among(among)
    return f"{method}, {differs}" if differs else method
