"""Lines that tell how a fit is getting on, for terminals, notebooks and files alike."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TextIO

from scalesr.records.budget import Progress, Report
from scalesr.visible import visible

if TYPE_CHECKING:
    from scalesr.records.discovery import Discovery

LONGEST: Final = 100  # characters of a formula on one line
SECONDS_BETWEEN: Final = 0.3  # two states of the line that is written over


def teller(verbose: int | Report, target: str) -> Report | None:
    """What to do with reports: nothing at 0, a line for what is new at 1, a line for each from 2 on, or a call."""
    if callable(verbose):
        return verbose
    if verbose == 0:
        return None
    return Teller(target, sys.stderr, tells_all=verbose > 1)


def tell_end(discovery: Discovery, target: str) -> None:
    """The law and its verdict."""
    _line(sys.stderr, discovery.seconds, f"{target} = {discovery.equation}")
    _line(sys.stderr, discovery.seconds, discovery.sentence)


class Teller:
    """Prints what is new; in a terminal or a notebook the last line is written over until there is news."""

    def __init__(
        self, target: str, stream: TextIO, *, tells_all: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._target, self._stream, self._tells_all, self._clock = target, stream, tells_all, clock
        self._told = ("", "")
        self._can_write_over = not tells_all and (stream.isatty() or _is_notebook())
        self._width, self._written_at = 0, -math.inf  # of the line that is written over

    def __call__(self, progress: Progress) -> None:
        news = (progress.headline, progress.best)
        if news != self._told or self._tells_all:
            self._told = news
            self._wipe()
            _line(self._stream, progress.seconds, self._text(progress))
        elif self._can_write_over and self._clock() - self._written_at >= SECONDS_BETWEEN:
            self._write_over(f"[{progress.seconds:6.1f} s] {self._target}: {progress.where}, {_counts(progress)}")

    def _text(self, progress: Progress) -> str:
        best = f", best so far {_cut(progress.best)}" if progress.best else ""
        error = f" (error {progress.error:.2g})" if math.isfinite(progress.error) else ""
        return f"{self._target}: {progress.where}, {_counts(progress)}{best}{error}"

    def _write_over(self, text: str) -> None:
        shown = visible(text)
        _written(self._stream, "\r" + shown.ljust(self._width))
        self._width, self._written_at = len(shown), self._clock()

    def _wipe(self) -> None:
        if self._width:
            _written(self._stream, "\r" + " " * self._width + "\r")
            self._width = 0


def _counts(progress: Progress) -> str:
    left = "" if progress.seconds_left is None else f", at most {progress.seconds_left:.0f} s more"
    return f"{progress.n_scored} tried{left}"


def _line(stream: TextIO, seconds: float, text: str) -> None:
    _written(stream, f"[{seconds:6.1f} s] {visible(text)}\n")


def _written(stream: TextIO, text: str) -> None:
    """Put a text on a stream; one that is closed or full ends no fit."""
    with suppress(OSError, ValueError):
        stream.write(text)
        stream.flush()


def _is_notebook() -> bool:
    """Whether a notebook's kernel shows what is printed; it honours the carriage return as terminals do."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
