"""Budget: when a search stops, and Progress: what it says meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a search; None is no limit.

    A time limit only cuts: what is tried, and in which order, never depends on the clock.
    """

    seconds: float | None = None
    n_fits: int | None = None  # fits of one skeleton to one group
    target_error: float | None = None  # root mean square error over the spread of y, at which to stop

    def __post_init__(self) -> None:
        for name in ("seconds", "n_fits", "target_error"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise ValueError(f"A budget's {name} is 0 or more, or None for no limit; not {value}.")


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search in a few words and numbers."""

    stage: str
    n_scored: int  # distinct skeletons so far
    seconds: float
    best: str  # text of the best skeleton so far, "" before the first
    error: float  # its root mean square error over the spread of y, infinite before the first


Report = Callable[[Progress], None]
