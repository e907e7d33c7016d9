"""How long a network is trained: one cosine over the steps or the limit that it has; a stalled error ends it early."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
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
    """A cosine from the first rate to the last one, over the steps or over the limit, whichever ends first.

    A limit of time or work stretches or shortens the cosine instead of cutting it, since an error that is measured at
    high rates is many times larger. Training ends early where the error on the held-back rows has not fallen over the
    share `patience` of the cosine; that is not asked in its first half, where high rates make the error jump. The
    weights with the smallest error are kept.
    """

    n_steps: int
    rates: tuple[float, float]
    patience: float
    look_every: int  # steps, between two looks at the held-back rows

    def rate(self, done: float) -> float:
        """The learning rate after a share of the cosine."""
        first, last = self.rates
        return last + (first - last) * (1 + math.cos(math.pi * done)) / 2


# The paper states the first rate and the cosine. The number of steps is 100 s on a GPU; without one, limits end before.
PAPER_TRAINING: Final = Annealing(n_steps=100_000, rates=(0.1, 1e-4), patience=0.25, look_every=25)


class Ended(Enum):
    """Why a training ended."""

    STALLED = "ended early, as the error had stopped falling"
    COMPLETE = "annealed to the end"
    CUT = "cut before its end"


@dataclass(frozen=True, slots=True)
class Trained:
    """What came of a training."""

    n_steps: int
    error: float  # on the held-back rows, of the weights that were kept
    ended: Ended


def anneal(network: Trainee, plan: Annealing, *, work: float, stop: Stop) -> Trained:
    """Train as planned; `work` is what a step counts."""
    progress, best = _Progress(plan.n_steps, stop), _Best(network)
    while (done := progress.done) < 1 and not stop.passed:
        network.step(plan.rate(done))
        stop.spend(work)
        progress.n_steps += 1
        if progress.n_steps % plan.look_every == 0:
            best.look(done)
            if done - max(best.done, 0.5) >= plan.patience:
                return Trained(progress.n_steps, best.error, Ended.STALLED)
    best.look(done)
    return Trained(progress.n_steps, best.error, Ended.COMPLETE if done >= 1 else Ended.CUT)


class _Best:
    """The smallest error on the held-back rows so far, and when it was."""

    def __init__(self, network: Trainee) -> None:
        self.error, self.done = math.inf, 0.0
        self._network = network

    def look(self, done: float) -> None:
        """Keep the weights where they are the best so far; the first ones in any case."""
        error = self._network.held_error()
        if error < self.error or not math.isfinite(self.error):
            self.error, self.done = error, done
            self._network.keep()


class _Progress:
    """The share of a training that is done: of its steps, of its time or of its work, whichever is the largest."""

    def __init__(self, n_steps: int, stop: Stop) -> None:
        self.n_steps = 0
        self._most, self._stop = n_steps, stop
        self._seconds, self._work = stop.left, stop.work_left

    @property
    def done(self) -> float:
        shares = [self.n_steps / self._most]
        for whole, left in ((self._seconds, self._stop.left), (self._work, self._stop.work_left)):
            if whole is not None and left is not None:
                shares.append(1 - left / whole if whole > 0 else 1.0)
        return max(shares)
