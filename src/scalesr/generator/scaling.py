"""Scaling: columns of any magnitude made comparable, as they are or through their logarithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.config import GENERATOR

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SMALLEST = np.finfo(np.float64).tiny


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """Inputs z = gain (u - centre), where u is a column or its logarithm; gain is 0 where it never moves."""

    columns: NDArray[np.int64]  # (inputs,) which column each input is made of; a column may make two
    logs: Flags  # (inputs,)
    centre: Floats  # (inputs,)
    gain: Floats  # (inputs,)

    @classmethod
    def of(cls, X: Floats, columns: NDArray[np.int64], logs: Flags) -> Scaling:
        """Inputs of mean 0 and standard deviation 1 on these rows."""
        U = _inputs(X, columns, logs)
        size = np.maximum(np.abs(U).max(axis=0), SMALLEST)
        unit = U / size  # squares of 1e200 would not fit
        std = unit.std(axis=0)
        moving = std > 1e-14
        gain = np.where(moving, 1 / np.where(moving, std, 1.0), 0.0) / size
        return cls(columns, logs, unit.mean(axis=0) * size, gain)

    def apply(self, X: Floats) -> Floats:
        """Inputs (rows, inputs) of a table (rows, variables)."""
        Z: Floats = (_inputs(X, self.columns, self.logs) - self.centre) * self.gain
        return Z

    def pull_back(self, X: Floats, slopes: Floats) -> Floats:
        """Derivatives by the table's columns (rows, variables) from those by the inputs (rows, inputs)."""
        by_column = slopes * self.gain
        by_column[:, self.logs] /= np.maximum(X[:, self.columns[self.logs]], SMALLEST)
        gradient = np.zeros_like(X)
        for j, column in enumerate(self.columns):
            gradient[:, column] += by_column[:, j]
        return gradient


def wide_columns(X: Floats) -> Flags:
    """Positive columns that span orders of magnitude."""
    low, high = np.quantile(X, [0.05, 0.95], axis=0)
    return np.asarray((X.min(axis=0) > 0) & (high > GENERATOR.range_of_orders * low))


def even_logarithms(X: Floats) -> Flags:
    """Columns whose logarithm exists and has no tail that a few rows stretch out, as those of numbers near 0 do."""
    positive, both = X.min(axis=0) > 0, np.arange(X.shape[1])
    plain = np.abs(Scaling.of(X, both, np.zeros_like(positive)).apply(X)).max(axis=0)
    logs = np.abs(Scaling.of(X, both, positive).apply(X)).max(axis=0)
    return np.asarray(positive & (logs <= np.maximum(GENERATOR.longest_tail, plain)))


def bent_logarithms(X: Floats) -> Flags:
    """Positive columns that their logarithm tells something new of."""
    positive, both = X.min(axis=0) > 0, np.arange(X.shape[1])
    plain = Scaling.of(X, both, np.zeros_like(positive)).apply(X)
    logs = Scaling.of(X, both, positive).apply(X)
    return np.asarray(positive & (np.mean(plain * logs, axis=0) < GENERATOR.logarithm_alike))


def _inputs(X: Floats, columns: NDArray[np.int64], logs: Flags) -> Floats:
    U = X[:, columns]
    U[:, logs] = np.log(np.maximum(U[:, logs], SMALLEST))
    return U
