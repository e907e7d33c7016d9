"""What a stage of a run leaves behind: its note for the trace, or the news that nothing is left to be done."""

from __future__ import annotations

from scalesr.records.outcome import Ending, Outcome


class NothingLeft(Exception):
    """Nothing is left to be done; the message says why, and so does the ending in a word."""

    def __init__(self, why: str, ending: Ending) -> None:
        super().__init__(why)
        self.ending = ending


class Note:
    """What a stage says of itself while it works."""

    def __init__(self, stage: str) -> None:
        self.stage, self.summary = stage, ""
        self.rejected: tuple[str, ...] = ()
        self.outcome: Outcome | None = None
