"""Rows for the search: few enough to work with, spread over the visited region, one Dataset per state."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.derivatives import Rates
from scalesr.dynamics.trajectories import Trajectories
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

MOST_ROWS = 8_000
MOST_RUNS = 1_500  # that rows are taken from
ENOUGH_ROWS = 600  # from which on rows are taken so far apart that their errors are independent
FEWEST_POINTS = 3  # of a short run that rows are taken from, even if their errors depend on each other


def rate_rows(found: Sequence[Rates], reach: int, *, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """States with inputs (rows, columns), rates (rows, states) and how doubtful each of these is."""
    chosen = found if len(found) <= MOST_RUNS else [found[k] for k in sorted(rng.permutation(len(found))[:MOST_RUNS])]
    n_independent = sum(1 + len(one.places) // reach for one in chosen)
    step = max(reach // 2, 1) if n_independent >= ENOUGH_ROWS else 1
    table, rates, doubts = [], [], []
    for one in chosen:
        first = int(rng.integers(min(step, len(one.places))))
        table.append(np.hstack([one.states, one.inputs])[first::step])
        rates.append(one.rates[first::step])
        doubts.append(one.doubts[first::step])
    X, Y = np.concatenate(table), np.concatenate(rates)
    kept = spread_rows(X, MOST_ROWS, rng=rng)
    return X[kept], Y[kept], np.concatenate(doubts)[kept]


def map_rows(data: Trajectories, *, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """States with inputs (rows, columns), and the states one step later (rows, states)."""
    X = np.concatenate([run.table[:-1] for run in data.runs])
    Y = np.concatenate([run.states[1:] for run in data.runs])
    kept = spread_rows(X, MOST_ROWS, rng=rng)
    return X[kept], Y[kept]


def spread_rows(X: Floats, n_rows: int, *, rng: np.random.Generator) -> NDArray[np.int64]:
    """At most this many rows: in turn one of each cell of the visited region, so that crowded places count less."""
    if len(X) <= n_rows:
        return np.arange(len(X))
    order = rng.permutation(len(X))
    n_cells = max(int(n_rows ** (1 / X.shape[1])), 2)
    low, width = X.min(axis=0), np.where(np.ptp(X, axis=0) > 0, np.ptp(X, axis=0), 1.0)
    cells = np.minimum(((X[order] - low) / width * n_cells).astype(np.int64), n_cells - 1)
    _, cell = np.unique(cells, axis=0, return_inverse=True)
    by_cell = np.argsort(cell.ravel(), kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(cell.ravel()))])[:-1]
    turn = np.empty(len(X), np.int64)
    turn[by_cell] = np.arange(len(X)) - np.repeat(starts, np.bincount(cell.ravel()))
    return np.sort(order[np.argsort(turn, kind="stable")[:n_rows]])


def datasets(
    X: Floats, Y: Floats, data: Trajectories, columns: Sequence[int], trusted: NDArray[np.bool_], target: str
) -> list[Dataset]:  # fmt: skip
    """One table per state, of the rows that are trusted (rows, states) and the columns that laws may use.

    `target` is the pattern of the targets' names.
    """
    names = [data.names[j] for j in columns]
    return [
        Dataset.from_table(
            X[trusted[:, place]][:, list(columns)], Y[trusted[:, place], place], names=names,
            target=target.format(state),
        )
        for place, state in enumerate(data.states)
    ]  # fmt: skip
