"""Budget and Deadline: when work stops, and Progress: what it says meanwhile."""

from __future__ import annotations

import re
import time
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
    variable: str = ""  # that is being searched in, where there is one
    seconds_left: float | None = None  # until the time limit, where there is one

    @property
    def where(self) -> str:
        """Stage and variable."""
        return f"{self.stage} in {self.variable}" if self.variable else self.stage

    @property
    def headline(self) -> str:
        """What tells one stage from another: steps that only count on are the same."""
        return re.sub(r"[0-9]+", "", self.where)


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on the monotonic clock; None is no end."""

    ends: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float | None:
        """Seconds until then, 0 or more; None for ever."""
        return None if self.ends is None else max(self.ends - time.monotonic(), 0.0)

    @property
    def passed(self) -> bool:
        return self.ends is not None and time.monotonic() >= self.ends

    def budget(self, most: float | None = None, *, n_fits: int | None = None) -> Budget:
        """A budget that ends by then, after `most` seconds or `n_fits` fits."""
        limits = [limit for limit in (self.left, most) if limit is not None]
        return Budget(seconds=min(limits, default=None), n_fits=n_fits)
