"""How long a network is trained: cosine schedules with warm restarts, until the error on held-back rows stalls."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from scalesr.records.stop import Stop


class Trainee(Protocol):
    """A network that can be trained step by step."""

    def step(self, rate: float) -> None:
        """Change the weights once, at this learning rate."""
        ...

    def held_error(self) -> float:
        """The error on the held-back rows with the weights as they are."""
        ...

    def keep(self) -> None:
        """Remember the weights as they are: they are the best so far."""
        ...


@dataclass(frozen=True, slots=True)
class Annealing:
    """Cycles of cosine annealing, each longer than the one before it.

    Training ends after `patience` cycles in a row that have not lowered the error on the held-back rows by the factor
    `gain`. A limit of time or work may cut it earlier; the weights with the smallest error are kept in any case.
    """

    first_steps: int  # of the first cycle
    growth: float  # of the number of steps from one cycle to the next
    patience: int
    gain: float
    rates: tuple[float, float]  # at the beginning and at the end of each cycle
    look_every: int  # steps, between two looks at the held-back rows
    n_steps: int | None = None  # exactly so many, in one cycle, instead of stopping early

    def rate(self, done: float) -> float:
        """The learning rate after a share of a cycle."""
        first, last = self.rates
        return last + (first - last) * (1 + math.cos(math.pi * done)) / 2


PAPER_TRAINING: Final = Annealing(
    first_steps=250, growth=2.0, patience=1, gain=0.9, rates=(0.1, 1e-4), look_every=25
)  # the paper states the first rate and the cosine; it leaves the rest open


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training."""

    n_steps: int
    n_cycles: int  # that were begun
    error: float  # on the held-back rows, of the weights that were kept
    stalled: bool  # whether the error had stopped to fall; False where a limit cut the training


def anneal(network: Trainee, plan: Annealing, *, work: float, stop: Stop) -> Trained:
    """Train until the error on held-back rows stalls or the work ends; `work` is what a step counts."""
    run = _Run(network, plan.look_every, work, stop)
    if plan.n_steps is not None:
        is_whole = run.cycle(plan.n_steps, plan.rate)
        return Trained(run.n_steps, 1, run.best, is_whole)
    n_cycles, idle, length = 0, 0, float(plan.first_steps)
    while idle < plan.patience:
        before, n_cycles = run.best, n_cycles + 1
        if not run.cycle(round(length), plan.rate):
            return Trained(run.n_steps, n_cycles, run.best, stalled=False)
        idle = 0 if run.best < plan.gain * before else idle + 1
        length *= plan.growth
    return Trained(run.n_steps, n_cycles, run.best, stalled=True)


class _Run:
    """One training under way: steps so far, and the smallest error on the held-back rows."""

    def __init__(self, network: Trainee, look_every: int, work: float, stop: Stop) -> None:
        self.n_steps, self.best = 0, math.inf
        self._network, self._look_every, self._work, self._stop = network, look_every, work, stop

    def cycle(self, n_steps: int, rate: Callable[[float], float]) -> bool:
        """Train for so many steps; returns whether there was time for all of them."""
        for step in range(n_steps):
            if self._stop.passed:
                self._look()
                return False
            self._network.step(rate(step / n_steps))
            self._stop.spend(self._work)
            self.n_steps += 1
            if (n_steps - step - 1) % self._look_every == 0:
                self._look()
        return True

    def _look(self) -> None:
        """Keep the weights where they are the best so far; the first ones in any case."""
        error = self._network.held_error()
        if error < self.best or not math.isfinite(self.best):
            self.best = error
            self._network.keep()
