"""One law on all rows: what a pass adds up, and the step of its constants that follows (Gauss-Newton).

The derivatives are taken in directions in which they are independent of each other on the sample, so that the normal
equations lose no digits, and sums are carried with what rounding takes from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.likelihood import Sums
from scalesr.evidence.residual_tests import bounds_of, winsorised
from scalesr.evidence.rounding import Nearness, nearness, rounding
from scalesr.expr.evaluate import evaluate, jacobian
from scalesr.expr.expression import Expression
from scalesr.pipeline.beyond_memory.bins import BinnedResidual, Bins, Places
from scalesr.pipeline.beyond_memory.classes import Classes
from scalesr.pipeline.beyond_memory.errors_of_rows import RowErrors, row_errors
from scalesr.pipeline.beyond_memory.rows import Flags, RowBlock, Smallest
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

RANK: Final = 1e-9  # singular value of derivatives of length 1, below which constants are not told apart
N_WORST: Final = 500  # rows with the largest residuals that are kept: a few per cent of a sample


class Total:
    """A sum of arrays, with what rounding has taken from it (Neumaier)."""

    def __init__(self, *shape: int) -> None:
        self._sum, self._lost = np.zeros(shape), np.zeros(shape)

    def add(self, values: Floats | float) -> None:
        """Add an array of this shape."""
        before, self._sum = self._sum, self._sum + values
        larger = np.abs(before) >= np.abs(values)
        self._lost += np.where(larger, (before - self._sum) + values, (values - self._sum) + before)

    @property
    def value(self) -> Floats:
        return np.asarray(self._sum + self._lost)


class Losses:
    """Squares of a residual on the rows that are held back and on the others."""

    def __init__(self) -> None:
        self._squares = Total(2)
        self._counts = np.zeros(2)  # rows that are not held back, and those that are

    def add(self, residual: Floats, held: Flags) -> None:
        """Add rows."""
        squares = residual**2
        self._squares.add(np.array([float(squares[~held].sum()), float(squares[held].sum())]))
        n_held = int(np.count_nonzero(held))
        self._counts += (len(held) - n_held, n_held)

    @property
    def loss(self) -> float:
        """Mean square of the residual on the rows that are not held back."""
        return float(self._squares.value[0] / max(self._counts[0], 1))

    @property
    def held_loss(self) -> float:
        """The same on the others."""
        return float(self._squares.value[1] / max(self._counts[1], 1))

    @property
    def n_rows(self) -> int:
        return int(self._counts.sum())

    @property
    def n_held(self) -> int:
        return int(self._counts[1])


@dataclass(frozen=True, slots=True, eq=False)
class SampleLaw:
    """A law with open constants and values for them, and what the sample says of its errors and directions."""

    skeleton: Expression
    values: Floats  # (open constants,)
    origin: str
    errors: RowErrors
    directions: Floats  # (open constants, directions) in which derivatives are independent on the sample
    middle: float  # residuals over their shape count as far as `most` from here in tests for structure
    most: float
    may_be_exact: bool

    @property
    def expression(self) -> Expression:
        return self.skeleton.bind(self.values)

    @property
    def rank(self) -> int:
        return int(self.directions.shape[1])


def trial_of(
    skeleton: Expression, values: Floats, origin: str, sample: Dataset, *, may_be_exact: bool
) -> SampleLaw | None:
    """A law ready for passes; None where it has no value on some row of the sample."""
    expression = skeleton.bind(values)
    at = evaluate(expression, sample.table)
    residual = sample.y - at
    if not np.isfinite(residual).all():
        return None
    errors = row_errors(residual, at, skeleton.n_open, sample)
    shape = errors.shape(at)
    scaled = shape.divided(residual)
    slopes = _slopes(expression, skeleton, sample.columns, at, errors)
    slopes = slopes[np.isfinite(slopes).all(axis=1)]
    return SampleLaw(
        skeleton, values, origin, errors, _directions(slopes), *bounds_of(scaled), may_be_exact=may_be_exact
    )  # fmt: skip


def _slopes(law: Expression, skeleton: Expression, columns: Floats, values: Floats, errors: RowErrors) -> Floats:
    """Derivatives by the open constants, over the shape of the errors, (rows, open constants)."""
    slopes = jacobian(law, columns.T)[:, skeleton.open_indices]
    variances = errors.shape(values).variances
    return np.asarray(slopes if variances is None else slopes / np.sqrt(variances)[:, np.newaxis])


def _directions(slopes: Floats) -> Floats:
    """Steps of the constants, one per direction, that move the values independently and by about one each."""
    if slopes.shape[1] == 0 or slopes.shape[0] == 0:
        return np.empty((slopes.shape[1], 0))
    sizes = np.linalg.norm(slopes, axis=0)
    unit = np.where(sizes > 0, sizes, 1.0)
    _, lengths, right = np.linalg.svd(slopes / unit, full_matrices=False)
    told = lengths > RANK
    return np.asarray((right[told].T / lengths[told]) / unit[:, np.newaxis])


class LawSums:
    """What one pass adds up of one law."""

    def __init__(self, trial: SampleLaw, bins: Bins, level: float) -> None:
        self.trial = trial
        self._level = level  # of the target, near its mean: products are summed about it
        self._law = trial.expression
        size = trial.rank
        self._products, self._pull = Total(size, size), Total(size)
        self._price, self._kept_squares = Total(), Total()
        self.losses, self.losses_of_good = Losses(), Losses()  # of all rows, and of those that are not outliers
        self._moments = Total(5)  # of held rows that are good: values, target, their squares and their product
        self.classes = Classes(trial.errors.narrow)
        self.binned = BinnedResidual(bins)
        self.worst = Smallest(N_WORST)
        self.near = Nearness(0, 0.0, 0.0, 0)
        self.n_failed = self.n_outliers = 0

    def add(self, part: RowBlock, places: list[Places]) -> None:
        """Add rows."""
        with np.errstate(all="ignore"):
            values = evaluate(self._law, part.columns.T)
        good = np.isfinite(values)
        if not good.all():
            self.n_failed += int(np.count_nonzero(~good))
            self.worst.offer(np.where(good, np.inf, -np.inf), part)
            return
        residual, shape = part.y - values, self.trial.errors.shape(values)
        scaled = shape.divided(residual)
        squares = scaled**2
        self.classes.add(squares)
        if shape.variances is not None:
            self._price.add(0.5 * float(np.log(shape.variances).sum()))
        held = part.held
        self.losses.add(residual, held)
        size = np.abs(scaled)
        self.worst.offer(-size, part)
        self.binned.add(winsorised(scaled, self.trial.middle, self.trial.most), places)
        kept = size < self.trial.errors.cut
        self.n_outliers += len(kept) - int(np.count_nonzero(kept))
        self.losses_of_good.add(residual[kept], held[kept])
        self._add_moments(values[held & kept], part.y[held & kept])
        self._kept_squares.add(float(squares[kept].sum()))
        if self.trial.rank:
            slopes = _slopes(self._law, self.trial.skeleton, part.columns, values, self.trial.errors)
            whole = np.where((np.isfinite(slopes).all(axis=1) & kept)[:, np.newaxis], slopes, 0.0)
            across = whole @ self.trial.directions
            self._products.add(across.T @ across)
            self._pull.add(across.T @ scaled)
        if self.trial.may_be_exact:
            expected = rounding(self._law, Dataset(part.columns, part.y, ()))
            self.near += nearness(residual[kept], expected[kept], part.y[kept])

    def _add_moments(self, values: Floats, target: Floats) -> None:
        f, y = values - self._level, target - self._level
        self._moments.add(np.array([f.sum(), y.sum(), f @ f, y @ y, f @ y]))

    @property
    def held_correlation(self) -> float:
        """Of the law's values with the target, on held-back rows."""
        f, y, ff, yy, fy = self._moments.value
        n = max(self.losses_of_good.n_held, 1)
        across = (ff - f * f / n) * (yy - y * y / n)
        return float((fy - f * y / n) / np.sqrt(across)) if across > 0 else 0.0

    @property
    def held_variance(self) -> float:
        """Mean square of the target about the level, on held-back rows."""
        return float(self._moments.value[3] / max(self.losses_of_good.n_held, 1))

    def sums(self) -> Sums:
        """What the likelihood needs."""
        errors = self.trial.errors
        at = evaluate(self._law, errors.data.table)
        shape = errors.shape(at)
        kind = shape.price(self.losses.n_rows) - (
            0.0 if shape.variances is None else 0.5 * float(np.log(shape.variances).sum())
        )
        return Sums(
            self.classes.means, self.classes.total, self.classes.median, self.classes.largest**0.5,
            kind + float(self._price.value), shape.floor(errors.rounding), self.classes.counts,
        )  # fmt: skip

    def step(self) -> Floats:
        """By how much the constants have to move."""
        if not self.trial.rank:
            return np.zeros(len(self.trial.values))
        return np.asarray(
            self.trial.directions @ np.linalg.lstsq(self._products.value, self._pull.value, rcond=None)[0]
        )

    def covariance(self) -> Floats:
        """Of the constants, NaN where the rows do not determine them."""
        size = len(self.trial.values)
        if self.trial.rank < size:
            return np.full((size, size), np.nan)
        about = self.trial.directions @ np.linalg.pinv(self._products.value) @ self.trial.directions.T
        return np.asarray(about * self.variance)

    @property
    def variance(self) -> float:
        """Mean square of the residual over the shape of its errors, without outliers."""
        n_kept = self.losses_of_good.n_rows
        return float(self._kept_squares.value) / max(n_kept - self.trial.rank, 1)

    @property
    def objective(self) -> float:
        """What steps make smaller: the same squares, with outliers at the size from which they are some."""
        cut = self.trial.errors.cut
        return float(self._kept_squares.value) + (cut**2 * self.n_outliers if self.n_outliers else 0.0)
