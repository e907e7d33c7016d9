"""LearnedGenerator: any smooth function of scaled inputs, seen as a function of the table's own columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.config import GENERATOR
from scalesr.generator.scaling import Scaling
from scalesr.generator.target import Target
from scalesr.generator.trust import Neighbourhood
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]


class Smooth(Protocol):
    """A learned function of scaled inputs."""

    def values(self, Z: Floats) -> Floats:
        """Values (rows,)."""
        ...

    def gradient(self, Z: Floats) -> Floats:
        """Derivatives by each scaled input (rows, inputs)."""
        ...

    def refitted(self, Z: Floats, t: Floats, weights: Floats | None, *, rng: np.random.Generator) -> Smooth:
        """The same function, with what is solved in closed form solved for other rows."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A smooth function between a table's columns and its target, in their own units."""

    smooth: Smooth
    scaling: Scaling
    target: Target

    def values(self, X: Floats) -> Floats:
        """Values (rows,) at rows of a table."""
        parts = [self.target.inverse(self.smooth.values(self.scaling.apply(part))) for part in _parts(X)]
        return np.concatenate(parts)

    def gradient(self, X: Floats) -> Floats:
        """Derivatives by each column (rows, variables)."""
        return np.concatenate([self._slopes(part) for part in _parts(X)])

    def refitted(self, data: Dataset, *, rng: np.random.Generator) -> Function:
        """The same function, learned from other rows."""
        Z, t = self.scaling.apply(data.table), self.target.forward(data.y)
        return replace(self, smooth=self.smooth.refitted(Z, t, data.weights, rng=rng))

    def _slopes(self, X: Floats) -> Floats:
        Z = self.scaling.apply(X)
        outer = self.target.slope(self.smooth.values(Z))
        return self.scaling.pull_back(X, outer[:, np.newaxis] * self.smooth.gradient(Z))


@dataclass(frozen=True, slots=True, eq=False)
class LearnedGenerator:
    """A generator learned from rows; `noise` is its error on rows that it had not seen."""

    function: Function
    near: Neighbourhood
    noise: float
    description: str

    def predict(self, X: Floats) -> Floats:
        """Values at rows of a table."""
        return self.function.values(np.asarray(X, np.float64))

    def gradient(self, X: Floats) -> Floats:
        """Derivatives by each variable."""
        return self.function.gradient(np.asarray(X, np.float64))

    def trusted(self, X: Floats) -> NDArray[np.bool_]:
        """Which rows lie near the data."""
        return self.near.holds(np.asarray(X, np.float64))


def _parts(X: Floats) -> list[Floats]:
    return [X[start : start + GENERATOR.rows_at_a_time] for start in range(0, max(len(X), 1), GENERATOR.rows_at_a_time)]
