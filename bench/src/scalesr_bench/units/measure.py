"""Every law on the same rows with units and without: what is found, and whether it is dimensionally right."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from scalesr import ScaleSRRegressor
from scalesr.errors import DataError
from scalesr.estimators.frames import named_rows
from scalesr.estimators.units import dimensions_of
from scalesr.evidence.dimensions import units_length
from scalesr.records.discovery import Discovery
from scalesr.records.engine import ready_engine
from scalesr_bench.form_judge import judge_noisy
from scalesr_bench.run_log import Record, RunLog, StoredRun
from scalesr_bench.runner import Standing, runs_of
from scalesr_bench.samplers import with_noise
from scalesr_bench.text_tables import TextTable, joined, rate
from scalesr_bench.units.problems import PROBLEMS, table_of, units_of

MAX_WORK: Final = 1000.0  # units for each run
WAYS: Final = ("with", "without")


@dataclass(frozen=True, slots=True)
class UnitSettings:
    """What is measured."""

    n_rows: int = 30
    noise: float = 0.1  # of the target's standard deviation
    seed: int = 0
    max_work: float = MAX_WORK
    names: tuple[str, ...] = ()  # of laws; none: all
    every: int = 1  # only every n-th law
    n_processes: int = 1

    def __post_init__(self) -> None:
        if unknown := [name for name in self.names if name not in PROBLEMS]:
            raise DataError(f"There is no law {unknown[0]!r} of Feynman; known are {', '.join(PROBLEMS)}.")
        if self.n_rows < 5 or self.noise < 0 or self.max_work <= 0 or self.every < 1:
            raise DataError("Rows are 5 or more, noise 0 or more, work above 0, and every 1 or more.")

    @property
    def laws(self) -> list[str]:
        return list(self.names) or list(PROBLEMS)[:: self.every]

    @property
    def run_limit(self) -> str:
        """What a run may take."""
        return f"{self.max_work:g} units"


@dataclass(frozen=True, slots=True)
class UnitJob:
    """One law, in one of the two ways."""

    name: str
    way: str
    n_rows: int
    noise: float
    seed: int
    max_work: float

    @property
    def key(self) -> str:
        return f"{self.name} | {self.way} units | {self.n_rows} rows | noise {self.noise:g} | seed {self.seed}"


@dataclass(frozen=True, slots=True)
class UnitRun(StoredRun):
    """What came of a law in one way."""

    name: str
    way: str
    truth: str
    found: str
    verdict: str
    probability: float | None
    recovered: bool
    form: bool
    dimensionally_right: bool
    seconds: float


def run_job(job: UnitJob) -> Record:
    """Draw, look for and judge one law."""
    ready_engine(None)
    problem, units = PROBLEMS[job.name], units_of(PROBLEMS[job.name])
    X = table_of(problem, job.n_rows, job.seed)
    y = with_noise(problem.values(X), job.noise, rng=np.random.default_rng([job.seed, job.n_rows, 1]))
    model = ScaleSRRegressor(
        units=units if job.way == "with" else None, time_limit=None, max_work=job.max_work, random_state=job.seed
    )  # fmt: skip
    started = time.perf_counter()
    model.fit(*named_rows(X, problem.names, y, "target"))
    seconds = time.perf_counter() - started
    found = model.discovery_
    assert isinstance(found, Discovery)
    law = found.law.equation.expression
    judged = judge_noisy(law, problem, rng=np.random.default_rng([job.seed, 1]))
    dimensions = dimensions_of(list(units.items()), problem.names, "target")
    run = UnitRun(
        job.name, job.way, problem.formula, found.law.equation.text(), str(found.verdict), found.probability,
        judged.recovered, judged.form, bool(np.isfinite(units_length(law, dimensions))), round(seconds, 2),
    )  # fmt: skip
    return asdict(run)


@dataclass(frozen=True, slots=True)
class UnitsResult:
    """All runs, and what they amount to."""

    settings: UnitSettings
    runs: tuple[UnitRun, ...]

    @property
    def summary(self) -> dict[str, Any]:
        """Counts of each way."""
        return {way: self._of(way) for way in WAYS}

    def _of(self, way: str) -> Mapping[str, int | float]:
        runs = [run for run in self.runs if run.way == way]
        return {
            "laws": len(runs), "recovered": sum(run.recovered for run in runs), "form": sum(run.form for run in runs),
            "dimensionally_wrong": sum(not run.dimensionally_right for run in runs),
            "seconds": round(sum(run.seconds for run in runs), 1),
        }  # fmt: skip

    def as_json(self) -> dict[str, object]:
        """Settings, counts and every run."""
        return {"settings": asdict(self.settings), "summary": self.summary, "runs": [asdict(run) for run in self.runs]}


def measure_units(
    settings: UnitSettings, log: RunLog, *, progress: Callable[[Standing], None] | None = None
) -> UnitsResult:
    """Run what the log lacks, each law in both ways one after the other."""
    jobs = [
        UnitJob(name, way, settings.n_rows, settings.noise, settings.seed, settings.max_work)
        for name in settings.laws
        for way in WAYS
    ]
    runs = runs_of(jobs, run_job, log, UnitRun, n_processes=settings.n_processes, progress=progress)
    return UnitsResult(settings, runs)


def runs_table(result: UnitsResult) -> TextTable:
    """A row per law, and what they amount to below."""
    by_law: dict[str, dict[str, UnitRun]] = {}
    for run in result.runs:
        by_law.setdefault(run.name, {})[run.way] = run
    rows = [
        joined([name, runs["with"].truth[:40], *(cell for way in WAYS for cell in _cells(runs[way]))])
        for name, runs in by_law.items()
    ]
    notes = tuple(
        f"{way.capitalize()} units: {rate(int(told['recovered']), int(told['laws']))} recovered, "
        f"{told['dimensionally_wrong']} dimensionally wrong, {told['seconds']} s."
        for way, told in result.summary.items()
    )
    return TextTable("Laws with units and without", ("law", "truth", "with", "", "without", ""), tuple(rows), notes)


def _cells(run: UnitRun) -> tuple[str, str]:
    return run.found[:36], "right" if run.recovered else "wrong"
