"""Standing: how far a batch has come, and about how long it will take."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from scalesr.cluster.job import BatchLine


@dataclass(frozen=True, slots=True)
class BatchStanding:
    """How far a batch has come."""

    n_done: int  # of all, those found before included
    n_jobs: int
    n_failed: int
    seconds_left: float | None  # an estimate; None before the first law
    last: BatchLine | None = None  # that has just ended

    @property
    def sentence(self) -> str:
        """The standing, as a sentence."""
        left = (
            ""
            if self.seconds_left is None or self.n_done == self.n_jobs
            else f", about {_told(self.seconds_left)} left"
        )
        failed = f", {self.n_failed} without a law" if self.n_failed else ""
        last = "" if self.last is None else f"; {self.last.sentence}"
        return f"{self.n_done} of {self.n_jobs} done{failed}{left}{last}"


Watcher = Callable[[BatchStanding], None]


class Tally:
    """Counts what is done and estimates what is left from how long the jobs of this run took."""

    def __init__(self, n_jobs: int, n_known: int, watcher: Watcher | None) -> None:
        self._n_jobs, self._n_known, self._watcher = n_jobs, n_known, watcher
        self._n_done = self._n_failed = 0
        self._started = time.monotonic()
        self._tell(None)

    def add(self, line: BatchLine) -> None:
        """One more has ended."""
        self._n_done += 1
        self._n_failed += bool(line.failure)
        self._tell(line)

    def _tell(self, last: BatchLine | None) -> None:
        if self._watcher is None:
            return
        n_left = self._n_jobs - self._n_known - self._n_done
        taken = time.monotonic() - self._started
        left = taken / self._n_done * n_left if self._n_done else None
        self._watcher(BatchStanding(self._n_known + self._n_done, self._n_jobs, self._n_failed, left, last))


def _told(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
