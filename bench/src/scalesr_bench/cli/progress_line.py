"""How far a benchmark is, told while it runs."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import typer

from scalesr.cli.output import tell
from scalesr.visible import visible

if TYPE_CHECKING:
    from scalesr_bench.runner import Standing

SECONDS_BETWEEN_LINES = 30.0  # where there is no terminal


class ProgressLine:
    """Tells how far the benchmark is: on one line of a terminal, or now and then elsewhere."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._told = -SECONDS_BETWEEN_LINES

    def __call__(self, standing: Standing) -> None:
        now, is_last = time.monotonic(), standing.n_done == standing.n_jobs
        if not (self._is_terminal or is_last) and now - self._told < SECONDS_BETWEEN_LINES:
            return
        self._told = now
        left = "" if standing.seconds_left is None else f", about {_duration(standing.seconds_left)} left"
        last = f": {standing.last} {standing.record.get('finding', '')}" if standing.last else ""
        text = f"{standing.n_done} of {standing.n_jobs} runs{left}{last}"
        if self._is_terminal:
            typer.echo(f"\r\x1b[K{visible(text[:110])}", err=True, nl=is_last)
        else:
            tell([text])


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
