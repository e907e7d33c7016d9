"""Settings: values at which variables are held, taken from real rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.control.config import CONTROL
from scalesr.control.sample import column_values, evenly, moved, trusted
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]


def choose_settings(
    data: Dataset, generator: Generator, free: Sequence[int], n_settings: int, rng: np.random.Generator
) -> Floats:
    """Rows that lie apart from each other and respond to each of the free variables, (settings, variables)."""
    rows = _candidates(data, CONTROL.rows_looked_at, rng)
    responses = np.stack([_responses(data, generator, rows, variable) for variable in free], axis=1)
    is_open = (responses >= 0).all(axis=1)
    if not is_open.any():
        return np.empty((0, data.n_variables))
    rows, responses = rows[is_open], responses[is_open]
    typical = np.median(responses, axis=0)
    strong = (responses >= CONTROL.weak_response * typical).all(axis=1)
    if np.count_nonzero(strong) >= n_settings:
        rows = rows[strong]
    held = [variable for variable in range(data.n_variables) if variable not in free]
    return rows[_far_apart(_ranks(data, rows)[:, held], n_settings)]


def _candidates(data: Dataset, n_rows: int, rng: np.random.Generator) -> Floats:
    """Random rows that are not at the edge of any column, as far as there are such."""
    drawn = data.columns[:, rng.permutation(data.n_rows)[: 20 * n_rows]].T
    edge = 2 * CONTROL.edge
    low, high = np.quantile(data.columns, edge, axis=1), np.quantile(data.columns, 1 - edge, axis=1)
    n_outside = ((drawn < low) | (drawn > high)).sum(axis=1)
    return np.asarray(drawn[np.argsort(n_outside, kind="stable")[:n_rows]])


def _responses(data: Dataset, generator: Generator, rows: Floats, variable: int) -> Floats:
    """Standard deviation of a short sweep from each row; -1 where it cannot be made."""
    values = column_values(data.columns[variable], CONTROL.values_looked_at)
    usable = trusted(generator, moved(rows, variable, values))
    chosen = [evenly(values[own], CONTROL.response_points) for own in usable]
    fewest = min(CONTROL.fewest_trusted, len(values))
    sweeps = [moved(row[np.newaxis], variable, own)[0] for row, own in zip(rows, chosen, strict=True)]
    y = np.split(generator.predict(np.concatenate(sweeps)), np.cumsum([len(own) for own in chosen])[:-1])
    finite = [own[np.isfinite(own)] for own in y]
    return np.array([own.std() if len(own) >= fewest else -1.0 for own in finite])


def _ranks(data: Dataset, rows: Floats) -> Floats:
    """Where each value stands in its column, from 0 to 1."""
    columns = np.sort(data.columns, axis=1)
    places = [np.searchsorted(column, values) for column, values in zip(columns, rows.T, strict=True)]
    return np.array(places, np.float64).T.reshape(rows.shape) / data.n_rows


def _far_apart(places: Floats, number: int) -> list[int]:
    """Points far apart: the one nearest to the middle, then always the one farthest from those chosen."""
    chosen = [int(np.argmin(((places - 0.5) ** 2).sum(axis=1)))]
    distances = ((places - places[chosen[0]]) ** 2).sum(axis=1)
    while len(chosen) < min(number, len(places)):
        farthest = int(np.argmax(distances))
        if farthest in chosen:  # all others are copies of these
            break
        chosen.append(farthest)
        distances = np.minimum(distances, ((places - places[farthest]) ** 2).sum(axis=1))
    return chosen
