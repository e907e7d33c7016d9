"""Rows of one variable as a curve: few enough to fit many formulas to, and under noise averages of neighbours."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scalesr.pipeline.config import PIPELINE
from scalesr.records.dataset import Dataset
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]


def exact_curve(data: Dataset, noise: float | None) -> Sweep:
    """Rows in the order of the one variable, thinned evenly; their errors are none, or not known."""
    return _in_order(data).thinned(PIPELINE.rows_of_a_curve).sweep(noise)


def noisy_curve(data: Dataset) -> Sweep:
    """Averages of neighbouring rows and their noise."""
    level = local_noise(_in_order(data))
    weights = 1.0 if data.weights is None else float(data.weights[data.weights > 0].mean())
    return data.sweep(level / math.sqrt(weights)).averaged(PIPELINE.rows_of_a_curve)


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
