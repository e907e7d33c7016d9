"""Tables without a continuous law, where "exact" is wrong whatever the formula.

- levels: y = T[k]*x with 3 to 12 levels k and an arbitrary value T[k] for each; no noise
- categories: y = T[k] for 4 to 12 category codes k, besides columns that do not matter; no noise
- coin flips: 12 to 40 rows of a fair coin, with 20 columns of coins
- rare events: one to three rows of 200 to 400 are 1, the others 0, with 30 columns of coins
- small integers: a target and two to five columns of dice
- grid: an arbitrary value at each node of a grid of 3 to 5 by 3 to 5, measured once; no noise
- median: the middle one of three columns; no noise

A formula with enough constants passes through any levels, so that fresh rows of the same process do not
show it wrong; it is wrong since nothing between or beyond the levels follows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]
Process = Callable[[np.random.Generator], "Lawless"]

N_FRESH: Final = 2000  # rows of the same process to compare predictions on


@dataclass(frozen=True, slots=True, eq=False)
class Lawless:
    """Rows of a process, and fresh ones of the same."""

    truth: str  # what made the target, for reading
    data: Dataset
    fresh: Floats  # (rows, columns)
    fresh_y: Floats


def lawless_table(kind: str, seed: int, place: int) -> Lawless:
    """The table of a kind with this number, the same on every machine."""
    return LAWLESS[kind](np.random.default_rng([seed, list(LAWLESS).index(kind), place]))


def _levels(rng: np.random.Generator) -> Lawless:
    n_levels, n_rows = int(rng.integers(3, 13)), int(rng.integers(60, 600))
    values = rng.uniform(-3, 3, n_levels)
    X = np.column_stack([rng.integers(n_levels, size=n_rows + N_FRESH), rng.uniform(0.5, 2, n_rows + N_FRESH)])
    return _split(f"T[k]*x with {n_levels} levels", X, values[X[:, 0].astype(int)] * X[:, 1], n_rows)


def _categories(rng: np.random.Generator) -> Lawless:
    n_codes, n_rows = int(rng.integers(4, 13)), int(rng.integers(60, 600))
    values = rng.uniform(-3, 3, n_codes)
    codes = rng.integers(n_codes, size=n_rows + N_FRESH)
    X = np.column_stack([codes, rng.uniform(0, 1, (n_rows + N_FRESH, int(rng.integers(0, 3))))])
    return _split(f"T[k] for {n_codes} category codes", X, values[codes], n_rows)


def _coin_flips(rng: np.random.Generator) -> Lawless:
    n_rows = int(rng.integers(12, 41))
    flips = rng.integers(2, size=(n_rows + N_FRESH, 21)).astype(float)
    return _split("a coin", flips[:, 1:], flips[:, 0], n_rows)


def _rare_events(rng: np.random.Generator) -> Lawless:
    n_rows, n_events = int(rng.integers(200, 401)), int(rng.integers(1, 4))
    X = rng.integers(2, size=(n_rows + N_FRESH, 30)).astype(float)
    y = np.zeros(n_rows + N_FRESH)
    y[rng.choice(n_rows, n_events, replace=False)] = 1
    y[n_rows:] = rng.random(N_FRESH) < n_events / n_rows
    return _split(f"{n_events} events of {n_rows} rows", X, y, n_rows)


def _small_integers(rng: np.random.Generator) -> Lawless:
    n_rows, n_columns = int(rng.integers(15, 300)), int(rng.integers(2, 6))
    dice = rng.integers(1, 7, size=(n_rows + N_FRESH, n_columns + 1)).astype(float)
    return _split("a die", dice[:, 1:], dice[:, 0], n_rows)


def _grid(rng: np.random.Generator) -> Lawless:
    sides = rng.integers(3, 6, size=2)
    nodes = np.array([(i, j) for i in range(sides[0]) for j in range(sides[1])], float)
    y = rng.normal(size=len(nodes))
    again = rng.integers(len(nodes), size=N_FRESH)
    X, values = np.vstack([nodes, nodes[again]]), np.concatenate([y, y[again]])
    return _split(f"arbitrary values on a grid of {sides[0]} by {sides[1]}", X, values, len(nodes))


def _median(rng: np.random.Generator) -> Lawless:
    n_rows = int(rng.integers(100, 600))
    X = rng.uniform(0, 1, (n_rows + N_FRESH, 3))
    return _split("the median of three columns", X, np.median(X, axis=1), n_rows)


LAWLESS: Final[Mapping[str, Process]] = {
    "levels": _levels,
    "categories": _categories,
    "coin flips": _coin_flips,
    "rare events": _rare_events,
    "small integers": _small_integers,
    "grid": _grid,
    "median": _median,
}


def _split(truth: str, X: Floats, y: Floats, n_rows: int) -> Lawless:
    names = [f"x{column}" for column in range(X.shape[1])]
    return Lawless(truth, Dataset.from_table(X[:n_rows], y[:n_rows], names=names), X[n_rows:], y[n_rows:])
