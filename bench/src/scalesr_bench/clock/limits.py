"""Fits with random time limits in the main thread, in threads and in processes: how late each one is, and where.

Every fit is stored when it ends, so a measurement that is ended goes on with those that are missing.
"""

from __future__ import annotations

import math
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_all_start_methods, get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from scalesr import ScaleSRRegressor
from scalesr.records.discovery import Discovery
from scalesr.records.engine import ready_engine
from scalesr.records.outcome import Ending
from scalesr_bench.clock.kept import KeptRecords
from scalesr_bench.clock.tables import hard_table

SHORTEST, LONGEST = 0.2, 20.0  # seconds of a limit
SHARE, MORE = 0.1, 1.0  # of the limit, and seconds, that a fit may take beyond it
AT_ONCE = 2  # fits in threads or processes
N_FRAMES = 12  # of what a late fit is doing, the innermost first
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
    late_in: tuple[str, ...] = ()  # what it was doing when it might last have ended in time, where it did not

    @property
    def is_late(self) -> bool:
        return self.seconds > latest(self.limit)

    @property
    def is_late_by_processor(self) -> bool:
        """Whether its own work alone made it late: what a machine with other work cannot be blamed for."""
        return self.processor_beyond is not None and self.limit + self.processor_beyond > latest(self.limit)


def random_limits(n: int, seed: int) -> list[float]:
    """Limits of which short ones are as frequent as long ones, in powers of ten."""
    low, high = np.log([SHORTEST, LONGEST])
    return [round(float(np.exp(limit)), 3) for limit in np.random.default_rng(seed).uniform(low, high, n)]


def latest(limit: float) -> float:
    """Seconds after which a fit with this limit is late."""
    return limit * (1 + SHARE) + MORE


def timed_fit(where: str, limit: float, seed: int) -> TimedFit:
    """A fit of rows that no short law fits."""
    X, y = hard_table(seed)
    own, started = threading.get_ident(), time.monotonic()
    at_limit, late_in = [math.inf], list[str]()
    timers = [
        threading.Timer(limit, lambda: at_limit.insert(0, time.process_time())),
        threading.Timer(latest(limit), lambda: late_in.extend(_doing(own))),
    ]
    for timer in timers:
        timer.start()
    found = ScaleSRRegressor(time_limit=limit, random_state=seed).fit(X, y).discovery_
    seconds, beyond = time.monotonic() - started, max(time.process_time() - at_limit[0], 0.0)
    for timer in timers:
        timer.cancel()
    assert isinstance(found, Discovery)  # y is one target
    processor = None if where == THREADS else round(beyond, 3)
    was_cut = found.ending is Ending.TIME
    return TimedFit(where, limit, seconds, processor, X.shape[0], X.shape[1], was_cut, tuple(late_in))


def _doing(thread: int) -> list[str]:
    """What a thread is doing, the innermost first."""
    frames = traceback.extract_stack(sys._current_frames().get(thread))
    return [f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in reversed(frames)][:N_FRAMES]


def measure_limits(
    n_fits: int, seed: int, told: Callable[[str], None], kept: KeptRecords | None = None
) -> dict[str, Any]:
    """Counts and the latest of all fits, and each of them."""
    ready_engine()
    starts = [method for method in ("fork", "spawn") if method in get_all_start_methods()]
    places = [MAIN, THREADS, *(f"processes by {method}" for method in starts)]
    limits, log = random_limits(n_fits, seed), kept or KeptRecords(None)
    fits: list[TimedFit] = []
    for place, where in enumerate(places):
        jobs = {
            f"{where}, fit {n} of seed {seed} within {limit:g} s": (limit, seed + n)
            for n, limit in enumerate(limits[place :: len(places)])
        }
        told(f"{len(jobs)} fits with limits of {SHORTEST:g} to {LONGEST:g} s in {where}")
        fits += [TimedFit(**record) for record in log.all(jobs, _made(where), told)]
    late = [fit for fit in fits if fit.is_late]
    return {
        "fits": len(fits),
        "late": len(late),
        "late_by_processor_time": sum(fit.is_late_by_processor for fit in fits),
        "late_in": [{"limit": fit.limit, "seconds": fit.seconds, "doing": list(fit.late_in)} for fit in late],
        "were_cut": sum(fit.was_cut for fit in fits),
        "most_seconds_beyond_the_limit": round(max((fit.seconds - fit.limit for fit in fits), default=0.0), 3),
        "most_processor_seconds_beyond_the_limit": max((fit.processor_beyond or 0.0 for fit in fits), default=0.0),
        "may_be_late_by": f"{SHARE:.0%} of the limit and {MORE:g} s",
        "at_once": AT_ONCE,
        "runs": [{**asdict(fit), "seconds": round(fit.seconds, 3), "late_in": list(fit.late_in)} for fit in fits],
    }


def _made(where: str) -> Callable[[Mapping[str, tuple[float, int]]], Iterator[tuple[str, dict[str, Any]]]]:
    """How fits are made in a place, each told when it has ended."""

    def here(jobs: Mapping[str, tuple[float, int]]) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, job in jobs.items():
            yield name, asdict(timed_fit(where, *job))

    def elsewhere(jobs: Mapping[str, tuple[float, int]]) -> Iterator[tuple[str, dict[str, Any]]]:
        with _pool(where) as pool:
            list(pool.map(_ready, range(2 * AT_ONCE)))  # what is loaded once per process is in no limit
            names = {pool.submit(timed_fit, where, *job): name for name, job in jobs.items()}
            for done in as_completed(names):
                yield names[done], asdict(done.result())

    return here if where == MAIN else elsewhere


def _pool(where: str) -> Executor:
    if where == THREADS:
        return ThreadPoolExecutor(AT_ONCE)
    return ProcessPoolExecutor(AT_ONCE, mp_context=get_context(where.rpartition(" ")[2]))


def _ready(_: int) -> None:
    ready_engine()
    time.sleep(0.2)  # so that every worker gets one
