"""An experiment of the paper: columns of runs on its problems, each with the paper's figure beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Final, Literal

from scalesr.bench.laws.measure import LawSettings, check_methods, choose, measure_laws, open_log
from scalesr.bench.laws.methods import limits_of
from scalesr.bench.laws.runs import LawRun
from scalesr.bench.paper.published import Figures
from scalesr.bench.runner import Standing
from scalesr.bench.text_tables import TextTable, rate

QUICK_PROBLEMS: Final = ("Nguyen-10", "Nguyen-12", "Jin-2")
QUICK_SECONDS: Final = 10.0
AVERAGE: Final = "average"


@dataclass(frozen=True, slots=True)
class Column:
    """One method, with what the paper says of it."""

    heading: str
    method: str
    published: Figures = field(default_factory=dict)
    n_rows: int | None = None  # None: the problem's own number


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is run."""

    n_seeds: int = 10
    time_limit: float = 60.0
    n_processes: int = 1
    quick: bool = False
    first_seed: int = 0

    @property
    def limit(self) -> float:
        return min(self.time_limit, QUICK_SECONDS) if self.quick else self.time_limit

    @property
    def seeds(self) -> int:
        return 1 if self.quick else self.n_seeds


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table of the paper."""

    name: str
    title: str
    problems: tuple[str, ...]
    columns: tuple[Column, ...]
    shows: Literal["rates", "seconds"] = "rates"
    notes: tuple[str, ...] = ()


def run_experiment(
    experiment: Experiment, effort: Effort, folder: Path, *, progress: Callable[[Standing], None] | None = None
) -> TextTable:
    """Run what the folder's file of runs lacks, and set our figures beside the paper's."""
    problems = _problems(experiment, effort)
    runs: list[tuple[Column, list[LawRun]]] = []
    for n_rows in dict.fromkeys(column.n_rows for column in experiment.columns):
        columns = [column for column in experiment.columns if column.n_rows == n_rows]
        settings = LawSettings(
            "paper", tuple(column.method for column in columns), problems, first_seed=effort.first_seed,
            n_seeds=effort.seeds, time_limit=effort.limit, n_processes=effort.n_processes, n_rows=n_rows,
        )  # fmt: skip
        check_methods(settings)
        log = open_log(folder / "runs.jsonl", settings)
        done = measure_laws(settings, choose(settings), log, progress=progress).runs
        runs += [(column, [run for run in done if run.method == column.method]) for column in columns]
    return _table(experiment, effort, problems, runs)


def _problems(experiment: Experiment, effort: Effort) -> tuple[str, ...]:
    if not effort.quick:
        return experiment.problems
    return tuple(name for name in experiment.problems if name in QUICK_PROBLEMS)


def _table(
    experiment: Experiment, effort: Effort, problems: Sequence[str], runs: Sequence[tuple[Column, list[LawRun]]]
) -> TextTable:
    rows = [
        (problem, *(_cell(experiment, [r for r in done if r.problem == problem], c, problem) for c, done in runs))
        for problem in problems
    ]
    if experiment.shows == "rates":
        rows.append((AVERAGE, *(_average(done, column, problems) for column, done in runs)))
    columns = [column for column, _ in runs]
    return TextTable(
        experiment.title,
        ("problem", *(column.heading for column in columns)),
        tuple(rows),
        (*_notes(experiment, effort, problems), *experiment.notes, *_limits(columns)),
    )


def _cell(experiment: Experiment, runs: Sequence[LawRun], column: Column, problem: str) -> str:
    theirs = column.published.get(problem)
    if experiment.shows == "seconds":
        ours = f"{median(run.seconds for run in runs):.1f} s"
        return ours if theirs is None else f"{ours}, paper {theirs:.0f} s"
    ours = rate(sum(run.is_right for run in runs), len(runs))
    return ours if theirs is None else f"{ours}, paper {theirs:.0f} %"


def _average(runs: Sequence[LawRun], column: Column, problems: Sequence[str]) -> str:
    ours = rate(sum(run.is_right for run in runs), len(runs))
    theirs = [column.published[problem] for problem in problems if problem in column.published]
    return f"{ours}, paper {mean(theirs):.0f} %" if theirs else ours


def _notes(experiment: Experiment, effort: Effort, problems: Sequence[str]) -> list[str]:
    notes = [f"{effort.seeds} runs per problem and method, at most {effort.limit:g} s each, on one core."]
    if experiment.shows == "rates":
        notes.append("Recovered: the judge's strict test (values and size, or algebra); 95 % intervals in brackets.")
    if effort.quick:
        notes.append(
            f"QUICK: {len(problems)} of {len(experiment.problems)} problems, one seed and at most {effort.limit:g} s; "
            "a look at how it works, no figure to be quoted."
        )
    return notes


def _limits(columns: Iterable[Column]) -> list[str]:
    methods = dict.fromkeys(column.method for column in columns)
    return [limits for method in methods if (limits := limits_of(method))]
