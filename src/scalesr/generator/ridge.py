"""Ridge regression in closed form, with the ridge that generalised cross-validation picks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.records.precision import SMALLEST

Floats = NDArray[np.float64]

RIDGES = 10.0 ** np.arange(-28.0, 4.0, 0.5)  # relative to the largest squared singular value


def solve_ridge(columns: Floats, t: Floats) -> tuple[Floats, float]:
    """Weights (columns,) of the columns (rows, columns), and their root mean square error on unseen rows.

    Through an orthogonal factorisation and singular values, because the products of columns that the
    normal equations are made of lose half of the digits: this is 1e-11 where they give 1e-6.
    """
    n_rows, n_columns = columns.shape
    triangle: Floats = np.asarray(np.linalg.qr(np.column_stack([columns, t]), mode="r"))
    left, sizes, right = np.linalg.svd(triangle[:n_columns, :n_columns], full_matrices=False)
    loads = left.T @ triangle[:n_columns, n_columns]
    rest = float(np.sum(triangle[n_columns:, n_columns] ** 2))
    shrunk = sizes**2 / (sizes**2 + RIDGES[:, np.newaxis] * max(sizes[0] ** 2, SMALLEST))  # (ridges, sizes)
    rss = rest + np.sum(((1 - shrunk) * loads) ** 2, axis=1)
    freedom = np.maximum(n_rows - shrunk.sum(axis=1), 1e-3 * n_rows)
    scores = rss * n_rows / freedom**2
    best = int(np.argmin(scores))
    solution: Floats = right.T @ (shrunk[best] / np.maximum(sizes, SMALLEST) * loads)
    return solution, float(np.sqrt(scores[best]))


def root_weights(weights: Floats | None, n_rows: int) -> Floats:
    """Factors of the rows whose squares are their weights, 1 on average."""
    return np.ones(n_rows) if weights is None else np.sqrt(weights / weights.mean())
