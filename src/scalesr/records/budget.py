"""Budget: what a search may spend, and Progress: what it says meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from scalesr.records.discovery import Law, Step
    from scalesr.records.stop import Stop


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a search; None means no limit.

    A time limit only cuts: what is tried, and in which order, never depends on the clock.
    """

    seconds: float | None = None
    n_fits: int | None = None  # fits of one skeleton to one group
    target_error: float | None = None  # root mean square error over the standard deviation of y, at which to stop
    stop: Stop | None = None  # the end of the work that the search is a part of

    def __post_init__(self) -> None:
        for name in ("seconds", "n_fits", "target_error"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"A budget's {name} is 0 or more, or None for no limit; not {value}.")


STAGES: Final = {
    "input": "Reading the rows",
    "reduce": "Trying simple laws, and looking for ways to make the problem smaller",
    "noise": "Estimating the noise of the rows",
    "generator": "Learning a function from the rows, to ask it for curves",
    "control": "Moving one variable and holding the others",
    "search": "Searching formulas",
    "revise": "Looking for better parts of the best law",
    "combine": "Fitting the laws to the rows and comparing them",
    "template": "Filling the holes of the template",
    "dynamics": "Looking for laws of motion",
}  # what a stage does, for people who do not know its name


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search in a few words and numbers."""

    stage: str
    n_scored: int  # distinct skeletons so far
    seconds: float
    best: str  # text of the best skeleton so far, "" before the first
    error: float  # its root mean square error over the standard deviation of y, infinite before the first
    variable: str = ""  # that is being searched in, where there is one
    seconds_left: float | None = None  # until the time limit, where there is one
    front: tuple[Law, ...] = ()  # the Pareto front of the rows so far, where the whole method reports
    trace: tuple[Step, ...] = ()  # what the stages have done so far
    target: str = ""  # that the laws are for, where the whole method reports

    @property
    def where(self) -> str:
        """Stage and variable."""
        return f"{self.stage} in {self.variable}" if self.variable else self.stage

    @property
    def in_words(self) -> str:
        """What is being done, for people who do not know the names of stages."""
        stage, _, step = self.stage.partition(", ")
        told = STAGES.get(stage, stage.capitalize()) + (f" in {self.variable}" if self.variable else "")
        return f"{told} ({step})" if step else told

    @property
    def headline(self) -> str:
        """What tells one stage from another: steps that only count on are the same."""
        return re.sub(r"[0-9]+", "", self.where)


Report = Callable[[Progress], None]
