"""Jobs on worker processes, single-threaded each; every result is stored the moment it is there."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context
from typing import Any, Final, Protocol, TypeVar

from scalesr_bench.run_log import Record, RunLog, StoredRun


class Keyed(Protocol):
    """A job that can be told from all others of its benchmark."""

    @property
    def key(self) -> str: ...


Job = TypeVar("Job")
KeyedJob = TypeVar("KeyedJob", bound=Keyed)
Run = TypeVar("Run", bound=StoredRun)

_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_LOADED: Final = "scalesr_bench.loaded"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a benchmark has come."""

    n_done: int  # of all, those found in the log included
    n_jobs: int
    seconds_left: float | None  # an estimate; None before the first result
    last: str  # job that has just ended, "" before the first
    record: Record  # of that job


def run_jobs(
    jobs: Mapping[str, Job],
    work: Callable[[Job], Record],
    log: RunLog,
    *,
    n_processes: int = 1,
    progress: Callable[[Standing], None] | None = None,
) -> dict[str, Record]:
    """Run the jobs that the log lacks and return the records of all, in the order of `jobs`."""
    waiting = {key: job for key, job in jobs.items() if key not in log.records}
    tell = progress or (lambda _: None)
    tell(Standing(len(jobs) - len(waiting), len(jobs), None, "", {}))
    started = time.monotonic()
    for n_done, (key, record) in enumerate(_results(waiting, work, n_processes), 1):
        log.append(key, record)
        n_left = len(waiting) - n_done
        seconds_left = (time.monotonic() - started) / n_done * n_left
        tell(Standing(len(jobs) - n_left, len(jobs), seconds_left, key, record))
    return {key: log.records[key] for key in jobs}


def runs_of(
    jobs: Iterable[KeyedJob],
    work: Callable[[KeyedJob], Record],
    log: RunLog,
    kind: type[Run],
    *,
    n_processes: int = 1,
    progress: Callable[[Standing], None] | None = None,
) -> tuple[Run, ...]:
    """Run the jobs that the log lacks and return what came of all of them, in their order."""
    records = run_jobs({job.key: job for job in jobs}, work, log, n_processes=n_processes, progress=progress)
    return tuple(kind.from_record(record) for record in records.values())


def _results(jobs: Mapping[str, Job], work: Callable[[Job], Record], n_processes: int) -> Iterator[tuple[str, Record]]:
    """Results as they arrive."""
    if not jobs:
        return
    with _environment_of_workers():
        pool = ProcessPoolExecutor(n_processes, mp_context=worker_context(), initializer=_ignore_interrupts)
        try:
            keys = {pool.submit(work, job): key for key, job in jobs.items()}
            for future in as_completed(keys):
                yield keys[future], future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def worker_context() -> Any:
    """How processes start: forked from one that has loaded everything and runs nothing, where there are forks."""
    if "forkserver" not in get_all_start_methods():
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([_LOADED])
    return context


def _ignore_interrupts() -> None:
    """An interrupt is for the main process; a search that caught it would report a run cut short as a whole one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _environment_of_workers() -> Iterator[None]:
    """Processes that start meanwhile import what this one would; their numerical libraries use one thread."""
    given = dict.fromkeys(_THREADS, "1") | {"PYTHONPATH": os.pathsep.join(sys.path)}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
