"""Tables for the measurements: some that no short law fits, and a small one that is soon gone through."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

N_KINDS = 50  # of hard tables


def hard_table(number: int) -> tuple[Floats, Floats]:
    """Rows without a law that could be found in time: 50 kinds by rows (20 to 50,000), columns (1 to 11) and noise."""
    rng = np.random.default_rng(number % N_KINDS)
    n_rows, n_columns = int(10 ** rng.uniform(1.3, 4.7)), int(rng.integers(1, 12))
    X = rng.uniform(0.5, 3, (n_rows, n_columns))
    waves = np.sin(X @ rng.normal(size=(n_columns, 6)) * 2 + np.arange(6)) @ rng.normal(size=6)
    return X, waves * X[:, 0] ** 1.3 + 0.1 * rng.normal(size=n_rows)


def small_table() -> tuple[Floats, Floats]:
    """Few noisy rows of one variable, through which a search with counted work is soon."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0.5, 4, 40)
    y = x**1.3 * np.exp(-0.4 * x) + 0.1 * np.log(x) + 0.01 * rng.normal(size=40)
    return x[:, np.newaxis], y
