"""Columns of any kind become finite numbers, or an error that names the column and says what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scalesr.errors import DataError

Floats = NDArray[np.float64]

_NUMERIC = "biuf"  # kinds of numpy types that turn into floats without a question
_TIME = "mM"
_SHOWN = 5  # columns that an error names

LARGEST = 2.0**250  # size of a column's numbers, about 2e75: the square of a product of two is still a number


class CellError(DataError, TypeError):
    """A cell that is neither number nor text; scikit-learn asks for a TypeError there."""


def numbers_of(values: Any, label: str) -> Floats:  # (rows,)
    """One column, a numpy array or a pandas Series, as floats; what is missing becomes NaN."""
    kind = getattr(values.dtype, "kind", "O")
    if kind in _TIME:
        raise DataError(f"{label} holds dates or durations; give numbers, such as seconds since the first row.")
    if kind == "c":
        raise DataError(
            f"Complex data not supported: {label} is complex. Give the real and the imaginary part as separate columns."
        )
    if isinstance(values.dtype, np.dtype) and kind in _NUMERIC:
        return np.asarray(values, np.float64)
    cells = values.to_numpy(dtype=object) if isinstance(values, pd.Series) else values.astype(object)
    return np.array([_number(cell, row, label) for row, cell in enumerate(cells)], np.float64)


def require_finite(columns: Sequence[Floats], labels: Sequence[str]) -> None:
    """Refuse NaN and infinite numbers, with the columns and rows that hold them."""
    bad = [~np.isfinite(column) for column in columns]
    counts = [(label, int(rows.sum())) for label, rows in zip(labels, bad, strict=True) if rows.any()]
    if not counts:
        return
    any_bad = np.logical_or.reduce(bad)
    places = ", ".join(f"{label} ({count})" for label, count in counts[:_SHOWN])
    more = f" and {len(counts) - _SHOWN} more" if len(counts) > _SHOWN else ""
    raise DataError(
        f"{any_bad.sum()} of {len(any_bad)} rows hold NaN or infinite numbers, the first is row {any_bad.argmax()} "
        f"(from 0); they are in {places}{more}. Drop those rows or fill them in."
    )


def require_moderate(columns: Sequence[Floats], labels: Sequence[str]) -> None:
    """Refuse units in which a law cannot be looked for: products and squares of such numbers are none."""
    for column, label in zip(columns, labels, strict=True):
        largest = float(np.abs(column).max())
        if largest and not 1 / LARGEST <= largest <= LARGEST:
            raise DataError(
                f"{label} has values of size {largest:.0e}, and products and squares of such numbers leave the range "
                f"of floating-point numbers. Choose another unit: divide it by 1e{math.floor(math.log10(largest))}."
            )


def _number(cell: Any, row: int, label: str) -> float:
    if isinstance(cell, str | bytes):
        raise DataError(
            f"{label} holds text, {_shown(cell)} in row {row} (from 0). Convert it to numbers (pandas.to_numeric), "
            f"give a column of 0 and 1 per category, or leave it out."
        )
    if cell is None or cell is pd.NA or cell is np.ma.masked:
        return np.nan
    if isinstance(cell, complex):
        raise DataError(f"Complex data not supported: {label} holds {_shown(cell)} in row {row} (from 0).")
    try:
        return float(cell)
    except OverflowError:
        raise DataError(f"{label} holds a number beyond 1.8e308 in row {row} (from 0); use a larger unit.") from None
    except (TypeError, ValueError) as error:
        raise CellError(
            f"{label} holds {_shown(cell)} in row {row} (from 0), which is not a number: {error}."
        ) from error


def _shown(cell: object) -> str:
    text = repr(cell)
    return text if len(text) <= 40 else text[:37] + "..."
