"""One run: draw a table, look for its law, judge what was found."""

from __future__ import annotations

import time
import traceback
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery
from scalesr.records.oracle import Oracle
from scalesr_bench.laws.condition import Condition
from scalesr_bench.laws.drawing import DrawnTable, TrueFunction, asked_table, draw_table
from scalesr_bench.laws.failing import failed_at
from scalesr_bench.laws.judging import ERROR, RIGHT, judge
from scalesr_bench.laws.lost_by import preference
from scalesr_bench.laws.methods import make_method
from scalesr_bench.laws.suites import Source
from scalesr_bench.laws.target_noise import NoiseKind
from scalesr_bench.problems.no_law import NoLaw
from scalesr_bench.run_log import Record, StoredRun

Floats = NDArray[np.float64]

_WARM_UP_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class LawJob:
    """One method on one table."""

    method: str
    source: Source
    seed: int
    time_limit: float
    noise: float = 0.0  # level, as its kind has it
    n_rows: int | None = None  # None: the usual number
    n_extra: int = 0  # columns that do not matter
    oracle: bool = False  # whether there are no rows and the true function is asked for everything
    noise_kind: NoiseKind | None = None  # None: the source's own

    @property
    def key(self) -> str:
        kind = f" {self.noise_kind}" if self.noise_kind else ""
        parts = [self.method, self.source.key, f"noise {self.noise:g}{kind}"]
        parts += [f"{self.n_rows} rows"] if self.n_rows else []
        parts += [f"{self.n_extra} extra columns"] if self.n_extra else []
        parts += ["oracle"] if self.oracle else []
        return " | ".join([*parts, f"seed {self.seed}"])


@dataclass(frozen=True, slots=True)
class LawRun(StoredRun):
    """What came out of one job."""

    method: str
    suite: str
    problem: str
    truth: str
    noise: float
    seed: int
    finding: str  # "right", or what is wrong: "form", "size", "constants", "verdict", "error"
    n_rows: int
    seconds: float
    found: str = ""  # text of the law, or of the error
    verdict: str = ""
    reason: str = ""
    ended: str = ""
    origin: str = ""
    has_law: bool = True
    numeric: bool = False
    symbolic: bool = False
    size: bool = False
    form: bool = False
    paper: bool = False
    msre: float | None = None
    nmse: float | None = None
    verdict_right: bool = False
    wrong_exact: bool = False
    too_large: bool = False  # to be compared symbolically
    failed_at: str = ""  # the stage at which the law was missed, as its trace tells
    complexity: int = 0
    extra_used: tuple[str, ...] = ()
    n_asked: int = 0  # rows asked of the oracle, those of the table among them
    noise_kind: str = ""  # "" without noise
    given_rows: int | None = None  # rows that were asked for instead of the usual number
    lost_by: str = ""  # of a law that was missed: "search" where the rows prefer the truth, else "data"
    truth_ahead: float | None = None  # by how many nats they prefer it; None where that is not finite
    stages: dict[str, float] = field(default_factory=dict)  # seconds

    @property
    def condition(self) -> Condition:
        return Condition(self.noise_kind, self.noise, self.given_rows)

    @property
    def is_right(self) -> bool:
        """Whether the law was recovered or, where there is none, no law was claimed."""
        return self.finding == RIGHT


def run_job(job: LawJob) -> Record:
    """Run a job in this process; whatever goes wrong in the method is a finding."""
    drawn = draw_table(
        job.source, seed=job.seed, noise=job.noise, kind=job.noise_kind, n_rows=job.n_rows, n_extra=job.n_extra
    )
    truth = drawn.oracle()
    start = time.perf_counter()
    try:
        warm_up(job.method, oracle=job.oracle)
        start = time.perf_counter()
        data, settings = drawn.data, Settings(time_limit=job.time_limit)
        if job.oracle:
            data, oracle = asked_table(drawn, Oracle(truth))
            settings = replace(settings, generator=oracle)
        discovery = make_method(job.method)(data, settings, rng=drawn.method_stream())
    except Exception as error:  # a benchmark goes on and tells what failed
        seconds = time.perf_counter() - start
        return asdict(_run(job, drawn, ERROR, seconds, found=describe(error), n_asked=truth.n_asked))
    return asdict(_judged(job, drawn, discovery, truth, time.perf_counter() - start))


def _lost(drawn: DrawnTable, discovery: Discovery, finding: str) -> dict[str, Any]:
    """Whether search or data lost a law that was missed, and by how much; nothing where none was."""
    if finding == RIGHT or isinstance(drawn.source, NoLaw):
        return {}
    found = preference(drawn.data, drawn.source.expression, discovery.equation.expression)
    return {"lost_by": found.lost_by, "truth_ahead": found.nats if np.isfinite(found.nats) else None}


def _judged(job: LawJob, drawn: DrawnTable, discovery: Discovery, truth: TrueFunction, seconds: float) -> LawRun:
    judgement = asdict(judge(discovery, drawn))
    finding = judgement.pop("finding")
    stage = "" if finding == RIGHT else _stage(job, discovery)
    used = {drawn.source.names[column] for column in discovery.equation.expression.variables}
    return _run(
        job,
        drawn,
        finding,
        seconds,
        found=discovery.equation.text(),
        verdict=str(discovery.verdict),
        reason=discovery.reason,
        ended=discovery.ended,
        origin=discovery.law.origin,
        failed_at=stage,
        **_lost(drawn, discovery, finding),
        complexity=discovery.equation.complexity,
        extra_used=tuple(sorted(used & set(drawn.extra))),
        n_asked=truth.n_asked,
        stages={stage: round(spent, 4) for stage, spent in discovery.timings.items()},
        **judgement,
    )


def _stage(job: LawJob, discovery: Discovery) -> str:
    """Where a law was missed; "" where there is none."""
    return "" if isinstance(job.source, NoLaw) else failed_at(discovery, job.noise)


def _run(job: LawJob, drawn: DrawnTable, finding: str, seconds: float, **rest: Any) -> LawRun:
    source = drawn.source
    return LawRun(
        job.method, source.suite, source.name, source.text, job.noise, job.seed, finding, drawn.data.n_rows, seconds,
        has_law=not isinstance(source, NoLaw), noise_kind=drawn.noise.kind if drawn.is_noisy else "",
        given_rows=job.n_rows, **rest,
    )  # fmt: skip


def describe(error: Exception) -> str:
    """An error in one line, with the place where it came up."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


@cache
def warm_up(method: str, *, oracle: bool = False) -> None:
    """Let a method compile and load what it needs, once per process, before the clock starts."""
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 2, (300, 2))
    data = Dataset.from_table(X, _warm_up_law(X), names=["u", "v"])
    settings = Settings(time_limit=_WARM_UP_SECONDS, generator=Oracle(_warm_up_law) if oracle else "auto")
    make_method(method)(data, settings, rng=rng)


def _warm_up_law(X: Floats) -> Floats:
    return np.asarray(X[:, 0] * np.exp(X[:, 1]) + np.sin(3 * X[:, 0] * X[:, 1]))
