"""How long the first law takes: from an empty cache, in a new process, and how much of it is imports."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

POWER_LAW = "3*x0*x1^2"
REFERENCE = "import sklearn.base, pandas"
OURS = "from scalesr import ScaleSRRegressor"
FIRST_LAW = f"""
import numpy as np
{OURS}
X = np.random.default_rng(0).uniform(1, 5, (200, 2))
print(ScaleSRRegressor(time_limit=5, random_state=0).fit(X, 3 * X[:, 0] * X[:, 1] ** 2).equation_)
"""


@dataclass(frozen=True, slots=True)
class Start:
    """A process from its start to its end: seconds by the clock and of the processors, and what it printed."""

    seconds: float
    processor: float
    printed: str


def measure_starts(repeats: int) -> dict[str, Any]:
    """The least of some repetitions, so that what else the machine does counts as little as it can.

    Seconds of the processors are told beside those of the clock: on a busy machine they say more.
    """
    with tempfile.TemporaryDirectory() as warm:
        _started(FIRST_LAW, warm)
        empty = [_from_nothing() for _ in range(repeats)]
        again = [_started(FIRST_LAW, warm) for _ in range(repeats)]
        ours, reference = ([_started(source, warm) for _ in range(2 * repeats)] for source in (OURS, REFERENCE))
    return {
        "law": POWER_LAW,
        "time_limit": 5,
        "found_every_time": all(one.printed == POWER_LAW for one in (*empty, *again)),
        "from_an_empty_cache": _least(empty),
        "in_a_new_process": _least(again),
        "beyond_the_import": {name: round(_least(again)[name] - _least(ours)[name], 3) for name in _least(ours)},
        "import": _least(ours),
        "reference": _least(reference) | {"source": REFERENCE},
        "ratio_of_the_import": {name: round(_least(ours)[name] / _least(reference)[name], 3) for name in _least(ours)},
        "repeats": repeats,
    }


def _least(starts: Sequence[Start]) -> dict[str, float]:
    """The least of each kind of seconds."""
    return {
        "seconds": round(min(one.seconds for one in starts), 3),
        "processor_seconds": round(min(one.processor for one in starts), 3),
    }


def _from_nothing() -> Start:
    with tempfile.TemporaryDirectory() as empty:
        return _started(FIRST_LAW, empty)


def _started(source: str, folder: str) -> Start:
    """A new process with this folder as its cache."""
    places = {"NUMBA_CACHE_DIR": folder, "SCALESR_CACHE": folder}
    started, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [sys.executable, "-c", source], env=os.environ | places, stdout=subprocess.PIPE, text=True, check=True
    )
    seconds, after = time.perf_counter() - started, os.times()
    processor = after.children_user + after.children_system - before.children_user - before.children_system
    return Start(seconds, processor, done.stdout.strip())
