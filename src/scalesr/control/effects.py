"""Effects: how much each variable matters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.control.config import CONTROL
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]


def effects(data: Dataset, generator: Generator, rng: np.random.Generator) -> Floats:
    """How much the target changes when one variable alone takes the value it has in another row, (variables,).

    Root mean squares over rows where both may be trusted; 0 for a variable that never moves.
    """
    rows = data.table[rng.permutation(data.n_rows)[: CONTROL.effects_rows]]
    y = generator.predict(rows)
    found = np.zeros(data.n_variables)
    for variable in range(data.n_variables):
        other = rows.copy()
        other[:, variable] = rng.permutation(rows[:, variable])
        change = generator.predict(other) - y
        usable = generator.trusted(other) & np.isfinite(change)
        if usable.any():
            found[variable] = np.sqrt(np.mean(change[usable] ** 2))
    return found
