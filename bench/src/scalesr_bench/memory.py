"""Memory of this process: the most it has held, and how much it holds from moment to moment."""

from __future__ import annotations

import os
import resource
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self


def peak_bytes() -> int:
    """The most memory that this process has held; Linux's getrusage would count what its parent held at the start."""
    listing = Path("/proc/self/status")
    if listing.exists():
        lines = dict(line.split(":", 1) for line in listing.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes on macOS


class MemoryCurve:
    """A block in which memory is looked at now and then; `points` are seconds and bytes."""

    def __init__(self, seconds_between: float) -> None:
        self.points: list[tuple[float, int]] = []
        self._between, self._ended = seconds_between, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:  # fmt: skip
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        started = time.monotonic()
        while True:
            self.points.append((round(time.monotonic() - started, 2), _bytes_now()))
            if self._ended.wait(self._between):
                return


def _bytes_now() -> int:
    """What is resident now; the peak where the system does not tell."""
    listing = Path("/proc/self/statm")
    return int(listing.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if listing.exists() else peak_bytes()
