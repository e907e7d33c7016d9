"""Idle columns: those that are constant, and those that only repeat another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.records.precision import PROPORTIONAL
from scalesr.reduce.config import REDUCE
from scalesr.reduce.reduction import ONE, Reduction, Transformation, applied

Floats = NDArray[np.float64]


def drop_idle(start: Reduction) -> tuple[Reduction, tuple[str, ...]]:
    """The dataset without idle columns, and why each was left out; one column always stays."""
    names, columns = start.data.names, start.data.columns
    gone: dict[int, str] = {}
    alike = _Alike(columns)
    for j, column in enumerate(columns):
        twin = next((i for i in alike.before(j) if i not in gone and _proportional(columns[i], column)), None)
        if column.max() == column.min():
            gone[j] = f"{names[j]} is {column[0]:g} in every row"
        elif twin is not None:
            gone[j] = f"{names[j]} repeats {names[twin]}"
    if len(gone) == len(columns):
        del gone[0]
    after = applied(Transformation(tuple(gone), (), ONE, 0.0), start) if gone else start
    return (start if after is None else after), tuple(gone.values())


class _Alike:
    """Columns that some rows do not tell apart: a quick look before the thorough one."""

    def __init__(self, columns: Floats) -> None:
        self._columns = columns
        self._largest = np.abs(columns).argmax(axis=1)
        self._rows = np.linspace(0, columns.shape[1] - 1, REDUCE.n_probed_rows).astype(np.int64)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            self._shares = columns[:, self._rows] / np.take_along_axis(columns, self._largest[:, np.newaxis], axis=1)

    def before(self, place: int) -> list[int]:
        """Columns before this one that may be multiples of it."""
        column = self._columns[place]
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            shares = column[self._rows] / column[self._largest[:place], np.newaxis]
            off = np.abs(self._shares[:place] - shares).max(axis=1)
        return [int(i) for i in np.flatnonzero(off <= PROPORTIONAL)]


def _proportional(first: Floats, second: Floats) -> bool:
    """Whether one column is a multiple of the other."""
    largest = int(np.abs(first).argmax())
    if first[largest] == 0 or second[largest] == 0:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(first / first[largest] - second / second[largest])
    return bool(off.max() <= PROPORTIONAL)
