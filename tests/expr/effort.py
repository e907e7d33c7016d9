"""Processor time of some work in that of other work, which is the same on a slow machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache

from scalesr.expr.text import parse

TERMS = 10_000


def effort(work: Callable[[], object]) -> float:
    """How many sums of ten thousand terms could be read in the time that the work takes."""
    return _seconds(work) / _unit()


@cache
def _unit() -> float:
    text = "x0" + " - 0.1" * TERMS
    return min(_seconds(lambda: parse(text)) for _ in range(3))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
