"""Signals that ask for an end, SIGINT (Ctrl-C) and SIGTERM: the first is heard once, the rest change nothing.

An interrupt ends a search, which answers with what it knows. A second one must not cost that answer,
and none may come between an answer and its file.
"""

from __future__ import annotations

import atexit
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

ASKING = (signal.SIGINT, signal.SIGTERM)


class CutShort(Exception):
    """A signal has ended a command that had something to hand over, and has done so."""


class _Ear:
    """What was heard in this process."""

    def __init__(self) -> None:
        self.has_heard = False
        self.is_held = False  # while a result is handed over

    def __call__(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.has_heard:
            return
        self.has_heard = True
        if not self.is_held:
            raise KeyboardInterrupt


_EAR = _Ear()


def _hear_no_more() -> None:
    """At the end of the process there is nothing left to interrupt."""
    with suppress(ValueError):  # this is not the main thread
        for number in ASKING:
            signal.signal(number, signal.SIG_IGN)


atexit.register(_hear_no_more)


@contextmanager
def heard_once() -> Iterator[None]:
    """A block that the first signal interrupts, and no other; a signal that is ignored on purpose stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ASKING}
    _EAR.has_heard = _EAR.is_held = False
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _EAR)
    try:
        yield
    finally:
        if not _EAR.has_heard:  # whoever was heard once is not heard at the process's end
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def heard_until(is_done: Callable[[], bool]) -> Iterator[None]:
    """A block that a signal interrupts, unless its result is there already; after it no signal interrupts anything."""
    try:
        yield
    except KeyboardInterrupt:
        if not is_done():
            raise
    _EAR.is_held = True


@contextmanager
def heard_again() -> Iterator[None]:
    """A block within the handing over of a result that takes long, and that the first signal may end."""
    _EAR.is_held = False
    try:
        yield
    finally:
        _EAR.is_held = True
