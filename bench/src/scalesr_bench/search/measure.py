"""The benchmark of searches: sweeps with a known answer, every method on each, one judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from scalesr.expr.operators import Operators
from scalesr.kernels.codes import LAST_LEAF, NEG
from scalesr_bench.limits import check_noise_levels, check_time_limit
from scalesr_bench.run_log import RunLog
from scalesr_bench.runner import Standing, runs_of
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
        check_noise_levels(self.noises)
        check_time_limit(self.time_limit)

    def selection(self) -> SweepSelection:
        """The sweeps these settings ask for."""
        return select_sweeps(self.suite, only=self.only, limit=self.limit)

    @property
    def run_limit(self) -> str:
        """What a run may take."""
        return f"{self.time_limit:g} s"


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
    runs = runs_of(jobs, run_job, log, SearchRun, n_processes=settings.n_processes, progress=progress)
    return SearchResult(settings, selection, runs)
