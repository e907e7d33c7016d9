"""Runs of laws as tables: rates with their intervals and times, per suite and per problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scalesr.bench.laws.failing import STAGES, kind
from scalesr.bench.laws.runs import LawRun
from scalesr.bench.laws.summary import LawLine, ProblemLine
from scalesr.bench.text_tables import TextTable, joined, rate


def summary_table(lines: Sequence[LawLine], notes: Sequence[str] = ()) -> TextTable:
    """A row per suite, method and level of noise."""
    were_asked = any(line.median_asked for line in lines)
    headings = ["suite", "method", "noise", "runs", "recovered (95 %)", "form", "paper's", "wrong exact", "median s"]
    headings += ["median rows asked"] if were_asked else []
    rows = [
        joined(
            [
                line.suite, line.method, f"{line.noise:g}", line.n_runs, rate(line.n_right, line.n_runs),
                line.n_form, line.n_paper, line.n_wrong_exact, f"{line.median_seconds:.1f}",
                *([f"{line.median_asked:.0f}"] if were_asked else []),
            ]
        )
        for line in lines
    ]  # fmt: skip
    return TextTable("Recovered laws", tuple(headings), tuple(rows), tuple(notes))


def problem_table(lines: Sequence[ProblemLine], title: str = "Recovered laws per problem") -> TextTable:
    """A row per problem, a column per method and level of noise."""
    columns = list(dict.fromkeys((line.method, line.noise) for line in lines))
    several = len({noise for _, noise in columns}) > 1
    cells: dict[str, dict[tuple[str, float], str]] = {}
    for line in lines:
        cells.setdefault(line.name_among(lines), {})[line.method, line.noise] = rate(line.n_right, line.n_runs)
    headings = [f"{method}, noise {noise:g}" if several else method for method, noise in columns]
    rows = [(problem, *(found.get(column, "-") for column in columns)) for problem, found in cells.items()]
    return TextTable(title, ("problem", *headings), tuple(rows))


def stage_table(runs: Sequence[LawRun]) -> TextTable:
    """A row per method and level of noise: at which stage laws were missed."""
    missed = [run for run in runs if run.failed_at]
    stages = [stage for stage in STAGES if any(kind(run.failed_at) == stage for run in missed)]
    groups = dict.fromkeys((run.method, run.noise) for run in missed)
    counts = Counter((run.method, run.noise, kind(run.failed_at)) for run in missed)
    rows = [
        joined([method, f"{noise:g}", *(counts[method, noise, stage] for stage in stages)]) for method, noise in groups
    ]
    notes = ["A stage is a reading of the trace; time: the limit came before a chain of variables had begun."]
    notes += [f"{run.method}, {run.problem}, noise {run.noise:g}, seed {run.seed}: {run.failed_at}." for run in missed]
    return TextTable("Laws missed, by stage", ("method", "noise", *stages), tuple(rows), tuple(notes))
