"""Values at which a held variable is moved: inside the data, where the generator may be trusted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.control.config import CONTROL
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def column_values(column: Floats, n_values: int) -> Floats:
    """Ascending values of a column: all of a few, else half evenly spaced and half as dense as the rows."""
    distinct = np.unique(column)
    if len(distinct) <= n_values:
        return distinct
    low, high = np.quantile(column, [CONTROL.edge, 1 - CONTROL.edge])
    n_even = n_values // 2
    dense = np.quantile(column, np.linspace(CONTROL.edge, 1 - CONTROL.edge, n_values - n_even))
    steps = (np.arange(n_even) + 0.5) / n_even
    return np.unique(np.concatenate([dense, low + (high - low) * steps]))


def evenly(values: Floats, n_values: int) -> Floats:
    """At most this many of the values, with both ends."""
    if len(values) <= n_values:
        return values
    return np.asarray(values[np.unique(np.linspace(0, len(values) - 1, n_values).round().astype(int))])


def moved(held: Floats, variable: int, values: Floats) -> Floats:
    """Each held row with each value of one variable, (rows, values, variables)."""
    rows = np.repeat(held[:, np.newaxis], len(values), axis=1)
    rows[:, :, variable] = values
    return rows


def trusted(generator: Generator, rows: Floats) -> Flags:
    """Which of some rows (..., variables) may be relied on."""
    return generator.trusted(rows.reshape(-1, rows.shape[-1])).reshape(rows.shape[:-1])


def sweep_values(
    data: Dataset, generator: Generator, held: Floats, variable: int, n_values: int
) -> list[Floats]:  # fmt: skip
    """For each held row (rows, variables), values of a variable that may be trusted while the others stay."""
    column = data.columns[variable]
    candidates = column_values(column, CONTROL.values_looked_at_per_kept * n_values)
    usable = trusted(generator, moved(held, variable, candidates))
    is_discrete = len(candidates) == len(np.unique(column))
    found = []
    for row, chosen in zip(held, usable, strict=True):
        values = candidates[chosen]
        if not is_discrete and 2 <= len(values) < n_values:  # a narrow strip, as between correlated columns
            values = np.linspace(values[0], values[-1], n_values)
            values = values[generator.trusted(moved(row[np.newaxis], variable, values)[0])]
        found.append(evenly(values, n_values))
    return found


def joint_rows(
    data: Dataset, generator: Generator, held: Floats, free: tuple[int, ...], n_rows: int, rng: np.random.Generator
) -> list[Floats]:
    """For each held row, rows like it but for several variables that move together as they do in the table."""
    drawn = rng.permutation(data.n_rows)[: CONTROL.values_looked_at_per_kept * n_rows]
    rows = np.repeat(held[:, np.newaxis], len(drawn), axis=1)
    rows[:, :, free] = data.columns[list(free)][:, drawn].T
    usable = trusted(generator, rows)
    return [own[chosen][:n_rows] for own, chosen in zip(rows, usable, strict=True)]
