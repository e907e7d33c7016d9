"""The benchmark of searches: sweeps with a known answer, every method on each, one judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from scalesr.errors import DataError
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import LAST_LEAF, NEG
from scalesr_bench.run_log import RunLog, code_stamp
from scalesr_bench.runner import Standing, run_jobs
from scalesr_bench.search.methods import make_search
from scalesr_bench.search.runs import SearchRun, run_job
from scalesr_bench.search.suite import SweepSelection, plan, select_sweeps
from scalesr_bench.search.summary import SummaryLine, failures, summarise

_OF_A_FAILURE: Final = ("method", "sweep", "truth", "noise", "seed", "finding", "found", "rank", "error", "ended")
_KNOWN: Final = frozenset([*range(LAST_LEAF + 1), NEG, *(row.code for row in Operators("physics"))])


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What is measured."""

    methods: tuple[str, ...]
    suite: str = "all"
    only: str = ""  # a text in the names of the sweeps
    limit: int | None = None  # sweeps
    noises: tuple[float, ...] = (0.0, 0.001, 0.01)
    first_seed: int = 0
    n_seeds: int = 3
    time_limit: float = 10.0  # seconds per sweep
    n_processes: int = 1

    def __post_init__(self) -> None:
        if not all(0 <= noise < 1 for noise in self.noises):
            raise DataError(f"Levels of noise are shares from 0 to 1, not {self.noises}.")
        if not self.time_limit > 0:
            raise DataError(f"A time limit is a number of seconds above 0, not {self.time_limit:g}.")

    def selection(self) -> SweepSelection:
        """The sweeps these settings ask for."""
        return select_sweeps(self.suite, only=self.only, limit=self.limit)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """All runs, and what they amount to."""

    settings: SearchSettings
    selection: SweepSelection
    runs: tuple[SearchRun, ...]

    @property
    def summary(self) -> list[SummaryLine]:
        return summarise(self.runs)

    @property
    def failures(self) -> list[SearchRun]:
        return failures(self.runs)

    @property
    def notes(self) -> list[str]:
        """What has to be said beside the figures."""
        chosen = self.selection
        notes = [f"{len(chosen.sweeps)} sweeps; {chosen.n_without_variable} more have a variable that does not matter."]
        if beyond := sum(not _KNOWN.issuperset(sweep.problem.expression.codes.tolist()) for sweep in chosen.sweeps):
            notes.append(f"{beyond} of them have a function that is not looked for here (asin); they count as missed.")
        if flat := sum(line.n_flat for line in self.summary):
            notes.append(f"{flat} runs were left out because the sweep is constant at its settings.")
        if errors := sum(line.n_errors for line in self.summary):
            notes.append(f"{errors} runs ended in an error of the search and count as missed.")
        if not chosen.is_whole:
            notes.append("This is a part of the suite, drawn at random once or chosen by name.")
        return notes

    def as_json(self) -> dict[str, object]:
        """Settings, notes, a line per method and noise, and every failure."""
        missed = [{name: getattr(run, name) for name in _OF_A_FAILURE} for run in self.failures]
        lines = [line.as_json() for line in self.summary]
        return {"settings": asdict(self.settings), "notes": self.notes, "summary": lines, "failures": missed}


def open_log(path: Path, settings: SearchSettings, *, accept_stale: bool = False) -> RunLog:
    """The file of finished runs; runs of other code or another time limit do not count unless asked for."""
    return RunLog(path, f"{code_stamp()}, {settings.time_limit:g} s", accept_stale=accept_stale)


def measure_searches(
    settings: SearchSettings, log: RunLog, *, progress: Callable[[Standing], None] | None = None
) -> SearchResult:
    """Run what the log lacks; methods that cannot be loaded are refused before anything runs."""
    for method in settings.methods:
        make_search(method)
    selection = settings.selection()
    jobs = plan(
        selection,
        methods=settings.methods,
        noises=settings.noises,
        seeds=range(settings.first_seed, settings.first_seed + settings.n_seeds),
        time_limit=settings.time_limit,
    )
    records = run_jobs(jobs, run_job, log, n_processes=settings.n_processes, progress=progress)
    return SearchResult(settings, selection, tuple(SearchRun.from_record(record) for record in records.values()))
