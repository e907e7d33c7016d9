"""Signals that ask for an end, SIGINT (Ctrl-C) and SIGTERM: the first is heard once, the rest change nothing.

An interrupt ends a search, which answers with what it knows. A second one must not cost that answer,
and none may come between an answer and its file.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ASKING = (signal.SIGINT, signal.SIGTERM)


class _Ear:
    """What was heard in this process."""

    def __init__(self) -> None:
        self.has_heard = False
        self.is_held = False  # while something is handed over

    def __call__(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.has_heard:
            return
        self.has_heard = True
        if not self.is_held:
            raise KeyboardInterrupt


_EAR = _Ear()


@contextmanager
def heard_once() -> Iterator[None]:
    """A block that the first signal interrupts, and no other; a signal that is ignored on purpose stays so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ASKING}
    _EAR.has_heard = False
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
def unheard() -> Iterator[None]:
    """A short block that no signal interrupts, and at whose end there is nothing left to interrupt."""
    _EAR.is_held = True
    try:
        yield
    finally:
        _EAR.is_held = False
