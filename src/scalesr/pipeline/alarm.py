"""A time limit for work that does not look at the clock."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from scalesr.records.budget import Deadline

GRACE = 1.0  # seconds after the deadline in which stages that do look at the clock end by themselves
AGAIN = 2.0  # seconds between alarms, since one that rings inside a callback may be lost


@contextmanager
def interrupted_after(deadline: Deadline) -> Iterator[None]:
    """A block of work that is interrupted, as by Ctrl-C, soon after the deadline.

    Only the main thread of a system with signals can be interrupted, and only where nobody else uses the
    alarm; elsewhere the stages' own looks at the clock have to do.
    """
    left = deadline.left
    if left is None or not _is_free():
        yield
        return
    previous = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, left + GRACE, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)


def _is_free() -> bool:
    """Whether the alarm can be set here and is nobody's."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def _interrupt(*_: int | FrameType | None) -> None:
    raise KeyboardInterrupt
