"""What a learned function says of every row without having seen it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]

N_PARTS: Final = 4  # each predicted by what the others teach


def unseen_values(data: Dataset, learn: Callable[[Dataset], Generator], *, rng: np.random.Generator) -> Floats:
    """Predictions (rows,), each by a function learned from other rows."""
    values = np.empty(data.n_rows)
    for part in np.array_split(rng.permutation(data.n_rows), N_PARTS):
        known = np.ones(data.n_rows, bool)
        known[part] = False
        values[part] = learn(data.rows(known)).predict(data.table[part])
    return values
