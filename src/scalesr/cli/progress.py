"""What a search tells while it runs: a live view in a terminal, a line now and then elsewhere.

    with show_progress(quiet=quiet) as report:
        search.search(sweep, budget, rng=rng, progress=report)

It goes to standard error, so that standard output keeps the result alone.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO, TextIOWrapper
from typing import TYPE_CHECKING, Final, TextIO

from scalesr.cli.signals import while_read
from scalesr.records.budget import Progress, Report
from scalesr.visible import visible

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Clock = Callable[[], float]

FRAMES_PER_SECOND: Final = 4.0
SECONDS_BETWEEN_LINES: Final = 5.0
WORTH_TELLING: Final = 0.5  # an error this many times the last one told gets its line at once


@contextmanager
def show_progress(
    *, quiet: bool = False, console: Console | None = None, clock: Clock = time.monotonic
) -> Iterator[Report | None]:
    """A report to hand to a search for as long as it is shown; None, which searches take as well, if `quiet`."""
    if quiet:
        yield None
        return
    screen = console or _standard_error()
    if screen.is_terminal and not screen.is_dumb_terminal:
        with _live(screen, clock) as view:
            yield view
    else:
        lines = ProgressLines(screen, clock)
        try:
            yield lines
        finally:
            lines.close()


def _standard_error() -> Console:
    """A console that falls silent when nobody reads it any more: the work goes on."""
    from rich.console import Console  # rich loads when something is shown

    class Patient(Console):
        def on_broken_pipe(self) -> None:
            self.quiet = True

    return Patient(stderr=True, file=_unbuffered(sys.stderr) if sys.stderr.isatty() else None)


def _unbuffered(stream: TextIO) -> TextIO:
    """A stream without a lock: the thread that draws the view and waits for the terminal keeps nobody else out."""
    return TextIOWrapper(
        FileIO(stream.fileno(), "w", closefd=False),
        encoding=stream.encoding,
        errors="backslashreplace",
        write_through=True,
    )


@contextmanager
def _live(screen: Console, clock: Clock) -> Iterator[ProgressTable]:
    """A view that is drawn again until the end, and then wiped away, if the terminal takes that."""
    from rich.live import Live

    view = ProgressTable(clock)
    streams = sys.stdout, sys.stderr
    live = Live(view, console=screen, refresh_per_second=FRAMES_PER_SECOND, transient=True)
    live.start()
    try:
        yield view
    finally:
        try:
            with while_read():
                live.stop()
        except OSError:
            sys.stdout, sys.stderr = streams  # in whose place the view has put its own


class ProgressTable:
    """The last report as a small table; drawing it is left to the display, so that reporting costs nothing."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock, self._started = clock, clock()
        self._last: Progress | None = None
        self._told_at = self._started

    def __call__(self, progress: Progress) -> None:
        self._last, self._told_at = progress, self._clock()

    def __rich__(self) -> RenderableType:
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 2), expand=True)
        grid.add_column(style="bold", no_wrap=True, width=5)
        grid.add_column(ratio=1)  # a long law takes nothing from the labels
        for label, text in self._rows():
            # as it is, not as markup: a law may have square brackets
            grid.add_row(label, Text(visible(text), no_wrap=True, overflow="ellipsis"))
        return grid

    def _rows(self) -> list[tuple[str, str]]:
        elapsed, last = _duration(self._clock() - self._started), self._last
        if last is None:
            return [("stage", "starting"), ("time", elapsed)]
        left = last.seconds_left
        if left is not None:
            elapsed += f", at most {_duration(max(left - (self._clock() - self._told_at), 0.0))} more"
        rows = [("stage", last.where), ("time", elapsed), ("tried", f"{last.n_scored:,} skeletons")]
        return [*rows, ("best", last.best), ("error", _error(last.error))] if last.best else rows


class ProgressLines:
    """One line per report that is worth it: a new stage, a much smaller error, or some seconds gone by."""

    def __init__(self, screen: Console, clock: Clock = time.monotonic) -> None:
        self._screen, self._clock, self._started = screen, clock, clock()
        self._seen: Progress | None = None
        self._told: Progress | None = None
        self._told_at = -math.inf

    def __call__(self, progress: Progress) -> None:
        self._seen = progress
        if self._is_worth_it(progress):
            self._tell(progress)

    def close(self) -> None:
        """Tell the last report, if it has not been told."""
        if self._seen is not None and self._seen != self._told:
            self._tell(self._seen)

    def _is_worth_it(self, progress: Progress) -> bool:
        told = self._told
        if told is None or self._clock() - self._told_at >= SECONDS_BETWEEN_LINES:
            return True
        return progress.headline != told.headline or progress.error < WORTH_TELLING * told.error

    def _tell(self, progress: Progress) -> None:
        self._told, self._told_at = progress, self._clock()
        text = f"{_duration(self._told_at - self._started):>6}  {progress.where}"
        text += f": {progress.n_scored:,} skeletons" if progress.n_scored else ""
        if progress.best:
            text += f", best {progress.best}, error {_error(progress.error)}"
        try:
            with while_read():
                self._screen.print(visible(text), markup=False, highlight=False, soft_wrap=True)
        except OSError:  # a full disk, or a reader who takes nothing: the work goes on unheard
            self._screen.quiet = True


def _error(error: float) -> str:
    """A relative error in two digits."""
    return f"{error:.1e} of the standard deviation" if math.isfinite(error) else "not finite"


def _duration(seconds: float) -> str:
    """Seconds, or minutes and seconds."""
    whole = int(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60}:{whole % 60:02d}"
