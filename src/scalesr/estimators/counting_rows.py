"""Rows that count: without those of no weight, and each copy of a row as weight of the first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.estimators.numbers import Floats


@dataclass(frozen=True, slots=True, eq=False)
class CountingRows:
    """A table, one target and weights whose mean is one."""

    table: Floats  # (rows, columns)
    y: Floats  # (rows,)
    weights: Floats | None  # (rows,) None: all equal
    notes: tuple[str, ...] = ()  # what was left out, in sentences


def counting_rows(table: Floats, y: Floats, weights: Floats | None) -> CountingRows:
    """The rows that a law is looked for on.

    A copy brings no evidence, and held-back rows would prove nothing if they had copies among the
    others. Rows are copies where they agree in every column and in the target, and no rows that
    agree in every column differ in the target: then equal numbers are not accident of rounding.
    Weighted rows are sorted, so that a row of weight two counts as two rows wherever those stand.
    """
    given, notes = len(y), []
    if weights is not None and not weights.all():
        counted = weights > 0
        notes.append(f"{given - counted.sum()} of {given} rows have no weight and were left out.")
        table, y, weights = table[counted], y[counted], weights[counted]
    if weights is not None and (weights == weights[0]).all():
        weights = None
    if weights is None and len(y) > 1 and any(not _repeats(column) for column in (y, *table.T)):
        return CountingRows(table, y, None, tuple(notes))
    first, copy_of = _copies(table, y)
    if len(first) < 2:
        raise DataError(_too_few(given))
    if len(first) < len(y):
        notes.append(f"{len(y) - len(first)} of {given} rows are copies of others and count as their weight.")
    elif weights is None:
        return CountingRows(table, y, None, tuple(notes))
    counts = np.bincount(copy_of, weights=None if weights is None else _near_one(weights))
    shares = None if (counts == counts[0]).all() else counts / counts.mean()
    return CountingRows(table[first], y[first], shares, tuple(notes))


def _too_few(given: int) -> str:
    if given == 1:
        return "The table has one sample (n_samples = 1), which every formula can fit; give two rows or more."
    return f"Only one of {given} rows is left without copies and rows of no weight; give two that differ."


def _copies(table: Floats, y: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each kind, in ascending order of their numbers, and to which kind each row belongs."""
    order = np.lexsort((*table.T[::-1], y))
    is_new = np.ones(len(y), dtype=bool)
    again = 1 + np.flatnonzero(np.diff(y[order]) == 0)
    is_new[again] = (table[order[again]] != table[order[again - 1]]).any(axis=1)
    if not is_new.all() and _disagree(table[order[is_new]]):
        is_new[:] = True
    copy_of = np.empty(len(y), np.int64)
    copy_of[order] = np.cumsum(is_new) - 1
    return order[is_new], copy_of


def _near_one(weights: Floats) -> Floats:
    """Weights over a power of two, which changes none of their digits."""
    return np.asarray(np.ldexp(weights, -np.frexp(weights.max())[1]), np.float64)


def _repeats(column: Floats) -> bool:
    """Whether a number occurs twice; rows that differ in one column are not copies."""
    return bool((np.diff(np.sort(column)) == 0).any())


def _disagree(table: Floats) -> bool:
    """Whether two of these rows are equal."""
    ordered = table[np.lexsort(table.T)]
    return bool((ordered[1:] == ordered[:-1]).all(axis=1).any())
