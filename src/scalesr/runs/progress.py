"""Progress of a run as a small file that a page reads: the law so far, the Pareto front, the error over time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from scalesr.records.budget import Progress
from scalesr.records.discovery import Law, Step
from scalesr.runs.run import RunFolder

SECONDS_BETWEEN: Final = 0.4  # two writings, so that a search does not wait for the disk
MOST_STEPS: Final = 40  # of the story that are shown while it happens
MOST_HISTORY: Final = 400  # points of the error over time; beyond, every other one goes


class ProgressFile:
    """What a search reports to; the file is whole at every moment."""

    def __init__(
        self, run: RunFolder, *, before: float = 0.0, limit: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`before` are seconds that were spent already, `limit` is the one of the search, which may have got more."""
        self._run, self._before, self._limit, self._clock = run, before, limit, clock
        self._history: list[tuple[float, float]] = []
        self._target = ""
        self._last: Progress | None = None
        self._before_again: Progress | None = None  # what was known when the search began again from its checkpoint
        self._next, self.seconds = -math.inf, before

    def begin_again(self, *, before: float, limit: float) -> None:
        """Go on with a search that has got more time; until it has caught up, what was known before is told."""
        self._before, self._limit, self._before_again = before, limit, self._last

    def __call__(self, progress: Progress) -> None:
        progress = self._caught_up(progress)
        self._last = progress
        self.seconds = self._before + progress.seconds
        if progress.target != self._target:  # laws of motion have one for each state: errors are not of the same law
            self._target, self._history = progress.target, []
        if math.isfinite(progress.error) and (not self._history or self._history[-1][1] != progress.error):
            self._history.append((self.seconds, progress.error))
            if len(self._history) > MOST_HISTORY:
                self._history = [*self._history[:-1:2], self._history[-1]]
        if self._clock() < self._next:
            return
        self._run.set_values("progress", self._values(progress))
        self._next = self._clock() + SECONDS_BETWEEN

    def _caught_up(self, progress: Progress) -> Progress:
        """A report with the law and the Pareto front of before, as long as it has none that does as well."""
        known = self._before_again
        if known is not None and progress.error > known.error:
            return replace(progress, best=known.best, error=known.error, front=known.front)
        self._before_again = None
        return progress

    def _values(self, progress: Progress) -> dict[str, Any]:
        curves = next((step.curves for step in reversed(progress.trace) if step.curves), ())
        return {
            "stage": progress.stage,
            "variable": progress.variable,
            "where": progress.in_words,
            "n_scored": progress.n_scored,
            "seconds": self.seconds,
            "seconds_left": None if progress.seconds_left is None else progress.seconds_left + self._added,
            "target": progress.target,
            "law": progress.best,
            "error": progress.error if math.isfinite(progress.error) else None,
            "history": self._history,
            "front": front_values(progress.front),
            "best": place_of(progress.best, progress.front),
            "steps": step_values(progress.trace[-MOST_STEPS:]),
            "curves": [asdict(one) for one in curves[:1]],
        }

    @property
    def _added(self) -> float:
        """Seconds that were given to the run since the search began."""
        plan = self._run.plan
        return 0.0 if plan is None or not self._limit else max(plan.time_limit - self._limit, 0.0)


def front_values(front: Sequence[Law]) -> list[dict[str, Any]]:
    """Laws of a Pareto front: complexity, error and formula."""
    return [
        {"complexity": law.complexity, "error": math.sqrt(law.loss), "law": str(law.equation.rounded())}
        for law in front
        if math.isfinite(law.loss)
    ]


def place_of(law: str, front: Sequence[Law]) -> int | None:
    """Where a law stands on the Pareto front as `front_values` lists it."""
    told = [str(one.equation) for one in front if math.isfinite(one.loss)]
    return told.index(law) if law in told else None


def step_values(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """What stages did, in sentences."""
    return [{"stage": step.stage, "summary": step.summary, "seconds": step.seconds} for step in steps]
