"""Classes of squares: a histogram fine enough that a likelihood from it is that of the single rows."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PER_OCTAVE: Final = 32  # classes between a square and its double: they are 2 per cent wide, and their means are exact
OCTAVES: Final = 60  # below and above the usual square: 18 decades each, beyond which squares are taken together


class Classes:
    """Counts and sums of squares of residuals over the shape of their errors."""

    def __init__(self, usual: float) -> None:
        self._usual = usual * usual or 1.0
        self._counts = np.zeros(2 * OCTAVES * PER_OCTAVE)
        self._sums = np.zeros(len(self._counts))
        self.largest = 0.0

    def add(self, squares: Floats) -> None:
        """Add rows."""
        with np.errstate(divide="ignore"):
            steps = (np.log2(squares / self._usual) + OCTAVES) * PER_OCTAVE
        place = np.clip(steps, 0, len(self._counts) - 1).astype(np.int64)
        self._counts += np.bincount(place, minlength=len(self._counts))
        self._sums += np.bincount(place, weights=squares, minlength=len(self._counts))
        self.largest = max(self.largest, float(squares.max(initial=0.0)))

    @property
    def counts(self) -> Floats:
        """Rows in each class that has any."""
        return np.asarray(self._counts[self._counts > 0])

    @property
    def means(self) -> Floats:
        """The mean square of each class that has rows."""
        filled = self._counts > 0
        return np.asarray(self._sums[filled] / self._counts[filled])

    @property
    def total(self) -> float:
        """The sum of all squares."""
        return math.fsum(self._sums.tolist())

    @property
    def median(self) -> float:
        """The median size, up to the width of a class."""
        counts = self.counts
        if not len(counts):
            return 0.0
        middle = int(np.searchsorted(np.cumsum(counts), counts.sum() / 2))
        return math.sqrt(float(self.means[min(middle, len(counts) - 1)]))
