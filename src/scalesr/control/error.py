"""How far a generator's values are off, apart from the noise of the rows it was learned from.

A generator's error on unseen rows holds both. Where rows are noisy, it is no better on rows it has
seen, and what it leaves of neighbouring rows is unrelated; its own error is then much smaller than
the noise: r_out^2 - r_in^2 is twice its variance for anything that is linear in the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scalesr.control.config import CONTROL
from scalesr.records.dataset import Dataset
from scalesr.records.errors import Errors
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]


def measure_errors(data: Dataset, generator: Generator) -> Errors:
    """What a generator leaves of its rows, taken apart."""
    unseen = generator.noise
    thin = data.thinned(CONTROL.error_rows)
    left = thin.y - generator.predict(thin.table)
    if thin.weights is not None:  # the error on unseen rows is that of a row of average weight
        left = left * np.sqrt(thin.weights / thin.weights.mean())
    usable = np.isfinite(left)
    left, table = left[usable], thin.table[usable]
    seen = float(np.sqrt(np.mean(left**2))) if len(left) else 0.0
    if len(left) < 50 or seen <= CONTROL.no_better * unseen or _neighbours_agree(left, table):
        return Errors(unseen, unseen, 0.0)
    own = np.sqrt(max(unseen**2 - seen**2, 0.0) / 2)
    return Errors(
        unseen, float(min(max(own, CONTROL.least_error * unseen), unseen)), float(np.sqrt((unseen**2 + seen**2) / 2))
    )


def _neighbours_agree(left: Floats, table: Floats) -> bool:
    """Whether residuals of rows next to each other are related: a smooth error of the generator."""
    ranks = table.argsort(axis=0).argsort(axis=0) / len(table)
    nearest = cKDTree(ranks).query(ranks, k=2)[1][:, 1]
    agreement = float(np.mean(left * left[nearest])) / float(np.mean(left**2))
    return bool(agreement > CONTROL.related / np.sqrt(len(left)))
