"""Parts: rows to learn from and rows to measure on, the same for every move that is compared."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from scalesr.expr.evaluate import evaluate
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator
from scalesr.reduce.reduction import Move, Reduction, applied, untouched

Floats = NDArray[np.float64]
Learn = Callable[[Dataset], Generator]

N_LEARNED, N_MEASURED = 3000, 1500  # rows of the two parts, at most
NO_WORSE = 1.03  # times the error before: what chance may add to the error of a right move


class Parts:
    """Measures what a move does to the error on unseen rows, in units of the target before it."""

    def __init__(self, data: Dataset, learn: Learn, rng: np.random.Generator) -> None:
        order = rng.permutation(data.n_rows)
        n_second = min(N_MEASURED, data.n_rows // 3)
        self.second = np.sort(order[:n_second])
        self._first = np.sort(order[n_second : n_second + N_LEARNED])
        self._data, self._learn = data, learn

    def error(self, move: Move) -> float:
        """Error after a move, infinite where it has no values."""
        after = applied(move, untouched(self._data))
        return np.inf if after is None else self._measured(after)[1]

    def measured_as_is(self) -> tuple[Generator, float]:
        """The generator of the first part without any move, and its error on the second."""
        return self._measured(untouched(self._data))

    def _measured(self, here: Reduction) -> tuple[Generator, float]:
        first, second = here.data.rows(self._first), here.data.rows(self.second)
        generator = self._learn(first)
        factor = evaluate(here.factor, self._data.table[self.second])
        errors = [self._size((generator.predict(second.table) - second.y) * factor)]
        if here.data.n_variables == 1:
            errors.append(self._size((_along_the_curve(first, second.columns[0]) - second.y) * factor))
        return generator, min(errors)

    def _size(self, off: Floats) -> float:
        size = float(np.sqrt(np.mean(off**2))) / (self._data.spread or 1.0)
        return size if np.isfinite(size) else np.inf


def _along_the_curve(rows: Dataset, where: Floats) -> Floats:
    """Values between neighbours: sharper than any smooth model where one variable tells all."""
    x, place = np.unique(rows.columns[0], return_inverse=True)
    y = np.bincount(place, rows.y) / np.bincount(place)
    if len(x) < 3:
        return np.full(len(where), np.nan)
    return np.asarray(PchipInterpolator(x, y)(np.clip(where, x[0], x[-1])))
