"""Fits with random time limits in the main thread, in threads and in processes: how late each one is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_all_start_methods, get_context
from threading import Timer
from typing import Any, Final

import numpy as np

from scalesr import ScaleSRRegressor
from scalesr.bench.clock.tables import hard_table
from scalesr.records.discovery import Discovery
from scalesr.records.engine import ready_engine
from scalesr.records.outcome import Ending

SHORTEST, LONGEST = 0.2, 20.0  # seconds of a limit
SHARE, MORE = 0.1, 1.0  # of the limit, and seconds, that a fit may take beyond it
AT_ONCE = 2  # fits in threads or processes
MAIN: Final = "main thread"
THREADS: Final = "threads"


@dataclass(frozen=True, slots=True)
class TimedFit:
    """One fit, its limit and what it took."""

    where: str  # the thread or process that made it
    limit: float
    seconds: float
    processor_beyond: float | None  # seconds of the processors after the limit; None where fits share a process
    rows: int
    columns: int
    was_cut: bool  # as its discovery says

    @property
    def is_late(self) -> bool:
        return self.seconds > self.limit * (1 + SHARE) + MORE


def random_limits(n: int, seed: int) -> list[float]:
    """Limits of which short ones are as frequent as long ones, in powers of ten."""
    low, high = np.log([SHORTEST, LONGEST])
    return [round(float(np.exp(limit)), 3) for limit in np.random.default_rng(seed).uniform(low, high, n)]


def timed_fit(where: str, limit: float, seed: int) -> TimedFit:
    """A fit of rows that no short law fits."""
    X, y = hard_table(seed)
    started, at_limit = time.monotonic(), [math.inf]
    timer = Timer(limit, lambda: at_limit.insert(0, time.process_time()))
    timer.start()
    found = ScaleSRRegressor(time_limit=limit, random_state=seed).fit(X, y).discovery_
    seconds, beyond = time.monotonic() - started, max(time.process_time() - at_limit[0], 0.0)
    timer.cancel()
    assert isinstance(found, Discovery)  # y is one target
    own = None if where == THREADS else round(beyond, 3)
    return TimedFit(where, limit, seconds, own, X.shape[0], X.shape[1], found.ending is Ending.TIME)


def measure_limits(n_fits: int, seed: int, told: Callable[[str], None]) -> dict[str, Any]:
    """Counts and the latest of all fits, and each of them."""
    ready_engine()
    starts = [method for method in ("fork", "spawn") if method in get_all_start_methods()]
    places = [MAIN, THREADS, *(f"processes by {method}" for method in starts)]
    limits = random_limits(n_fits, seed)
    fits: list[TimedFit] = []
    for place, where in enumerate(places):
        own = limits[place :: len(places)]
        told(f"{len(own)} fits with limits of {SHORTEST:g} to {LONGEST:g} s in {where}")
        fits += _made(where, own, seed)
    late = [fit for fit in fits if fit.is_late]
    return {
        "fits": len(fits),
        "late": len(late),
        "were_cut": sum(fit.was_cut for fit in fits),
        "most_seconds_beyond_the_limit": round(max((fit.seconds - fit.limit for fit in fits), default=0.0), 3),
        "most_processor_seconds_beyond_the_limit": max((fit.processor_beyond or 0.0 for fit in fits), default=0.0),
        "may_be_late_by": f"{SHARE:.0%} of the limit and {MORE:g} s",
        "at_once": AT_ONCE,
        "runs": [{**asdict(fit), "seconds": round(fit.seconds, 3)} for fit in fits],
    }


def _made(where: str, limits: Sequence[float], seed: int) -> list[TimedFit]:
    seeds = range(seed, seed + len(limits))
    if where == MAIN:
        return [timed_fit(where, limit, one) for limit, one in zip(limits, seeds, strict=True)]
    with _pool(where) as pool:
        list(pool.map(_ready, range(2 * AT_ONCE)))  # what is loaded once per process is in no limit
        return list(pool.map(timed_fit, [where] * len(limits), limits, seeds))


def _pool(where: str) -> Executor:
    if where == THREADS:
        return ThreadPoolExecutor(AT_ONCE)
    return ProcessPoolExecutor(AT_ONCE, mp_context=get_context(where.rpartition(" ")[2]))


def _ready(_: int) -> None:
    ready_engine()
    time.sleep(0.2)  # so that every worker gets one
