"""Scaling: columns of any magnitude made comparable, some through their logarithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WIDE = 40.0  # ratio of the 95 % and 5 % quantiles from which a positive column is taken as logarithm
SMALLEST = np.finfo(np.float64).tiny


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """z = gain (u - centre) per column, where u is the column or its logarithm; gain 0 where it never moves."""

    logs: NDArray[np.bool_]  # (variables,)
    centre: Floats  # (variables,)
    gain: Floats  # (variables,)

    @classmethod
    def of(cls, X: Floats, logs: NDArray[np.bool_]) -> Scaling:
        """Mean 0 and standard deviation 1 on these rows."""
        U = _logarithms(X, logs)
        size = np.maximum(np.abs(U).max(axis=0), SMALLEST)
        unit = U / size  # squares of 1e200 would not fit
        spread = unit.std(axis=0)
        moving = spread > 1e-14
        gain = np.where(moving, 1 / np.where(moving, spread, 1.0), 0.0) / size
        return cls(logs, unit.mean(axis=0) * size, gain)

    def apply(self, X: Floats) -> Floats:
        """Scaled inputs (rows, variables)."""
        moved: Floats = (_logarithms(X, self.logs) - self.centre) * self.gain
        return moved

    def slopes(self, X: Floats) -> Floats:
        """Derivative of each scaled input by its own column (rows, variables)."""
        inner = np.ones_like(X)
        inner[:, self.logs] = 1 / np.maximum(X[:, self.logs], SMALLEST)
        return inner * self.gain


def wide_columns(X: Floats) -> NDArray[np.bool_]:
    """Positive columns that span orders of magnitude."""
    low, high = np.quantile(X, [0.05, 0.95], axis=0)
    return np.asarray((X.min(axis=0) > 0) & (high > WIDE * low))


def positive_columns(X: Floats) -> NDArray[np.bool_]:
    """Columns whose logarithm exists in all rows."""
    return np.asarray(X.min(axis=0) > 0)


def _logarithms(X: Floats, logs: NDArray[np.bool_]) -> Floats:
    if not logs.any():
        return X
    U = np.array(X, np.float64)
    U[:, logs] = np.log(np.maximum(U[:, logs], SMALLEST))
    return U
