"""Stop: when work ends, because time is up, because it has done enough, or because somebody says so.

A stop is handed down and asked by every loop. Nothing is interrupted from outside, so it works in any thread
and in any process, and what a loop holds is whole when it ends.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from scalesr.expr.fit_memory import FitMemory
from scalesr.records.budget import Budget
from scalesr.records.outcome import Ending

WORK_DIGITS: Final = 3  # after the point, in which work is counted: one row of one fit


class Stopped(Exception):
    """Work ends here; the message says why, and so does the ending in a word."""

    def __init__(self, why: str, ending: Ending) -> None:
        super().__init__(why)
        self.ending = ending


class Stop:
    """The end of some work after `seconds` of time or `work`, whichever comes first; None means no limit.

    `named` are the seconds that a message names, where some of them are kept for what comes after. One unit
    of work is the fit of one skeleton to 1000 rows; other numbers of rows count in proportion. It is counted,
    never timed, so a limit of work ends the same work at the same place on every machine. `memory` keeps
    the results of the work's fits, for a run that can be resumed.
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        work: float | None = None,
        parent: Stop | None = None,
        named: float | None = None,
        memory: FitMemory | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._named, self._work, self._parent, self._clock = named or seconds, work, parent, clock
        self._ends = None if seconds is None else clock() + seconds
        self._spent, self._is_cancelled = 0.0, False
        self._memory = memory

    def child(self, *, seconds: float | None = None, work: float | None = None) -> Stop:
        """The end of a part of the work: it comes with this one's at the latest."""
        return Stop(seconds=seconds, work=work, parent=self, clock=self._clock)

    def share(self, part: float) -> Stop:
        """The end of a part of the work that has this share of the time and of the work that are left."""
        left, work = self.left, self.work_left
        return self.child(seconds=None if left is None else part * left, work=None if work is None else part * work)

    def cancel(self) -> None:
        """Let the work end as soon as it looks."""
        self._is_cancelled = True
        if self._parent is not None:
            self._parent.cancel()

    def renew(self, seconds: float | None = None) -> None:
        """Let work go on for some more seconds, whatever had ended it: the last touches of what was found."""
        self._named, self._ends = seconds, None if seconds is None else self._clock() + seconds
        self._work, self._is_cancelled = None, False

    def spend(self, work: float) -> None:
        """Count work that has been done, in thousandths, so that sums do not depend on how work is grouped."""
        self._spent = round(self._spent + work, WORK_DIGITS)
        if self._parent is not None:
            self._parent.spend(work)

    @property
    def memory(self) -> FitMemory | None:
        """Where results of fits are kept: in the memory of the whole work."""
        return self._memory if self._parent is None else self._parent.memory

    @property
    def spent(self) -> float:
        """The work so far."""
        return self._spent

    @property
    def left(self) -> float | None:
        """Seconds until the time is up, 0 or more; None for ever."""
        above = None if self._parent is None else self._parent.left
        own = None if self._ends is None else max(self._ends - self._clock(), 0.0)
        return min((one for one in (above, own) if one is not None), default=None)

    @property
    def work_left(self) -> float | None:
        """Work until the limit is reached, 0 or more; None where there is none."""
        above = None if self._parent is None else self._parent.work_left
        own = None if self._work is None else max(round(self._work - self._spent, WORK_DIGITS), 0.0)
        return min((one for one in (above, own) if one is not None), default=None)

    @property
    def reason(self) -> Stopped | None:
        """Why work is to end now; None as long as it may go on."""
        above = None if self._parent is None else self._parent.reason
        if above is not None:
            return above
        if self._is_cancelled:
            return Stopped("The work was interrupted.", Ending.INTERRUPTED)
        if self._work is not None and self._spent >= self._work:
            return Stopped(f"The limit of {self._work:g} units of work was reached.", Ending.WORK)
        if self._ends is not None and self._clock() >= self._ends:
            return Stopped(f"The time limit of {self._named:g} s was reached.", Ending.TIME)
        return None

    @property
    def passed(self) -> bool:
        """Whether work is to end now."""
        return self.reason is not None

    def check(self) -> None:
        """End here, by an exception, if it is time to."""
        reason = self.reason
        if reason is not None:
            raise reason

    def budget(self, most: float | None = None, *, n_fits: int | None = None) -> Budget:
        """What a search may spend: until this stop, `most` seconds or `n_fits` fits."""
        limits = [limit for limit in (self.left, most) if limit is not None]
        return Budget(seconds=min(limits, default=None), n_fits=n_fits, stop=self)
