"""The engine made ready, with its own line of progress: what is compiled once per machine is in no time limit."""

from __future__ import annotations

import math
import time

from scalesr.kernels.engine import make_ready
from scalesr.records.budget import Progress, Report


def ready_engine(progress: Report | None = None) -> None:
    """Compile or load the engine; to be called before a clock starts."""
    if progress is None:
        make_ready()
        return
    report, started = progress, time.monotonic()

    def told(n_ready: int, n_parts: int) -> None:
        stage = f"compiling the engine, once per machine: {n_ready} of {n_parts} parts"
        report(Progress(stage, 0, time.monotonic() - started, "", math.inf))

    make_ready(told)
