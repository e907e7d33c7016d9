"""An experiment of the paper: runs of methods on its problems, each with the paper's figure beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median
from typing import Final, Literal

from scalesr_bench.laws.measure import LawSettings, check_methods, choose, measure_laws, open_log, plan
from scalesr_bench.laws.methods import is_own, limits_of
from scalesr_bench.laws.runs import LawRun
from scalesr_bench.paper.published import Figures
from scalesr_bench.run_log import Place
from scalesr_bench.runner import Standing
from scalesr_bench.text_tables import TextTable, rate

QUICK_PROBLEMS: Final = ("Nguyen-10", "Nguyen-12", "Jin-2")
QUICK_SECONDS: Final = 10.0
AVERAGE: Final = "average"


@dataclass(frozen=True, slots=True)
class MethodColumn:
    """One method, with what the paper says of it."""

    heading: str
    method: str
    published: Figures = field(default_factory=dict, hash=False)
    n_rows: int | None = None  # None: the problem's own number


@dataclass(frozen=True, slots=True)
class RunPlan:
    """How much is run."""

    n_seeds: int = 10
    time_limit: float = 60.0
    n_processes: int = 1
    quick: bool = False
    first_seed: int = 0
    n_rival_seeds: int | None = None  # of methods that are not ours; None: as many as of ours
    accept_stale: bool = False  # whether runs of other code count, too

    @property
    def limit(self) -> float:
        return min(self.time_limit, QUICK_SECONDS) if self.quick else self.time_limit

    def seeds_of(self, method: str) -> int:
        """Runs per problem."""
        if self.quick:
            return 1
        return self.n_seeds if self.n_rival_seeds is None or is_own(method) else self.n_rival_seeds


@dataclass(frozen=True, slots=True)
class Experiment:
    """A table of the paper."""

    name: str
    title: str
    problems: tuple[str, ...]
    columns: tuple[MethodColumn, ...]
    shows: Literal["rates", "seconds"] = "rates"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Done:
    """A column with its runs."""

    column: MethodColumn
    runs: tuple[LawRun, ...]

    def of(self, problem: str) -> list[LawRun]:
        return [run for run in self.runs if run.problem == problem]


def run_experiment(
    experiment: Experiment, effort: RunPlan, folder: Path, *, progress: Callable[[Standing], None] | None = None
) -> TextTable:
    """Run what the folder's file of runs lacks, and set our figures beside the paper's."""
    problems = _problems(experiment, effort)
    columns = experiment.columns
    done: dict[MethodColumn, _Done] = {}
    places: Counter[Place] = Counter()
    for n_rows, n_seeds in dict.fromkeys((column.n_rows, effort.seeds_of(column.method)) for column in columns):
        chosen = [c for c in columns if (c.n_rows, effort.seeds_of(c.method)) == (n_rows, n_seeds)]
        settings = LawSettings(
            "paper", tuple(column.method for column in chosen), problems, first_seed=effort.first_seed,
            n_seeds=n_seeds, time_limit=effort.limit, n_processes=effort.n_processes, rows=(n_rows,) if n_rows else (),
        )  # fmt: skip
        check_methods(settings)
        log = open_log(folder / "runs.jsonl", settings, accept_stale=effort.accept_stale)
        selection = choose(settings)
        runs = measure_laws(settings, selection, log, progress=progress).runs
        places.update(dict(log.places(plan(settings, selection))))
        done |= {column: _Done(column, tuple(run for run in runs if run.method == column.method)) for column in chosen}
    return _table(experiment, effort, problems, [done[column] for column in columns], places)


def _problems(experiment: Experiment, effort: RunPlan) -> tuple[str, ...]:
    if not effort.quick:
        return experiment.problems
    return tuple(name for name in experiment.problems if name in QUICK_PROBLEMS)


def _table(
    experiment: Experiment, effort: RunPlan, problems: Sequence[str], done: Sequence[_Done], places: Counter[Place]
) -> TextTable:
    cells = _seconds if experiment.shows == "seconds" else _rates
    ends = () if experiment.shows == "seconds" else (AVERAGE, "median s")
    columns = [one.column for one in done]
    made = [f"{n_runs} runs made at {place.phrase}." for place, n_runs in places.most_common()]
    return TextTable(
        experiment.title,
        ("method", *problems, *ends),
        tuple((one.column.heading, *cells(one, problems)) for one in done),
        (*_notes(experiment, effort, problems, columns), *experiment.notes, *_limits(columns), *made),
    )


def _seconds(done: _Done, problems: Sequence[str]) -> list[str]:
    cells = []
    for problem in problems:
        ours, theirs = f"{_median_seconds(done.of(problem)):.1f} s", done.column.published.get(problem)
        cells.append(ours if theirs is None else f"{ours}, paper {theirs:.0f} s")
    return cells


def _rates(done: _Done, problems: Sequence[str]) -> list[str]:
    published = done.column.published
    theirs = [published[problem] for problem in problems if problem in published]
    cells = [_rate(done.of(problem), published.get(problem)) for problem in problems]
    average = _rate(done.runs, mean(theirs) if theirs else None)
    return [*cells, average, f"{_median_seconds(done.runs):.1f}"]


def _rate(runs: Sequence[LawRun], theirs: float | None) -> str:
    ours = rate(sum(run.is_right for run in runs), len(runs))
    return ours if theirs is None else f"{ours}, paper {theirs:.0f} %"


def _median_seconds(runs: Sequence[LawRun]) -> float:
    return median(run.seconds for run in runs)


def _notes(
    experiment: Experiment, effort: RunPlan, problems: Sequence[str], columns: Sequence[MethodColumn]
) -> list[str]:
    seeds = {effort.seeds_of(column.method): is_own(column.method) for column in columns}
    whose = {True: "each of our methods", False: "each other method"}
    runs = ", ".join(f"{n} of {whose[own] if len(seeds) > 1 else 'each method'}" for n, own in seeds.items())
    notes = [f"Runs per problem: {runs}, at most {effort.limit:g} s each where nothing else is said, on one core."]
    if experiment.shows == "rates":
        notes.append("Recovered: the judge's strict test (values and size, or algebra); 95 % intervals in brackets.")
    if effort.quick:
        notes.append(
            f"QUICK: {len(problems)} of {len(experiment.problems)} problems, one seed and at most {effort.limit:g} s; "
            "a look at how it works, no figure to be quoted."
        )
    return notes


def _limits(columns: Iterable[MethodColumn]) -> list[str]:
    methods = dict.fromkeys(column.method for column in columns)
    return [limits for method in methods if (limits := limits_of(method))]
