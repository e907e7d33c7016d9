"""Together: whether columns that explain next to nothing each explain something jointly, in a linear law."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr.reduce.config import REDUCE

Floats = NDArray[np.float64]

PENALTIES = 10.0 ** np.arange(-6, 5)  # times the mean square of the singular values


def tell_together(known: Dataset, unseen: Dataset, chosen: Dataset, residual: Floats) -> bool:
    """Whether a linear law of all columns predicts the residual of unseen rows beyond what the chosen ones do."""
    predicted = _ridge(known.thinned(REDUCE.rows_of_linear_law), unseen.columns)
    others = np.vstack([np.ones(unseen.n_rows), chosen.columns, unseen.y - residual]).T
    basis = np.linalg.qr(others / np.maximum(np.abs(others).max(axis=0), 1e-300))[0]
    new, rest = (values - basis @ (basis.T @ values) for values in (predicted, residual))
    size = float(np.sqrt((new @ new) * (rest @ rest)))
    return size > 0 and float(new @ rest) / size * np.sqrt(unseen.n_rows - others.shape[1]) > REDUCE.correlation_sigmas


def _ridge(known: Dataset, where: Floats) -> Floats:
    """Values at `where` (variables, rows) of the linear law whose penalty generalised cross-validation chooses."""
    middle, level = known.columns.mean(axis=1, keepdims=True), known.y.mean()
    std = np.maximum(known.columns.std(axis=1, keepdims=True), 1e-300)
    left, sizes, right = np.linalg.svd(((known.columns - middle) / std).T, full_matrices=False)
    along, squares = left.T @ (known.y - level), sizes**2
    outside = max(float(((known.y - level) ** 2).sum() - along @ along), 0.0)
    scores = []
    for penalty in PENALTIES * squares.mean():
        shrunk = squares / (squares + penalty)
        rss = float((((1 - shrunk) * along) ** 2).sum()) + outside
        scores.append(rss / max(1 - (shrunk.sum() + 1) / known.n_rows, 1e-3) ** 2)
    penalty = PENALTIES[int(np.argmin(scores))] * squares.mean()
    weights = right.T @ (along * sizes / (squares + penalty))
    return np.asarray(weights @ ((where - middle) / std) + level)
