"""A known function with an error like that of a learned one: smooth, and of a known size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class SmoothOracle:
    """`law` on the box of the data; waves of standard deviation `noise` are added."""

    data: Dataset
    law: Callable[[Floats], Floats]
    noise: float = 0.0  # as the generator reports it
    waves: float | None = None  # size of the smooth error; None: the noise
    description: str = "a known function"

    def predict(self, X: Floats) -> Floats:
        rng = np.random.default_rng(5)
        rates = rng.normal(size=(self.data.n_variables, 6)) * 2 / np.ptp(self.data.columns, axis=1)[:, np.newaxis]
        size = self.noise if self.waves is None else self.waves
        return self.law(X) + size * np.sin(X @ rates + rng.uniform(0, 6, 6)).sum(axis=1) / np.sqrt(3)

    def gradient(self, X: Floats) -> Floats:
        raise NotImplementedError

    def trusted(self, X: Floats) -> NDArray[np.bool_]:
        low, high = self.data.columns.min(axis=1), self.data.columns.max(axis=1)
        return ((low <= X) & (high >= X)).all(axis=1)


def table(law: Callable[[Floats], Floats], n_variables: int, low: float, high: float, n_rows: int = 2000) -> Dataset:
    """Uniform rows of a law."""
    X = np.random.default_rng(0).uniform(low, high, (n_rows, n_variables))
    return Dataset.from_table(X, law(X))
