"""All measurements of the clock, with the state of the machine that they were made on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scalesr_bench.clock.breaking import measure_interrupts, measure_kills
from scalesr_bench.clock.kept import KeptRecords
from scalesr_bench.clock.limits import measure_limits
from scalesr_bench.clock.starting import measure_starts
from scalesr_bench.machine import provenance

LOOP = "while True: pass"
PARTS = ("starts", "limits", "interrupts", "kills")


def measure_clock(  # noqa: PLR0913 - how much of each part, and who hears of it
    parts: tuple[str, ...],
    *,
    n_fits: int,
    n_interrupts: int,
    n_kills: int,
    repeats: int,
    n_busy: int,
    seed: int,
    told: Callable[[str], None],
    kept: KeptRecords | None = None,
) -> dict[str, Any]:
    """Each part with the load of the machine before and after it; `n_busy` loops run beside all of them.

    What `kept` has from before is not measured again.
    """
    work: dict[str, Callable[[], dict[str, Any]]] = {
        "starts": lambda: measure_starts(repeats),
        "limits": lambda: measure_limits(n_fits, seed, told, kept),
        "interrupts": lambda: measure_interrupts(n_interrupts, seed, told, kept),
        "kills": lambda: measure_kills(n_kills, seed, told, kept),
    }
    found: dict[str, Any] = {}
    with _busy(n_busy):
        for part in parts:
            state = {"seed": seed, "busy_loops": n_busy, "load_before": _load(), "commit": provenance()["commit"]}
            found[part] = work[part]() | state | {"load_after": _load()}
    return found


def joined(path: Path, result: dict[str, Any]) -> dict[str, Any]:
    """A result together with the parts that an earlier one in the file has besides."""
    try:
        earlier = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return result
    return {part: earlier[part] for part in PARTS if part in earlier} | result


@contextmanager
def _busy(n: int) -> Iterator[None]:
    """A block beside which this many processes do nothing, as fast as they can."""
    loops = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def _load() -> float | None:
    """Processes that ran or waited to in the last minute, where the system tells."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
