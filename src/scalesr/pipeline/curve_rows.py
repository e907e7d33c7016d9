"""Rows of one variable as a curve: few enough to fit many formulas to, and under noise averages of neighbours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]

MOST_ROWS = 600


def exact_curve(data: Dataset, noise: float | None) -> Sweep:
    """Rows in the order of the one variable, thinned evenly; their errors are none, or not known."""
    return _in_order(data).thinned(MOST_ROWS).sweep(noise)


def noisy_curve(data: Dataset) -> Sweep:
    """Averages of neighbouring rows, which keep what all rows say of a smooth curve, and their noise.

    Rows with the same value of the variable stay together where there are few such values.
    """
    ordered = _in_order(data)
    level = local_noise(ordered)
    x = ordered.columns[0]
    values, place = np.unique(x, return_inverse=True)
    if len(values) > MOST_ROWS:
        place = (np.arange(len(x)) * MOST_ROWS) // len(x)
    weights = np.ones(len(x)) if ordered.weights is None else ordered.weights
    total = np.asarray(np.bincount(place, weights), np.float64)
    used = total > 0
    means = [np.bincount(place, weights * part)[used] / total[used] for part in (x, ordered.y)]
    noise = level / float(np.sqrt(total[used].mean()))
    return replace(data, columns=means[0][np.newaxis], y=means[1], weights=total[used]).sweep(noise)


def local_noise(ordered: Dataset) -> float:
    """Standard deviation of the error of a row of weight 1: how far rows are off the line between their neighbours."""
    x, y = ordered.columns[0], ordered.y
    weights = np.ones(len(x)) if ordered.weights is None else ordered.weights
    inner = np.flatnonzero((x[2:] > x[:-2]) & (weights[2:] * weights[1:-1] * weights[:-2] > 0)) + 1
    if len(inner) == 0:
        inner = np.arange(1, len(x) - 1)
    width = np.where(x[inner + 1] > x[inner - 1], x[inner + 1] - x[inner - 1], 1.0)
    left = (x[inner + 1] - x[inner]) / width
    off = left * y[inner - 1] + (1 - left) * y[inner + 1] - y[inner]
    variance = left**2 / weights[inner - 1] + (1 - left) ** 2 / weights[inner + 1] + 1 / weights[inner]
    return float(np.sqrt(np.mean(off**2 / variance)))


def _in_order(data: Dataset) -> Dataset:
    return data.rows(np.argsort(data.columns[0], kind="stable"))
