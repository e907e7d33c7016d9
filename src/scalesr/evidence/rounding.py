"""Rounding: how far an exact law may be from the rows because numbers have 53 bits.

Every leaf of the formula is taken to be off by half a unit in its last place, each occurrence of a
variable on its own, so that cancellation inside the formula counts: x^2 - 2*x*y + y^2 is far less
certain than (x - y)^2 where x is near y. The target is rounded too, and the rounding of all rows
shifts the fitted constants.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.refit import FitData
from scalesr.evidence.residual_tests import UNLIKELY, structure_left
from scalesr.expr.evaluate import evaluate, gradient, jacobian
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.kernels.codes import VARIABLE
from scalesr.records.dataset import Dataset
from scalesr.records.mean_squares import root_mean_square
from scalesr.records.precision import EXACT_LAW

Floats = NDArray[np.float64]

HALF_ULP = 2.0**-53
ALLOWED = 8.0  # times the expected rounding, root mean square over rows
COARSEST = 1e-9  # of the standard deviation of y: coarser rounding says too little about a law
NEAR_ITSELF = 1e-11  # of each value of y, in most rows: where they differ in size, the largest must not decide alone
NEAR_ITSELF_ROWS = 0.9


def rounding(expr: Expression, data: Dataset) -> Floats:
    """Expected size of the rounding error of y minus a closed formula, per row."""
    step = EVIDENCE.rounding_rows_at_a_time
    places = [slice(start, start + step) for start in range(0, data.n_rows, step)]
    return np.concatenate([_rounding(expr, data.columns[:, rows], data.y[rows]) for rows in places])


def _rounding(expr: Expression, columns: Floats, y: Floats) -> Floats:
    is_variable = expr.codes == VARIABLE
    used = expr.args[is_variable]
    args = expr.args.copy()
    args[is_variable] = np.arange(len(used))
    apart = Expression(expr.codes, args, expr.constants)  # each occurrence of a variable is a column of its own
    squares = np.zeros(len(y))
    with np.errstate(all="ignore"):
        if len(used):
            squares += _sum_of_squares(gradient(apart, columns[used].T) * columns[used].T)
        if len(expr.constants):
            squares += _sum_of_squares(jacobian(expr, columns.T) * expr.constants)
    return HALF_ULP * (np.abs(y) + np.sqrt(squares))


def _sum_of_squares(shares: Floats) -> Floats:
    """Row by row; shares without a value, as at the edge of a root, are left out."""
    return np.asarray((np.where(np.isfinite(shares), shares, 0.0) ** 2).sum(axis=1))


def shift(expr: Expression, fitted: NDArray[np.int64], data: Dataset, on: Dataset) -> Floats:
    """Expected error on the rows `on` that comes from constants fitted to the rounded rows of `data`."""
    rows = data.thinned(EVIDENCE.rows_of_shift)
    if len(fitted) == 0:
        return np.zeros(on.n_rows)
    with np.errstate(all="ignore"):
        slopes, elsewhere = jacobian(expr, rows.table)[:, fitted], jacobian(expr, on.table)[:, fitted]
    slopes, elsewhere = (np.where(np.isfinite(part), part, 0.0) for part in (slopes, elsewhere))
    lengths = np.linalg.norm(slopes, axis=0)
    lengths = np.where(lengths > 0, lengths, 1.0)
    reach = np.linalg.pinv(slopes / lengths, rcond=1e-14) * rounding(expr, rows)  # (constants, rows)
    left, sizes, _ = np.linalg.svd(reach, full_matrices=False)
    return np.asarray(np.sqrt(_sum_of_squares(elsewhere / lengths @ (left * sizes))))


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near a law comes to rows: sums over them, which add up."""

    n_rows: int
    squares: float  # of the residual
    in_units: float  # the same over the squares of the rounding that is expected
    n_near: int  # rows whose residual is next to nothing beside their own value

    def __add__(self, other: Nearness) -> Nearness:
        return Nearness(
            self.n_rows + other.n_rows, self.squares + other.squares, self.in_units + other.in_units,
            self.n_near + other.n_near,
        )  # fmt: skip

    @property
    def error(self) -> float:
        return math.sqrt(self.squares / max(self.n_rows, 1))

    @property
    def is_rounding(self) -> bool:
        """Whether the residual is as large as rounding is expected to be."""
        return math.sqrt(self.in_units / max(self.n_rows, 1)) <= ALLOWED

    def may_be_rounding(self, width: float) -> bool:
        """Whether it is as large as rounding of a less careful computation; `width` is the target's std."""
        return self.error <= EXACT_LAW * width and self.n_near >= NEAR_ITSELF_ROWS * self.n_rows


def nearness(residual: Floats, expected: Floats, y: Floats) -> Nearness:
    """How near a law comes to rows on which rounding is expected to be so large."""
    largest = float(np.abs(residual).max(initial=0.0))
    scaled = residual / np.maximum(expected, np.finfo(float).tiny)
    with np.errstate(all="ignore"):
        squares = float(((residual / largest) ** 2).sum()) * largest * largest if largest else 0.0
        in_units = float((scaled**2).sum())
    n_near = int(np.count_nonzero(np.abs(residual) <= NEAR_ITSELF * np.abs(y)))
    return Nearness(len(y), squares, in_units, n_near)


def is_at_rounding(expr: Expression, fitted: NDArray[np.int64], data: Dataset, on: Dataset) -> bool:
    """Whether a law with constants fitted to `data` differs from the rows `on` by rounding alone."""
    residual = on.y - evaluate(expr, on.table)
    if not np.isfinite(residual).all():
        return False
    width = std_of(data)
    if root_mean_square(residual) > COARSEST * width:
        return False
    near = nearness(residual, rounding(expr, on) + shift(expr, fitted, data, on), on.y)
    if near.is_rounding:
        return True
    if not near.may_be_rounding(width):
        return False
    some = slice(0, EVIDENCE.rows_of_shift)
    return structure_left(residual[some], on.columns[:, some], len(fitted))[0] >= UNLIKELY


def at_rounding(done: Fit, rows: FitData) -> bool:
    """Whether a fit differs from all rows by rounding alone."""
    return is_at_rounding(done.expression, done.skeleton.open_indices, rows.data, rows.data)


def std_of(data: Dataset) -> float:
    """Root mean square of y about its mean, or of y where it is constant, or 1 where all of y is 0."""
    about = root_mean_square(data.y - data.y.mean())
    scale = root_mean_square(data.y)
    return about if about > 1e-14 * scale else scale or 1.0
