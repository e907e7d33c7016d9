"""Workers on this machine: here, in threads, or in processes of joblib's that are replaced when they die."""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from joblib.externals.loky.process_executor import ProcessPoolExecutor
from threadpoolctl import threadpool_limits

from scalesr.cluster.job import Done, Job, failed

Work = Callable[[Job], Done]

MOST_DEATHS: Final = 3  # of workers at one job: a kill from outside rarely meets the same job so often
DIED: Final = (
    f"The worker died {MOST_DEATHS} times at this table, the last time with no other at work; it may need more memory "
    "than there is. Give fewer rows or columns."
)
ONE_THREAD: Final = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def in_turn(jobs: Sequence[Job], work: Work) -> Generator[Done, None, None]:
    """One job after another, here."""
    with threadpool_limits(1, user_api="blas"):
        for job in jobs:
            done = work(job)
            yield done
            if not done.is_whole:  # the fit has heard an interrupt that was meant for all
                raise KeyboardInterrupt


def in_threads(jobs: Sequence[Job], work: Work, n_workers: int) -> Generator[Done, None, None]:
    """Several at once in this process."""
    with threadpool_limits(1, user_api="blas"):
        pool = ThreadPoolExecutor(n_workers)
        try:
            for future in as_completed([pool.submit(work, job) for job in jobs]):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def in_processes(jobs: Sequence[Job], work: Work, n_workers: int) -> Generator[Done, None, None]:
    """Several at once in processes. When one dies its pool is lost with it: a new one does again what was at work.

    Of several jobs at work nobody knows which one killed its worker, so that one that is met by deaths
    again and again is at last done with no other beside it.
    """
    waiting, alone = deque(jobs), deque[Job]()
    deaths: Counter[str] = Counter()
    while waiting or alone:
        batch, width = (waiting, n_workers) if waiting else (alone, 1)
        for job in (yield from _until_one_dies(batch, work, width)):
            deaths[job.name] += 1
            if deaths[job.name] >= MOST_DEATHS:
                yield failed(job, DIED)
            else:
                (alone if deaths[job.name] == MOST_DEATHS - 1 else waiting).append(job)


def _until_one_dies(jobs: deque[Job], work: Work, n_workers: int) -> Generator[Done, None, list[Job]]:
    """Work on jobs until all are done or a worker dies; returns those that were at work then.

    No more jobs are handed out than there are workers, so that only those can have been the cause.
    """
    pool = ProcessPoolExecutor(n_workers, initializer=_ignore_interrupts, env=ONE_THREAD)
    at_work: dict[Future[Done], Job] = {}
    lost: list[Job] = []
    try:
        while (jobs or at_work) and not lost:
            while jobs and len(at_work) < n_workers:
                job = jobs.popleft()
                try:
                    at_work[pool.submit(work, job)] = job
                except BrokenProcessPool:
                    jobs.appendleft(job)
                    break
            for future in wait(at_work, return_when=FIRST_COMPLETED).done:
                job = at_work.pop(future)
                if isinstance(error := future.exception(), BrokenProcessPool):
                    lost.append(job)
                elif error is not None:
                    yield failed(job, f"The job could not be handed over: {type(error).__name__}: {error}")
                else:
                    yield future.result()
        for future in wait(at_work).done:  # of a broken pool: what had ended before is taken, the rest is lost
            job = at_work.pop(future)
            if future.exception() is None:
                yield future.result()
            else:
                lost.append(job)
    finally:
        pool.shutdown(kill_workers=bool(at_work or lost))
    return lost


def _ignore_interrupts() -> None:
    """An interrupt is for the main process; a search that caught it would report a run cut short as a whole one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
