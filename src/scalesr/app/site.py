"""Site: what all pages share, the project with its runs and the processes that work on them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scalesr.errors import DataError
from scalesr.runs.plan import Plan
from scalesr.runs.process import Processes, command
from scalesr.runs.project import Project
from scalesr.runs.run import RunFolder
from scalesr.runs.state import Phase

MOST_READ: Final = 4  # tables that are read at the same time
MOST_ASIDE: Final = 4  # small pieces of work, such as a report, at the same time


class Busy(DataError):
    """As much is being done as one machine should do at a time."""


@dataclass(frozen=True, slots=True)
class Site:
    """The runs of one project."""

    project: Project
    processes: Processes
    places: asyncio.Semaphore  # for small pieces of work
    is_shared: bool = False  # with people on other machines

    @classmethod
    def of(cls, folder: Path, *, is_shared: bool = False) -> Site:
        """The site of a folder of runs."""
        project = Project.opened(folder)
        return cls(project, Processes(project), asyncio.Semaphore(MOST_ASIDE), is_shared)

    @property
    def where_data_stay(self) -> str:
        """Where a table goes that somebody brings, as a sentence."""
        if self.is_shared:
            return "Your table goes to the machine that serves this page, and no further."
        return "Everything stays on this machine."

    def begin(self, name: str) -> RunFolder:
        """A run whose table is about to come."""
        if list(self.project.phases().values()).count(Phase.READING) >= MOST_READ:
            raise Busy(f"{MOST_READ} tables are being read; wait for one of them.")
        return self.project.begin(name)

    def add(self, name: str, content: Iterable[bytes], plan: Plan | None = None) -> RunFolder:
        """A run for a table that is here; it is read in a process of its own."""
        run = self.begin(name)
        with run.table_to_come() as file:
            file.writelines(content)
        if plan is not None:
            run.set_plan(plan)
        self.processes.read(run)
        return run

    async def aside(self, what: str, run: RunFolder, *files: Path) -> None:
        """A small piece of work on a run, in a process of its own; what is wrong with it is an error."""
        async with self.places:
            work = await asyncio.create_subprocess_exec(
                *command(what, run.path, *files), stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
            )  # fmt: skip
            _, told = await work.communicate()
        if work.returncode == 2:
            raise DataError(told.decode("utf-8", "replace").strip().splitlines()[-1])
        if work.returncode != 0:
            raise DataError("It could not be done; the log of the run says more.")
