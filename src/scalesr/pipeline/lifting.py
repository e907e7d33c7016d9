"""Lifting: a given function of the original columns, asked at rows of a smaller dataset.

The smaller dataset's columns are formulas over the original ones. For each of its rows an original row
is looked for at which the formulas have the row's values: from the nearest row of the table, by the
shortest steps that linear equations say, inside the box of the table. Columns that no formula has are
held at one setting. The function's answer there, over the factor that was taken out of the target, is
the smaller dataset's target.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scalesr.expr.evaluate import evaluate, evaluate_many, gradient
from scalesr.generator.oracle import Answers
from scalesr.pipeline.config import PIPELINE
from scalesr.records.dataset import Dataset
from scalesr.reduce.reduction import Reduction

Floats = NDArray[np.float64]


class Lifted:
    """Answers for the rows of a reduced dataset, from those for the original columns."""

    def __init__(self, answers: Answers, original: Dataset, here: Reduction) -> None:
        self._answers, self._here = answers, here
        self._low, self._high = original.columns.min(axis=1), original.columns.max(axis=1)
        self._units = np.maximum(np.ptp(here.data.columns, axis=1), np.finfo(float).tiny)
        self._starts = _at_one_setting(original, here)
        self._tree = cKDTree(here.data.table / self._units)

    @property
    def n_asked(self) -> int:
        """Rows asked for so far, of the original columns."""
        return self._answers.n_asked

    def ask(self, Z: Floats) -> Floats:
        """Values (rows,) of the reduced target; NaN where no original row inside the table's box is found."""
        values = np.full(len(Z), np.nan)
        if len(Z) == 0:
            return values
        rows = self.rows_behind(Z)
        found = np.isfinite(rows).all(axis=1)
        if found.any():
            with np.errstate(all="ignore"):
                asked = self._answers.ask(rows[found]) - evaluate(self._here.offset, rows[found])
                values[found] = asked / evaluate(self._here.factor, rows[found])
        return np.where(np.isfinite(values), values, np.nan)

    def rows_behind(self, Z: Floats) -> Floats:
        """An original row (rows, original columns) for each row of the smaller dataset; NaN where there is none."""
        rows: Floats = self._starts[self._tree.query(Z / self._units)[1]]
        open_ = np.arange(len(Z))
        for _ in range(PIPELINE.n_lifting_steps):
            rows[open_] = self._step(rows[open_], Z[open_])
            open_ = open_[self._off(rows[open_], Z[open_]) > PIPELINE.near_row]
            if not len(open_):
                break
        rows = self._step(rows, Z)  # twice the digits
        rows[open_] = np.nan
        return rows

    def _step(self, rows: Floats, Z: Floats) -> Floats:
        """Rows moved by the shortest step, in units of the box, that brings the formulas to their values."""
        width = self._high - self._low
        with np.errstate(all="ignore"):
            missing = (Z - evaluate_many(self._here.columns, rows).T) / self._units
            slopes = np.stack([gradient(column, rows) * width for column in self._here.columns], axis=1)
        slopes /= self._units[:, np.newaxis]
        stuck = ((rows <= self._low) & _outwards(slopes, missing, -1)) | (
            (rows >= self._high) & _outwards(slopes, missing, 1)
        )
        slopes = np.where(stuck[:, np.newaxis], 0.0, slopes)
        usable = np.isfinite(slopes).all(axis=(1, 2)) & np.isfinite(missing).all(axis=1)
        moved: Floats = rows.copy()
        step = np.linalg.pinv(slopes[usable], rcond=PIPELINE.flat_direction) @ missing[usable][:, :, np.newaxis]
        moved[usable] = np.clip(rows[usable] + step[:, :, 0] * width, self._low, self._high)
        return moved

    def _off(self, rows: Floats, Z: Floats) -> Floats:
        """How far the formulas are from their values, (rows,)."""
        with np.errstate(all="ignore"):
            off = np.abs(evaluate_many(self._here.columns, rows).T - Z) / self._units
        return np.asarray(np.where(np.isfinite(off), off, np.inf).max(axis=1), np.float64)


def _outwards(slopes: Floats, missing: Floats, direction: int) -> NDArray[np.bool_]:
    """Columns whose own step, as far as the formulas need them, goes one way, (rows, original columns)."""
    wanted = np.einsum("rkn,rk->rn", slopes, missing)
    return np.asarray(direction * wanted > 0)


def _at_one_setting(original: Dataset, here: Reduction) -> Floats:
    """The table's rows with all columns that no formula has at the values of the row nearest to the middle."""
    used = sorted({place for column in here.columns for place in column.variables})
    held = [place for place in range(original.n_variables) if place not in used]
    rows = original.table.copy()
    ranks = original.columns.argsort(axis=1).argsort(axis=1)
    middle = int(np.abs(ranks - (original.n_rows - 1) / 2).sum(axis=0).argmin())
    rows[:, held] = rows[middle, held]
    return rows
