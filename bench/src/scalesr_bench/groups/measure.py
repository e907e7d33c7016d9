"""The suite of grouped laws: each is drawn, looked for and judged."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from scalesr.errors import DataError
from scalesr.pipeline import discover_in_groups
from scalesr.records.config import Settings
from scalesr.records.engine import ready_engine
from scalesr_bench.groups.drawing import draw_groups
from scalesr_bench.groups.judging import judge_groups
from scalesr_bench.groups.problems import PARTS, PROBLEMS
from scalesr_bench.run_log import Record, RunLog, StoredRun
from scalesr_bench.runner import Standing, runs_of
from scalesr_bench.text_tables import TextTable, joined, rate

MAX_WORK: Final = 6000.0  # units for each law


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """What is measured."""

    part: str = "seen"
    noise: float = 0.01
    seed: int = 0
    max_work: float = MAX_WORK
    names: tuple[str, ...] = ()  # of problems; none: the whole part
    n_processes: int = 1

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise DataError(f"There is no part {self.part!r} of the suite; parts are {', '.join(PARTS)}.")
        if unknown := [name for name in self.names if name not in PROBLEMS]:
            raise DataError(f"There is no law {unknown[0]!r} in groups; known are {', '.join(PROBLEMS)}.")
        if not (self.max_work > 0 and self.noise >= 0):
            raise DataError(f"Work is above 0 and noise 0 or more; not {self.max_work:g} and {self.noise:g}.")

    @property
    def problems(self) -> list[str]:
        return list(self.names) or [problem.name for problem in PARTS[self.part]]

    @property
    def run_limit(self) -> str:
        """What a run may take."""
        return f"{self.max_work:g} units"


@dataclass(frozen=True, slots=True)
class GroupJob:
    """One law."""

    name: str
    noise: float
    seed: int
    max_work: float

    @property
    def key(self) -> str:
        return f"{self.name} | noise {self.noise:g} | seed {self.seed}"


@dataclass(frozen=True, slots=True)
class GroupsRun(StoredRun):
    """What came of a law."""

    name: str
    truth: str
    n_groups: int
    n_rows: int
    found: str
    verdict: str
    probability: float | None
    form: bool
    split: bool
    n_constants: int
    n_within: int
    origin: str
    seconds: float


def run_job(job: GroupJob) -> Record:
    """Draw, look for and judge one law."""
    ready_engine(None)
    problem = PROBLEMS[job.name]
    drawn = draw_groups(problem, seed=job.seed, noise=job.noise)
    started = time.perf_counter()
    rng = np.random.default_rng([job.seed, len(job.name)])
    with np.errstate(all="ignore"):
        found = discover_in_groups(drawn.rows, Settings(time_limit=None, max_work=job.max_work), rng=rng)
        judged = judge_groups(found, drawn)
    run = GroupsRun(
        job.name, problem.law, problem.n_groups, drawn.rows.data.n_rows, found.law.equation.text(), str(found.verdict),
        found.probability, judged.form, judged.split, judged.n_constants, judged.n_within, found.law.origin,
        time.perf_counter() - started,
    )  # fmt: skip
    return asdict(run)


@dataclass(frozen=True, slots=True)
class GroupsResult:
    """All runs, and what they amount to."""

    settings: GroupSettings
    runs: tuple[GroupsRun, ...]

    @property
    def summary(self) -> dict[str, Any]:
        """Counts and rates."""
        right = [run for run in self.runs if run.form and run.split]
        n_constants, n_within = sum(run.n_constants for run in right), sum(run.n_within for run in right)
        return {
            "n_laws": len(self.runs), "n_form": sum(run.form for run in self.runs), "n_form_and_split": len(right),
            "n_constants": n_constants, "n_within_3_standard_errors": n_within,
            "rate_within_3_standard_errors": n_within / n_constants if n_constants else None,
        }  # fmt: skip

    def as_json(self) -> dict[str, object]:
        """Settings, counts and every run."""
        return {"settings": asdict(self.settings), "summary": self.summary, "runs": [asdict(run) for run in self.runs]}


def measure_groups(
    settings: GroupSettings, log: RunLog, *, progress: Callable[[Standing], None] | None = None
) -> GroupsResult:
    """Run what the log lacks."""
    jobs = [GroupJob(name, settings.noise, settings.seed, settings.max_work) for name in settings.problems]
    runs = runs_of(jobs, run_job, log, GroupsRun, n_processes=settings.n_processes, progress=progress)
    return GroupsResult(settings, runs)


def runs_table(result: GroupsResult) -> TextTable:
    """A row per law, and what they amount to below."""
    headings = ("law", "truth", "groups", "rows", "found", "form", "split", "within 3 errors", "verdict", "s")
    rows = [
        joined(
            [
                run.name, run.truth, run.n_groups, run.n_rows, run.found[:60], "yes" if run.form else "no",
                "yes" if run.split else "no", f"{run.n_within} of {run.n_constants}", run.verdict, f"{run.seconds:.1f}",
            ]
        )
        for run in result.runs
    ]  # fmt: skip
    told = result.summary
    notes = (
        f"Form and split right: {rate(told['n_form_and_split'], told['n_laws'])}.",
        f"Constants of these within 3 standard errors: {told['n_within_3_standard_errors']} of {told['n_constants']}.",
    )
    return TextTable("Laws in groups", headings, tuple(rows), notes)
