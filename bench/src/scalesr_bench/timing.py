"""Timings that can be compared: tasks take turns, on one core, and the fastest turn counts."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

Task = Callable[[], object]


def fastest(tasks: Mapping[str, Task], *, repeats: int) -> dict[str, float]:
    """Least seconds per task over `repeats` rounds, in each of which every task runs once."""
    best = dict.fromkeys(tasks, float("inf"))
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(repeats):
            for name, task in tasks.items():
                best[name] = min(best[name], seconds(task))
    finally:
        if collecting:
            gc.enable()
    return best


def seconds(task: Task) -> float:
    """Wall time of one run."""
    start = time.perf_counter()
    task()
    return time.perf_counter() - start


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on a single core, where the system allows it."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
