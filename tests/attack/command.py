"""Runs of the command line to be killed, interrupted or left without room.

Most are forked from a process that has loaded everything, so that they begin at once; some are started as users start
them (`fresh`), so that some of the moments fall into the start of the interpreter and the imports.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.reduction import DupFd
from typing import Any, NamedTuple, Protocol

from scalesr.cli import main

LOADED = "tests.attack.loaded"
STARTED_IN = 60.0  # seconds
UNHURRIED = 600.0  # seconds after which a run counts as hanging; nothing is decided by it


class Ended(NamedTuple):
    """How a run ended: its exit code, negative for a signal, and its words."""

    code: int
    out: str
    err: str


class Run:
    """A run of the command line; `disk` is the size of the largest file that it can write.

    What it says goes through pipes, which no disk limits, and is less than a pipe holds. One whose reader is
    `stalled` has no room for its results, since nothing is taken out of their pipe before it has ended. Other
    `streams` are given as stdin, stdout and stderr, by their numbers here.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        fresh: bool = False,
        disk: int | None = None,
        stalled: bool = False,
        **streams: int,
    ) -> None:
        start, (here, there), err = _started if fresh else _forked, os.pipe(), os.pipe()
        self._n_before = _fill(there) if stalled else 0
        self.out, self.err = os.fdopen(here, "rb"), os.fdopen(err[0], "rb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        own = {"stdin": nothing, "stdout": there, "stderr": err[1]}
        self._process = start(list(arguments), disk, tuple((own | streams).values()))
        for number in own.values():
            os.close(number)

    @property
    def is_at_work(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.is_alive()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, if there is still somebody to hear it."""
        if self.is_at_work and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def ended(self, seconds: float) -> Ended:
        """How it ended; one that does not is an error."""
        self._process.join(seconds)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired("scalesr", seconds)
        return Ended(code, self.out.read()[self._n_before :].decode(), self.err.read().decode())

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self.out.close()
        self.err.close()


class Process(Protocol):
    """What is asked of a process, in the words of multiprocessing."""

    @property
    def pid(self) -> int | None: ...

    @property
    def exitcode(self) -> int | None: ...

    def is_alive(self) -> bool: ...

    def join(self, timeout: float | None = None) -> None: ...

    def kill(self) -> None: ...


class _Program(subprocess.Popen[bytes]):
    """A process with an interpreter of its own, asked in the same words."""

    @property
    def exitcode(self) -> int | None:
        return self.poll()

    def is_alive(self) -> bool:
        return self.poll() is None

    def join(self, timeout: float | None = None) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(timeout)


def _started(arguments: list[str], disk: int | None, streams: tuple[int, ...]) -> Process:
    command, (given, out, err) = [sys.executable, "-m", "scalesr.cli", *arguments], streams
    return _Program(command, stdin=given, stdout=out, stderr=err, preexec_fn=partial(_prepare, disk))


def _forked(arguments: list[str], disk: int | None, streams: tuple[int, ...]) -> Process:
    context = get_context("forkserver")
    context.set_forkserver_preload([LOADED])
    ready, told = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(arguments, disk, [_Passed(number) for number in streams], told))
    process.start()
    told.close()
    ready.poll(STARTED_IN)
    ready.close()
    return process


class _Passed:
    """A file that a forked process is to have, too."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Callable[[Any], _Passed], tuple[Any]]:
        return _received, (DupFd(self.number),)


def _received(passed: Any) -> _Passed:
    return _Passed(passed.detach())


def _fill(pipe: int) -> int:
    """Write to a pipe until it takes no more; how many bytes that were."""
    os.set_blocking(pipe, False)
    n = 0
    with suppress(BlockingIOError):
        while True:
            n += os.write(pipe, b"." * select.PIPE_BUF)
    os.set_blocking(pipe, True)
    return n


def _prepare(disk: int | None) -> None:
    """Processes that are started in the background ignore interrupts, and so do those that they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if disk is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))


def _run(arguments: list[str], disk: int | None, streams: list[_Passed], ready: Connection) -> None:
    """What a forked process does."""
    for number, stream in enumerate(streams):
        os.dup2(stream.number, number)
        os.close(stream.number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - those of a new process
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    _prepare(disk)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    ready.send_bytes(b"ready")
    ready.close()
    try:
        main(arguments)
    finally:  # a new process would end without a word where nobody reads its errors any more
        with suppress(OSError):
            sys.stderr.flush()
        sys.stderr = None


def ran(arguments: Sequence[object], *, disk: int | None = None, **streams: int) -> Ended:
    """How a run that nobody disturbs ends."""
    with Run(list(map(str, arguments)), disk=disk, **streams) as run:
        return run.ended(UNHURRIED)
