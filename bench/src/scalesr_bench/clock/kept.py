"""What was measured of the clock, kept as it comes: a measurement that was ended goes on with what is missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from scalesr_bench.run_log import RunLog, code_stamp

Job = TypeVar("Job")
Told = Callable[[str], None]


class KeptRecords:
    """Records by the name of their job, in a file where there is one; those of other code do not count."""

    def __init__(self, path: Path | None) -> None:
        self._log = None if path is None else RunLog(path, code_stamp())
        self._records: dict[str, Any] = {} if self._log is None else dict(self._log.records)

    def all(
        self,
        jobs: Mapping[str, Job],
        make: Callable[[Mapping[str, Job]], Iterator[tuple[str, dict[str, Any]]]],
        told: Told,
    ) -> list[dict[str, Any]]:
        """The records of all jobs, in their order; those that are missing are made, and each is told."""
        missing = {name: job for name, job in jobs.items() if name not in self._records}
        if len(missing) < len(jobs):
            told(f"{len(jobs) - len(missing)} of {len(jobs)} were measured before and count")
        started = time.monotonic()
        for n_done, (name, record) in enumerate(make(missing) if missing else (), 1):
            self._keep(name, record)
            seconds_left = (time.monotonic() - started) / n_done * (len(missing) - n_done)
            told(f"{len(jobs) - len(missing) + n_done} of {len(jobs)}, about {seconds_left:.0f} s more ({name})")
        return [self._records[name] for name in jobs]

    def _keep(self, name: str, record: dict[str, Any]) -> None:
        self._records[name] = record
        if self._log is not None:
            self._log.append(name, record)
