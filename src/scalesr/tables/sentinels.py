"""Sentinels: numbers such as -999 that stand for a missing cell, where they lie far from all other numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import SettingError
from scalesr.tables.table import Column, Table, shortened

Floats = NDArray[np.float64]

AUTO, NONE = "auto", "none"
SIZES: Final = (99.0, 999.0, 9999.0, 99999.0, 999999.0, 99.9, 999.9, 9999.9, 99.99, 999.99)
USUAL: Final = tuple(sign * size for size in SIZES for sign in (-1, 1))
FILL: Final = (1e20, -1e20, 1e30, -1e30, 1e36, 9.96920996838687e36, -9.96920996838687e36)  # of climate files
_FAR: Final = 2.0  # times the range of the other numbers, from the nearest of them
_FEWEST: Final = 3  # other values that a column needs for the range to mean something


def without_sentinels(table: Table, asked: str = AUTO) -> Table:
    """The table with sentinels as missing cells, each with a note; `asked` is "auto", "none" or numbers by commas."""
    if asked == NONE:
        return table
    wanted = None if asked == AUTO else _numbers(asked)
    columns, notes = [], list(table.notes)
    for column in table.columns:
        cleared, note = _cleared(column, wanted)
        columns.append(cleared)
        notes += note
    return replace(table, columns=tuple(columns), notes=tuple(notes))


def _cleared(column: Column, wanted: tuple[float, ...] | None) -> tuple[Column, list[str]]:
    if column.numbers is None:
        return column, []
    found = [value for value in (wanted or (*USUAL, *FILL)) if (column.numbers == value).any()]
    if wanted is None:
        found = [value for value in found if _is_far(column.numbers, found, value)]
    if not found:
        return column, []
    missing = np.isin(column.numbers, found)
    told = " and ".join(f"{value:.10g}" for value in found)
    count = int(missing.sum())
    keep = "" if wanted is not None else "; --missing-values none keeps them"
    cells = "1 cell of {} counts" if count == 1 else f"{count} cells of {{}} count"
    note = f"Column {shortened(column.name)!r}: {cells.format(told)} as missing{keep}."
    return replace(column, numbers=np.where(missing, np.nan, column.numbers)), [note]


def _is_far(numbers: Floats, found: list[float], value: float) -> bool:
    """Whether a number lies apart from all others of its column, by more than their range."""
    others = numbers[np.isfinite(numbers) & ~np.isin(numbers, found)]
    if len(np.unique(others)) < _FEWEST:
        return False
    gap = max(float(others.min()) - value, value - float(others.max()))
    return gap > _FAR * float(np.ptp(others))


def _numbers(asked: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in asked.split(","))
    except ValueError:
        raise SettingError(
            f"--missing-values {asked!r} is neither {AUTO!r} nor {NONE!r} nor numbers with commas between, -999,9999."
        ) from None
