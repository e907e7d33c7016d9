"""State: where a run stands, in one word and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """What is happening to a run."""

    READING = "reading"  # its table is being understood
    READY = "ready"  # the table is understood; nothing has been asked for
    WAITING = "waiting"  # for a free place among the running ones
    RUNNING = "running"
    PAUSED = "paused"  # by the user; it can go on
    CUT = "cut off"  # its process has ended before it was done; it can go on
    DONE = "done"
    FAILED = "failed"


ACTIVE = (Phase.READING, Phase.RUNNING)  # phases in which a process works


@dataclass(frozen=True, slots=True)
class State:
    """A phase, and why."""

    phase: Phase
    message: str = ""
    seconds: float = 0.0  # that searches have taken so far
