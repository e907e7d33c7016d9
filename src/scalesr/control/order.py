"""Order: which variables matter, and which come first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator

Floats = NDArray[np.float64]

ROWS = 1000
DOUBTFUL = 1.5  # times the generator's error: an effect below may be an artefact


def effects(data: Dataset, generator: Generator, rng: np.random.Generator) -> Floats:
    """How much the target changes when one variable alone takes the value it has in another row, (variables,).

    Root mean squares over rows where both may be trusted; 0 for a variable that never moves.
    """
    rows = data.table[rng.permutation(data.n_rows)[:ROWS]]
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


def relevant(found: Floats, noise: float) -> list[int]:
    """Variables whose effect stands out from the generator's error; the strongest one at least."""
    certain = [int(variable) for variable in np.flatnonzero(found > DOUBTFUL * noise)]
    return certain or [int(np.argmax(found))]


def orders(complexity: Sequence[float]) -> list[tuple[int, ...]]:
    """Places of variables in ascending order of the complexity of their curves, then with each other one in front."""
    first = tuple(int(place) for place in np.argsort(complexity, kind="stable"))
    return [(front, *(place for place in first if place != front)) for front in first]
