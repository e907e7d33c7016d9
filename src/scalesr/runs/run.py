"""A run: one folder with a table, what was understood of it, a plan, a checkpoint and a law."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, Final

from filelock import FileLock, Timeout

from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr.runs.files import read_values, seconds_of, write_values
from scalesr.runs.plan import Plan, plan_of
from scalesr.runs.state import ACTIVE, Phase, State

STOP: Final = "stop"  # end the search and keep the best law
PAUSE: Final = "pause"  # end the process; the checkpoint stays
STARTING: Final = 60.0  # seconds within which a process that was started holds the lock, on a busy machine too


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of a run; whoever works on it holds its lock, which ends with his process."""

    path: Path

    @property
    def key(self) -> str:
        """What tells it from other runs."""
        return self.path.name

    @property
    def table(self) -> Path:
        """The table as it was given; its content tells the format."""
        return self.path / "table"

    @contextmanager
    def table_to_come(self) -> Iterator[BinaryIO]:
        """A file that becomes the table once it is whole; one that was cut short is not a table."""
        part = self.path / "table.part"
        try:
            with part.open("wb") as file:
                yield file
            part.replace(self.table)
        finally:
            part.unlink(missing_ok=True)

    @property
    def checkpoint(self) -> Path:
        return self.path / "checkpoint"

    @property
    def law(self) -> Path:
        """What scalesr.load reads."""
        return self.path / "law.json"

    @property
    def log(self) -> Path:
        return self.path / "log.txt"

    @property
    def name(self) -> str:
        """What the table is called, for people."""
        return str(read_values(self.path / "about.json").get("name", "table"))[:120]

    @property
    def begun(self) -> datetime | None:
        """When its table came, by the clock of this place."""
        try:
            return datetime.fromisoformat(read_values(self.path / "about.json")["created"]).astimezone()
        except (KeyError, TypeError, ValueError):
            return None

    def lock(self) -> FileLock:
        """Held by the process that works on the run."""
        return FileLock(self.path / "lock", thread_local=False)

    @property
    def is_worked_on(self) -> bool:
        """Whether some process holds the lock."""
        lock = self.lock()
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
        return False

    @property
    def state(self) -> State:
        """Where the run stands; an active one without a process was cut off."""
        values = read_values(self.path / "state.json")
        try:
            told = State(Phase(values["phase"]), str(values["message"]), seconds_of(values["seconds"]))
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"state.json of the run {self.key} cannot be read; remove the run.") from error
        begun = values.get("started")
        now = time.time()
        is_on_its_way = isinstance(begun, int | float) and now - STARTING < begun <= now
        if told.phase not in ACTIVE or is_on_its_way or self.is_worked_on:
            return told
        return State(Phase.CUT, "Its process ended before it was done.", told.seconds)

    def set_state(
        self, phase: Phase, message: str = "", *, seconds: float | None = None, started: bool = False
    ) -> None:
        """Say where the run stands; `started` while a process for it is on its way and has no lock yet."""
        spent = self._seconds if seconds is None else seconds
        values = {
            "phase": str(phase),
            "message": message,
            "seconds": spent,
            "started": time.time() if started else None,
        }
        write_values(self.path / "state.json", values)

    @property
    def _seconds(self) -> float:
        try:
            return seconds_of(read_values(self.path / "state.json").get("seconds", 0.0))
        except (DataError, TypeError, ValueError):
            return 0.0

    @property
    def plan(self) -> Plan | None:
        """What is asked for, once somebody has."""
        path = self.path / "plan.json"
        return plan_of(read_values(path)) if path.exists() else None

    def set_plan(self, plan: Plan) -> None:
        """Ask for a law."""
        write_values(self.path / "plan.json", plan.values())

    def values(self, name: str) -> dict[str, Any] | None:
        """One of the files that its process writes: understood, progress, view or judged; None before it is there."""
        path = self.path / f"{name}.json"
        return read_values(path) if path.exists() else None

    def set_values(self, name: str, values: dict[str, Any]) -> None:
        """Write one of these files."""
        write_values(self.path / f"{name}.json", values)

    def ask(self, word: str) -> None:
        """Ask the process that works on the run to stop or to pause."""
        write_atomically(self.path / "ask", word.encode("ascii"))

    @property
    def asked(self) -> str:
        """What somebody asks of the process; empty where nobody does."""
        try:
            return (self.path / "ask").read_text(encoding="ascii")[:20]
        except (OSError, ValueError):
            return ""

    def unask(self) -> None:
        """Forget what was asked."""
        (self.path / "ask").unlink(missing_ok=True)

    def restart(self, plan: Plan) -> None:
        """Ask for a law again; a plan that differs in more than its time has no use for what was found before."""
        before = self.plan
        if before is None or replace(before, time_limit=plan.time_limit) != plan:
            for name in ("checkpoint", "law.json", "view.json", "judged.json", "progress.json", "report.html"):
                (self.path / name).unlink(missing_ok=True)
            self.set_state(Phase.READY, seconds=0.0)
        self.set_plan(plan)

    @property
    def can_go_on(self) -> bool:
        """Whether a search that was ended goes on from its checkpoint; those of motion and of groups start over."""
        plan = self.plan
        if plan is None or plan.kind != "table" or plan.groups:
            return False
        known = (self.values("understood") or {}).get("columns", [])
        texts = {column["name"] for column in known if column["kind"] == "text" and column.get("usable")}
        return texts.isdisjoint(plan.features) if plan.features else not texts - {plan.target}

    def give_time(self, seconds: float) -> None:
        """Let the search have more time than was asked for; one that is under way goes on when its own is up."""
        plan = self.plan
        if plan is None:
            raise DataError("First say which column the law is for.")
        self.set_plan(replace(plan, time_limit=plan.time_limit + seconds))

    def delete(self) -> None:
        """Remove the run with everything in it."""
        if self.is_worked_on:
            raise DataError(f"The run of {self.name} is being worked on; stop it first.")
        shutil.rmtree(self.path)
