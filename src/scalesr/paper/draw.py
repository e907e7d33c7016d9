"""The paper's data generation: lines 7 to 15 of its Algorithm 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.paper.settings import LiteralSettings
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]


def draw_groups(
    data: Dataset, generator: Generator, variable: int, *, settings: LiteralSettings, rng: np.random.Generator
) -> Sweep:
    """K groups of M rows for a new variable (`variable` is the paper's i + 1, counted from 0).

    Variables after the new one are held at one random draw. The new one has a random value in each
    group, and the ones before it have random values in each row. All are uniform over the range of
    the data. The first variable has none before it, so that M rows would be copies: M is 1 then.
    Rows at which the generator has no value are left out.
    """
    n_points = settings.n_points if variable else 1
    table = _rows(data, variable, settings.n_groups, n_points, rng)
    values = generator.predict(table.reshape(-1, data.n_variables)).reshape(table.shape[:2])
    usable = np.isfinite(values)
    groups = [(rows[good], found[good]) for rows, found, good in zip(table, values, usable, strict=True) if good.any()]
    if not groups:
        raise DataError(f"The generator has no value at any of {values.size} rows drawn for {data.names[variable]!r}.")
    return Sweep.from_groups([rows for rows, _ in groups], [found for _, found in groups], names=data.names)


def _rows(data: Dataset, variable: int, n_groups: int, n_points: int, rng: np.random.Generator) -> Floats:
    """Where the generator is asked, (groups, points, variables)."""
    low, high = data.columns.min(axis=1), data.columns.max(axis=1)
    table = np.empty((n_groups, n_points, data.n_variables))
    after = slice(variable + 1, None)
    table[:, :, after] = rng.uniform(low[after], high[after])
    table[:, :, variable] = rng.uniform(low[variable], high[variable], (n_groups, 1))
    table[:, :, :variable] = rng.uniform(low[:variable], high[:variable], (n_groups, n_points, variable))
    return table
