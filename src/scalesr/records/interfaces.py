"""What a stage may ask of another that it is handed: a search, a generator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep


class Search(Protocol):
    """Finds skeletons that describe every group of a sweep."""

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons; the same `rng` state gives the same ranking unless time cuts it short."""
        ...


class Generator(Protocol):
    """A function of all columns of a table: learned from its rows, or given.

    `noise` is the standard deviation of its error, in units of the target, measured on rows that it
    was not made from; it holds both the noise of the rows and what the generator fails to learn.
    """

    @property
    def noise(self) -> float: ...

    @property
    def description(self) -> str:
        """Kind, settings and quality in one sentence, for the trace."""
        ...

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Values at rows of a table, (rows, variables) -> (rows,); NaN where there is none."""
        ...

    def gradient(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Derivatives by each variable, (rows, variables) -> (rows, variables)."""
        ...

    def trusted(self, X: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which rows lie near the data, where values may be relied on, (rows,)."""
        ...


@dataclass(frozen=True, slots=True)
class Learner:
    """A named way to learn a generator from the rows of a dataset, called as learn(data, rng=rng)."""

    name: str
    learn: Callable[..., Generator]
