"""The benchmark of whole discoveries: tables with a known answer, every method on each, one judge."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from scalesr.errors import DataError
from scalesr_bench.laws.methods import check_method, limits_of
from scalesr_bench.laws.runs import LawJob, LawRun, run_job
from scalesr_bench.laws.suites import SuiteChoice, countable, has_parts, select, suite_of
from scalesr_bench.laws.summary import LawLine, ProblemLine, by_problem, failures, summarise
from scalesr_bench.laws.target_noise import NoiseKind
from scalesr_bench.limits import check_noise_levels, check_time_limit
from scalesr_bench.problems.no_law import NoLaw
from scalesr_bench.problems.problem_file import check_formula, read_problems
from scalesr_bench.problems.science import SEEN
from scalesr_bench.run_log import RunLog
from scalesr_bench.run_log import open_log as open_log_of
from scalesr_bench.runner import Standing, runs_of

_OF_A_FAILURE: Final = (
    "method", "suite", "problem", "truth", "noise_kind", "noise", "given_rows", "seed", "finding", "found",
    "verdict", "reason", "origin", "ended", "failed_at", "lost_by", "truth_ahead", "nmse", "msre",
    "wrong_exact", "extra_used", "seconds", "stages",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LawSettings:
    """What is measured."""

    suite: str
    methods: tuple[str, ...] = ("default",)
    problems: tuple[str, ...] = ()  # patterns of names; none: all of the suite
    noises: tuple[float, ...] = (0.0,)
    first_seed: int = 0
    n_seeds: int = 3
    time_limit: float = 90.0  # seconds per run
    n_processes: int = 1
    rows: tuple[int, ...] = ()  # numbers of rows; none: the usual one, or 10 000
    n_extra: int = 0  # columns that do not matter
    oracle: bool = False
    law_seed: int = 0  # of suites that are drawn
    file: str = ""  # name of a file that the problems come from
    part: str = ""  # of suites that have parts; none: the seen one
    noise_kind: NoiseKind | None = None  # None: the suite's own

    def __post_init__(self) -> None:
        check_noise_levels(self.noises)
        if not all(n_rows >= 1 for n_rows in self.rows):
            raise DataError(f"Numbers of rows are whole numbers from 1 on, not {self.rows}.")
        check_time_limit(self.time_limit)

    @property
    def part_or_seen(self) -> str:
        """The part of the suite; "" where it has none."""
        return (self.part or SEEN) if has_parts(self.suite) and not self.file else ""

    @property
    def label(self) -> str:
        """A name for the file of results."""
        parts = ["laws", *self.suite.split(","), *([self.part_or_seen] if self.part_or_seen else [])]
        parts += [f"noise-{'-'.join(f'{noise:g}' for noise in self.noises)}"] if any(self.noises) else []
        parts += [self.noise_kind] if self.noise_kind and any(self.noises) else []
        parts += [f"{'-'.join(map(str, self.rows))}-rows"] if self.rows else []
        parts += [f"{self.n_extra}-extra"] if self.n_extra else []
        return "-".join([*parts, "oracle"] if self.oracle else parts)


@dataclass(frozen=True, slots=True)
class LawResult:
    """All runs, and what they amount to."""

    settings: LawSettings
    selection: SuiteChoice
    runs: tuple[LawRun, ...]

    @property
    def summary(self) -> list[LawLine]:
        return summarise(self.runs)

    @property
    def problems(self) -> list[ProblemLine]:
        return by_problem(self.runs)

    @property
    def failures(self) -> list[LawRun]:
        return failures(self.runs)

    @property
    def notes(self) -> list[str]:
        """What has to be said beside the figures."""
        sources = self.selection.sources
        notes = [f"{len(sources)} tables."]
        if self.settings.part_or_seen:
            notes.append(f"Of suites in two halves the part {self.settings.part_or_seen!r}.")
        if self.selection.skipped:
            names = ", ".join(self.selection.skipped)
            notes.append(f"Not positive in their box, so that nothing can be counted, and skipped: {names}.")
        if any(isinstance(source, NoLaw) for source in sources):
            notes.append('A table without a law is right if "exact" is not said of it; noise, if no law is found.')
        if self.settings.oracle:
            notes.append("Methods had no rows: they asked the true function for all values, those of a table included.")
        if errors := sum(line.n_errors for line in self.summary):
            notes.append(f"{errors} runs ended in an error of the method and count as missed.")
        if large := sum(run.too_large for run in self.runs):
            notes.append(f"{large} formulas are too large to compare symbolically; only their values were looked at.")
        notes += [limits for method in self.settings.methods if (limits := limits_of(method))]
        if not self.selection.is_whole:
            notes.append("This is a part of the suite, chosen by name.")
        return notes

    def as_json(self) -> dict[str, object]:
        """Settings, notes, a line per suite, method and noise, one per problem, and every failure."""
        return {
            "settings": asdict(self.settings),
            "notes": self.notes,
            "summary": [line.as_json() for line in self.summary],
            "problems": [asdict(line) for line in self.problems],
            "failures": [{name: getattr(run, name) for name in _OF_A_FAILURE} for run in self.failures],
        }


def choose(settings: LawSettings, file: Path | None = None) -> SuiteChoice:
    """The tables that settings ask for, from a suite or from a file of problems."""
    if file is not None:
        problems = read_problems(file, settings.suite)
        chosen = select(problems, settings.problems)
        for problem in problems:
            if problem in chosen.sources:
                check_formula(problem)
    else:
        chosen = select(
            suite_of(settings.suite, law_seed=settings.law_seed, part=settings.part), settings.problems
        )  # fmt: skip
    return countable(chosen) if settings.noise_kind == "counts" else chosen


def open_log(
    path: Path, settings: LawSettings, file: Path | None = None, *, accept_stale: bool = False
) -> RunLog:  # fmt: skip
    """The file of finished runs; those of other code, another time limit or other problems count only if asked for."""
    problems = f", {hashlib.sha256(file.read_bytes()).hexdigest()[:16]}" if file is not None else ""
    return open_log_of(path, f"{settings.time_limit:g} s{problems}", accept_stale=accept_stale)


def measure_laws(
    settings: LawSettings, selection: SuiteChoice, log: RunLog, *, progress: Callable[[Standing], None] | None = None
) -> LawResult:
    """Run what the log lacks."""
    jobs = plan(settings, selection).values()
    runs = runs_of(jobs, run_job, log, LawRun, n_processes=settings.n_processes, progress=progress)
    return LawResult(settings, selection, runs)


def check_methods(settings: LawSettings) -> None:
    """Refuse methods that cannot be loaded."""
    for method in settings.methods:
        check_method(method)


def plan(settings: LawSettings, selection: SuiteChoice) -> dict[str, LawJob]:
    """All jobs by key, in an order that lets methods and noise levels be compared before the end."""
    jobs = [
        LawJob(
            method, source, seed, settings.time_limit, noise, n_rows, settings.n_extra, settings.oracle,
            settings.noise_kind if noise else None,
        )
        for seed in range(settings.first_seed, settings.first_seed + settings.n_seeds)
        for source in selection.sources
        for n_rows in settings.rows or (None,)
        for noise in settings.noises
        for method in settings.methods
    ]  # fmt: skip
    return {job.key: job for job in jobs}
