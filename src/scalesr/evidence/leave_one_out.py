"""Left out: what a law says of each row when that row has no part in its constants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, jacobian
from scalesr.expr.fitting import Fit
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

ALONE = 1e-8  # share of others in a row's own fit


def leave_one_out(done: Fit, data: Dataset) -> Floats:
    """Predictions of each row by the law as fitted to all others, by linearisation."""
    values = evaluate(done.expression, data.table)
    if len(done.constants) == 0:
        return values
    roots = np.ones(data.n_rows) if data.weights is None else np.sqrt(data.weights)
    slopes = jacobian(done.expression, data.table)[:, done.skeleton.open_indices] * roots[:, np.newaxis]
    if not np.isfinite(slopes).all():  # at the edge of its domain a law says nothing of other rows
        return np.full(data.n_rows, np.inf)
    slopes /= np.maximum(np.abs(slopes).max(axis=0), 1e-300)
    left, sizes, _ = np.linalg.svd(slopes / np.maximum(np.linalg.norm(slopes, axis=0), 1e-300), full_matrices=False)
    own = (left[:, sizes > 1e-12 * sizes[0]] ** 2).sum(axis=1)
    alone = own > 1 - ALONE  # rows that the law passes through for want of others: nothing predicts them
    middle = float(data.y.mean())
    return np.asarray(np.where(alone, middle, data.y - (data.y - values) / np.where(alone, 1.0, 1 - own)))


def leave_one_out_loss(done: Fit, data: Dataset) -> float:
    """Mean squared error of rows by leave-one-out, weighted where rows have weights."""
    squares = (data.y - leave_one_out(done, data)) ** 2
    return float(np.average(squares, weights=data.weights))
