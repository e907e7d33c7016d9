"""Signals that ask for an end, SIGINT (Ctrl-C) and SIGTERM: the first is heard once, the rest change nothing.

An interrupt ends a search, which answers with what it knows. A second one must not cost that answer,
and none may come between an answer and its file. Two things would make a command deaf for ever: an interrupt
that is lost, because it fell into a callback, whose exceptions Python drops; and a reader of the
screen's pipe who takes nothing, while the command waits to hand over its answer. The alarm clock helps in both, and
in a search's imports: they end first, as an interrupt there leaves half a module, or comes out as another exception.
"""

from __future__ import annotations

import atexit
import errno
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

ASKING = (signal.SIGINT, signal.SIGTERM)
GRACE = 0.5  # seconds for a reader who takes nothing: two streams may have one, and the end is to come within two
PROGRAM = "scalesr.cli"  # the module in which a program begins
IMPORTING = "<frozen importlib._bootstrap>"  # what Python calls the file of its own import machinery
SOON = 0.01  # seconds, after which an interrupt that had no effect is repeated


class CutShort(Exception):
    """A signal has ended a command that had something to hand over, and has done so."""


class _Ear:
    """What was heard in this process."""

    def __init__(self) -> None:
        self.has_heard = False
        self.is_listening = False  # while handlers are set
        self.is_searching = False  # and an interrupt is not the end
        self.is_held = False  # while a result is handed over
        self.is_writing = False  # to a stream whose reader may take nothing
        self.is_lost = False  # what was heard has interrupted nothing

    def __call__(self, number: int, frame: FrameType | None) -> None:
        del number
        is_first, self.has_heard = not self.has_heard, True
        if is_first and self.is_writing:
            self.wind()
        if is_first:
            self._interrupt(frame)

    def _interrupt(self, frame: FrameType | None) -> None:
        """Interrupt what may be; within a search an import ends first, since its answer may need the module."""
        if self.is_held:
            return
        if self.is_searching and _is_import(frame):
            self.repeat()
            return
        raise KeyboardInterrupt

    def repeat(self) -> None:
        """Let the clock ring soon for an interrupt that had no effect."""
        self.is_lost = True
        signal.setitimer(signal.ITIMER_REAL, SOON)

    def wind(self) -> None:
        """Let the clock ring while something is written, so that a signal just before the wait is heard within it.

        Once an end was asked for, a reader who takes nothing is waited for once.
        """
        signal.setitimer(signal.ITIMER_REAL, GRACE, SOON if self.has_heard else GRACE)

    def ring(self, number: int, frame: FrameType | None) -> None:
        """The alarm clock: a lost interrupt is repeated, and a reader is waited for no longer."""
        del number
        was_lost, self.is_lost = self.is_lost, False
        if was_lost:
            self._interrupt(frame)
        if self.is_writing and self.has_heard:
            raise TimeoutError(errno.ETIMEDOUT, "its reader takes nothing")

    def hear_of_loss(self, dropped: sys.UnraisableHookArgs) -> None:
        """An exception that Python drops: an interrupt among them is repeated, the others are told as before."""
        if not issubclass(dropped.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(dropped)
            return
        self.repeat()


def is_interrupt(error: BaseException | None) -> bool:
    """Whether an interrupt is behind an exception: in the middle of an import it may come out as another one."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _is_import(frame: FrameType | None) -> bool:
    """Whether something is being imported, by whatever this program does."""
    while frame is not None and frame.f_globals.get("__name__") != PROGRAM:
        if frame.f_code.co_filename == IMPORTING:
            return True
        frame = frame.f_back
    return False


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
    if _EAR.is_listening or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (*ASKING, signal.SIGALRM)}
    hook, sys.unraisablehook = sys.unraisablehook, _EAR.hear_of_loss
    _EAR.has_heard = _EAR.is_searching = _EAR.is_held = _EAR.is_writing = _EAR.is_lost = False
    _EAR.is_listening = True
    for number in ASKING:
        if before[number] is not signal.SIG_IGN:
            signal.signal(number, _EAR)
    signal.signal(signal.SIGALRM, _EAR.ring)
    try:
        yield
    finally:
        _EAR.is_listening = False
        sys.unraisablehook = hook
        signal.setitimer(signal.ITIMER_REAL, 0)
        if not _EAR.has_heard:  # whoever was heard once is not heard at the process's end
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def while_read() -> Iterator[None]:
    """A block that writes to a stream; once an end was asked for, a reader who takes nothing is a TimeoutError."""
    if signal.getsignal(signal.SIGALRM) != _EAR.ring or threading.current_thread() is not threading.main_thread():
        yield
        return
    try:
        _EAR.is_writing = True
        _EAR.wind()
        yield
    finally:
        _EAR.is_writing = False
        signal.setitimer(signal.ITIMER_REAL, SOON if _EAR.is_lost else 0)


@contextmanager
def heard_until(is_done: Callable[[], bool]) -> Iterator[None]:
    """A block that a signal interrupts, unless its result is there already; after it no signal interrupts anything."""
    _EAR.is_searching = True
    try:
        yield
    except KeyboardInterrupt:
        if not is_done():
            raise
    finally:
        _EAR.is_searching = False
    _EAR.is_held = True


@contextmanager
def heard_again() -> Iterator[None]:
    """A block within the handing over of a result that takes long, and that the first signal may end."""
    _EAR.is_held = False
    try:
        yield
    finally:
        _EAR.is_held = True
