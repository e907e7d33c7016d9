"""Processes of runs: they outlive whoever started them, and there are only this many at a time."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from scalesr.errors import DataError
from scalesr.runs.project import Project
from scalesr.runs.run import PAUSE, STOP, RunFolder
from scalesr.runs.state import Phase

MOST_AT_ONCE: Final = max(1, (os.cpu_count() or 1) - 1)  # searches; one core is left for the page and its user


class Processes:
    """Starts the work on runs; a search that finds no free place waits for one."""

    def __init__(self, project: Project, *, most: int = MOST_AT_ONCE) -> None:
        self._project, self._most = project, most
        self._advancing = threading.Lock()  # so that two threads do not start one run twice
        self.children: list[subprocess.Popen[bytes]] = []  # of this process; others may have started some as well

    def read(self, run: RunFolder) -> None:
        """Let a table be understood."""
        run.set_state(Phase.READING, started=True)
        self._start(run, "read")

    def find(self, run: RunFolder) -> None:
        """Let a law be looked for, from the checkpoint where there is one, as soon as there is a place."""
        if run.plan is None:
            raise DataError("First say which column the law is for.")
        if run.state.phase in (Phase.RUNNING, Phase.READING):
            raise DataError("The run is being worked on already.")
        run.unask()
        run.set_state(Phase.WAITING)
        self.advance()

    def advance(self) -> None:
        """Start what waits, oldest first, while there is a place; and bury processes that have ended."""
        with self._advancing:
            self._advance()

    def _advance(self) -> None:
        self.children = [child for child in self.children if child.poll() is None]
        states = self._project.phases()
        n_free = self._most - sum(phase is Phase.RUNNING for phase in states.values())
        for run in [run for run, phase in states.items() if phase is Phase.WAITING][: max(n_free, 0)]:
            run.set_state(Phase.RUNNING, started=True)
            self._start(run, "find")

    def stop(self, run: RunFolder) -> None:
        """End a search and keep its best law; one that waits is not begun."""
        self._ask(run, STOP, Phase.READY)

    def pause(self, run: RunFolder) -> None:
        """End the process of a search and keep what it has finished."""
        self._ask(run, PAUSE, Phase.PAUSED)

    def _ask(self, run: RunFolder, word: str, instead: Phase) -> None:
        if run.state.phase is Phase.WAITING:
            run.set_state(instead)
        else:
            run.ask(word)

    def _start(self, run: RunFolder, what: str) -> None:
        with run.log.open("ab") as log:
            self.children.append(
                subprocess.Popen(
                    command(what, run.path), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
                )
            )


def command(what: str, folder: Path, *files: Path) -> list[str]:
    """The command line of a piece of work; -P keeps the current folder from being imported from."""
    return [sys.executable, "-P", "-m", "scalesr.runs.work", what, str(folder), *map(str, files)]
