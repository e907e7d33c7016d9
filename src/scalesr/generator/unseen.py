"""What a learned function says of every row without having seen it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.config import GENERATOR
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]


def unseen_values(data: Dataset, learn: Callable[[Dataset], Generator], *, rng: np.random.Generator) -> Floats:
    """Predictions (rows,), each by a function learned from other rows."""
    values = np.empty(data.n_rows)
    for part in np.array_split(rng.permutation(data.n_rows), GENERATOR.n_unseen_parts):
        known = np.ones(data.n_rows, bool)
        known[part] = False
        values[part] = learn(data.rows(known)).predict(data.table[part])
    return values
