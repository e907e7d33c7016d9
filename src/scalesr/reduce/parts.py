"""Parts: rows to learn from and rows to measure on, the same for every transformation that is compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from scalesr.expr.evaluate import evaluate
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator
from scalesr.reduce.config import REDUCE
from scalesr.reduce.reduction import Reduction, Transformation, applied, untouched

Floats = NDArray[np.float64]
Learn = Callable[[Dataset], Generator]

CURVES = (200, 60, 20)  # points of curves that smooth the noise of the rows


@dataclass(frozen=True, slots=True, eq=False)
class Misses:
    """How far off a generator is on the rows of the second part."""

    squares: Floats  # (rows,) weighted, in units of the variance of the target before; infinite where it has no values

    @property
    def error(self) -> float:
        """Root mean square."""
        return float(np.sqrt(np.mean(self.squares)))

    @property
    def trimmed_rmse(self) -> float:
        """Root mean squared error without the worst rows, which lie in corners where few were learned."""
        return float(np.sqrt(np.mean(np.sort(self.squares)[: math.ceil(REDUCE.trimmed_share * len(self.squares))])))

    def is_clearly_worse_than(self, other: Misses) -> bool:
        """Whether chance does not explain that these are larger: by the differences, row by row."""
        more = self.squares - other.squares
        if not np.isfinite(more).all():
            return not np.isfinite(self.squares).all()
        return float(more.mean()) > REDUCE.difference_sigmas * float(more.std()) / math.sqrt(len(more))


class Parts:
    """Measures what a transformation does to the error on unseen rows, in units of the target before it."""

    def __init__(self, data: Dataset, learn: Learn, rng: np.random.Generator) -> None:
        order = rng.permutation(data.n_rows)
        n_second = min(REDUCE.n_measured, data.n_rows // 3)
        self.second = np.sort(order[:n_second])
        self._first = np.sort(order[n_second : n_second + REDUCE.n_learned])
        self._data, self._learn = data, learn
        weights = np.ones(data.n_rows) if data.weights is None else data.weights
        self._std = float(np.sqrt(np.average((data.y - np.average(data.y, weights=weights)) ** 2, weights=weights)))
        self._std = self._std or 1.0
        self._shares = weights[self.second] / weights[self.second].mean()

    def misses(self, transformation: Transformation, *, weighted: bool = False) -> Misses:
        """What the rows say of a transformation; for `weighted` see `applied`."""
        after = applied(transformation, untouched(self._data), weighted=weighted)
        return Misses(np.full(len(self.second), np.inf)) if after is None else self._measured(after)[1]

    def measured_as_is(self) -> tuple[Generator, Misses]:
        """The generator of the first part without any transformation, and how far off it is on the second."""
        return self._measured(untouched(self._data))

    def _measured(self, here: Reduction) -> tuple[Generator, Misses]:
        first, second = here.data.rows(self._first), here.data.rows(self.second)
        generator = self._learn(first)
        factor = evaluate(here.factor, self._data.table[self.second])
        found = [self._misses((generator.predict(second.table) - second.y) * factor)]
        if here.data.n_variables == 1:
            curves = [_along_the_curve(first, second.columns[0], n_points) for n_points in (first.n_rows, *CURVES)]
            found += [self._misses((curve - second.y) * factor) for curve in curves]
        return generator, min(found, key=lambda misses: misses.error)

    def _misses(self, off: Floats) -> Misses:
        squares = self._shares * (off / self._std) ** 2
        return Misses(np.where(np.isfinite(squares), squares, np.inf))


def _along_the_curve(rows: Dataset, where: Floats, n_points: int) -> Floats:
    """Values between neighbours, or between averages of this many: sharper than any smooth model in one variable."""
    curve = rows.sweep().averaged(n_points)
    x, first = np.unique(curve.columns[0], return_index=True)
    if len(x) < 3:
        return np.full(len(where), np.nan)
    return np.asarray(PchipInterpolator(x, curve.y[first])(np.clip(where, x[0], x[-1])))
