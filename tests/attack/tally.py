"""Tally: what became of many hostile inputs."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from scalesr.errors import ScaleSRError, ScaleSRWarning

HANG = 10.0  # seconds of the processor for one input
WAIT = 60.0  # seconds on the clock, from which they count in their place
FAULTS = ("crashes", "hangs", "lost", "code_run", "escapes")

# What no input may bring about: a program, a connection, an object out of a pickle.
FORBIDDEN = ("os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "pickle.find_class", "socket.connect")


@dataclass
class Tally:
    """Counts of inputs by what became of them; a fault is told with its input."""

    n: int = 0
    taken: int = 0
    refused: int = 0
    slowest: float = 0.0
    crashes: list[str] = field(default_factory=list)
    hangs: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    code_run: list[str] = field(default_factory=list)
    escapes: list[str] = field(default_factory=list)

    @contextmanager
    def attempt(self, what: str) -> Iterator[None]:
        """One input: it is taken, or refused by an error of ours, without a warning and in time."""
        self.n += 1
        started, at_work = time.monotonic(), time.process_time()
        try:
            with warnings.catch_warnings(), _watched(self, what):
                warnings.simplefilter("error")
                warnings.simplefilter("ignore", ScaleSRWarning)  # ours are sentences, as errors are
                yield
            self.taken += 1
        except ScaleSRError as error:
            self.refused += 1
            self.check_text(str(error), what)
        except Exception as error:
            self.crashes.append(f"{what}: {type(error).__name__}: {error}"[:300])
        # What other processes take of a shared machine is not the input's, but a wait for nothing is.
        waited = time.monotonic() - started
        self.time(what, waited if waited > WAIT else time.process_time() - at_work)

    @contextmanager
    def process(self, what: str) -> Iterator[None]:
        """One run of the command line; its end is timed by whoever has asked for it."""
        self.n += 1
        try:
            yield
            self.taken += 1
        except subprocess.TimeoutExpired as error:
            self.hangs.append(f"{what}: {error}"[:300])

    def time(self, what: str, seconds: float) -> None:
        """How long an answer took."""
        self.slowest = max(self.slowest, seconds)
        if seconds > HANG:
            self.hangs.append(f"{what}: {seconds:.1f} s")

    def check_text(self, text: str, what: str) -> None:
        """Whether a text that is shown would be obeyed by a terminal."""
        if not text.replace("\n", "").isprintable():
            self.escapes.append(f"{what}: {text[:80]!r}")

    @property
    def faults(self) -> dict[str, list[str]]:
        return {kind: getattr(self, kind) for kind in FAULTS if getattr(self, kind)}

    def add(self, other: Tally) -> None:
        for name in ("n", "taken", "refused"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.slowest = max(self.slowest, other.slowest)
        for kind in FAULTS:
            getattr(self, kind).extend(getattr(other, kind))


_WATCHING: list[tuple[Tally, str]] = []
_IS_HOOKED: list[bool] = []


@contextmanager
def _watched(tally: Tally, what: str) -> Iterator[None]:
    """A block in which a forbidden act is counted."""
    if not _IS_HOOKED:
        sys.addaudithook(_hear)
        _IS_HOOKED.append(True)
    _WATCHING.append((tally, what))
    try:
        yield
    finally:
        _WATCHING.pop()


def _is_compiler() -> bool:
    """Whether the compiler is reading its own cache."""
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        if "numba" in frame.f_code.co_filename:
            return True
    return False


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if _WATCHING and event in FORBIDDEN:
        if event == "pickle.find_class" and _is_compiler():
            return
        tally, what = _WATCHING[-1]
        tally.code_run.append(f"{what}: {event} {arguments!r}"[:300])
