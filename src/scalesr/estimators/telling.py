"""Lines that tell how a fit is getting on, for terminals and notebooks alike."""

from __future__ import annotations

import math
import sys

from scalesr.records.budget import Progress, Report
from scalesr.records.discovery import Discovery

_LONGEST = 100  # characters of a formula on one line


def teller(verbose: int | Report, target: str) -> Report | None:
    """What to do with reports: nothing at 0, a line for what is new at 1, a line for each from 2 on, or a call."""
    if callable(verbose):
        return verbose
    if verbose == 0:
        return None
    return _Teller(target, tells_all=verbose > 1)


def tell_end(discovery: Discovery, target: str) -> None:
    """The law and its verdict."""
    _line(discovery.seconds, f"{target} = {discovery.equation.rounded()}")
    _line(discovery.seconds, discovery.sentence)


class _Teller:
    """Prints reports to standard error; it remembers the last one, to see what is new."""

    def __init__(self, target: str, *, tells_all: bool) -> None:
        self._target, self._tells_all = target, tells_all
        self._told = ("", "")

    def __call__(self, progress: Progress) -> None:
        news = (progress.stage, progress.best)
        if news == self._told and not self._tells_all:
            return
        self._told = news
        best = f", best so far {_cut(progress.best)}" if progress.best else ""
        error = f" (error {progress.error:.2g})" if math.isfinite(progress.error) else ""
        _line(progress.seconds, f"{self._target}: {progress.stage}, {progress.n_scored} tried{best}{error}")


def _line(seconds: float, text: str) -> None:
    print(f"[{seconds:6.1f} s] {text}", file=sys.stderr, flush=True)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
