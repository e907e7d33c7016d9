"""Values at which a held variable is moved: inside the data, where the generator may be trusted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]

EDGE = 0.02  # share of the rows at either end of a column that is left out: generators err most there
CANDIDATES = 5  # times as many values are looked at as are wanted


def column_values(column: Floats, n_values: int) -> Floats:
    """Ascending values of a column: all of a few, else half evenly spaced and half as dense as the rows."""
    distinct = np.unique(column)
    if len(distinct) <= n_values:
        return distinct
    low, high = np.quantile(column, [EDGE, 1 - EDGE])
    n_even = n_values // 2
    dense = np.quantile(column, np.linspace(EDGE, 1 - EDGE, n_values - n_even))
    steps = (np.arange(n_even) + 0.5) / n_even
    return np.unique(np.concatenate([dense, low + (high - low) * steps]))


def evenly(values: Floats, n_values: int) -> Floats:
    """At most so many of the values, with both ends."""
    if len(values) <= n_values:
        return values
    return values[np.unique(np.linspace(0, len(values) - 1, n_values).round().astype(int))]


def moved(setting: Floats, variable: int, values: Floats) -> Floats:
    """Rows like the setting, but for one variable, (values, variables)."""
    rows = np.tile(setting, (len(values), 1))
    rows[:, variable] = values
    return rows


def sweep_values(data: Dataset, generator: Generator, setting: Floats, variable: int, n_values: int) -> Floats:
    """Values of a variable that may be trusted while the others are held at a setting."""
    candidates = column_values(data.columns[variable], CANDIDATES * n_values)
    trusted = candidates[generator.trusted(moved(setting, variable, candidates))]
    return evenly(trusted, n_values)


def joint_rows(
    data: Dataset, generator: Generator, setting: Floats, free: tuple[int, ...], n_rows: int, rng: np.random.Generator
) -> Floats:
    """Rows like the setting, but for several variables that move together as they do in the table."""
    drawn = rng.permutation(data.n_rows)[: CANDIDATES * n_rows]
    rows = np.tile(setting, (len(drawn), 1))
    rows[:, free] = data.columns[:, drawn].T[:, free]
    return rows[generator.trusted(rows)][:n_rows]
