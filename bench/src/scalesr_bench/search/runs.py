"""One run of the one-variable suite: draw a sweep, search it, judge what was found."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from scalesr.expr.printing import to_text
from scalesr.records.budget import Budget, Progress
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr_bench.run_log import Record, StoredRun
from scalesr_bench.search.methods import make_search
from scalesr_bench.search.suite import SearchJob
from scalesr_bench.search.sweep_judge import judge_ranking
from scalesr_bench.search.sweeps import DrawnSweep, draw_sweep

FLAT: Final = "flat"
ERROR: Final = "error"
_WARM_UP_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class SearchRun(StoredRun):
    """What came out of one job."""

    method: str
    sweep: str
    truth: str
    noise: float
    seed: int
    finding: str  # "right", or why not: "form", "size", "constants", "nothing", "error"; "flat" was not searched
    found: str = ""  # text of the best skeleton, or of the error
    rank: int | None = None  # of the first right skeleton among the first 12
    seconds: float = 0.0
    seconds_to_best: float = 0.0  # until the best skeleton had become the best
    n_fits: int = 0
    n_scored: int = 0
    error: float | None = None  # of the best skeleton, relative
    ended: str = ""


def run_job(job: SearchJob) -> Record:
    """Run a job in this process; whatever goes wrong in the search is a finding."""
    _warm_up(job.method)
    drawn = draw_sweep(job.source, noise=job.noise, seed=job.seed)
    if drawn.is_flat:
        return asdict(_run(job, FLAT))
    watch = _Watch()
    start = time.perf_counter()
    try:
        ranking = make_search(job.method).search(
            drawn.sweep, Budget(seconds=job.time_limit), rng=drawn.search_stream(), progress=watch
        )
    except Exception as error:  # a benchmark goes on and tells what failed
        seconds = time.perf_counter() - start
        return asdict(_run(job, ERROR, found=f"{type(error).__name__}: {error}", seconds=seconds))
    return asdict(_judged(job, drawn, ranking, watch, time.perf_counter() - start))


def _judged(job: SearchJob, drawn: DrawnSweep, ranking: Ranking, watch: _Watch, seconds: float) -> SearchRun:
    verdict = judge_ranking(ranking, drawn)
    best = ranking.best
    return _run(
        job,
        verdict.finding,
        found=to_text(best.expression, ranking.names) if best else "",
        rank=verdict.rank,
        seconds=seconds,
        seconds_to_best=watch.since if best and watch.best == str(best.expression) else seconds,
        n_fits=ranking.n_fits,
        n_scored=ranking.n_scored,
        error=best.error if best and np.isfinite(best.error) else None,
        ended=ranking.ended,
    )


def _run(job: SearchJob, finding: str, **rest: Any) -> SearchRun:
    source = job.source
    return SearchRun(job.method, source.key, source.problem.text, job.noise, job.seed, finding, **rest)


class _Watch:
    """Listens to a search and remembers since when its best skeleton is the best."""

    def __init__(self) -> None:
        self.best = ""
        self.since = 0.0

    def __call__(self, progress: Progress) -> None:
        if progress.best != self.best:
            self.best, self.since = progress.best, progress.seconds


@cache
def _warm_up(method: str) -> None:
    """Let a method compile and load what it needs, once per process, before the clock starts."""
    x = np.linspace(0.5, 2.0, 20)
    sweep = Sweep.from_groups([x, x], [np.exp(x) + 1, 2 * np.exp(x)], noise=0.0, names=["x"])
    make_search(method).search(sweep, Budget(seconds=_WARM_UP_SECONDS), rng=np.random.default_rng(0))
