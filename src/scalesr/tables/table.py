"""Table: named columns of numbers or text, and how they were understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError

Floats = NDArray[np.float64]

_SHOWN = 8  # columns that a sentence names
_LONGEST = 40  # characters of a name in a sentence


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column; `numbers` has NaN where a cell is missing and is None where the column holds text or dates."""

    name: str
    numbers: Floats | None  # (rows,)
    example: str = ""  # a cell that is not a number, where there is one
    unit: str = ""  # as the table tells it
    texts: tuple[str, ...] | None = None  # (rows,) the cells of a column of text
    seconds: Floats | None = None  # (rows,) since 1970, of a column of dates; NaN where a cell is missing

    @property
    def kind(self) -> str:
        """What it holds, where that is not numbers."""
        return "dates" if self.seconds is not None else "text" if self.numbers is None else ""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of equal length."""

    source: str  # a file's name, for people
    columns: tuple[Column, ...]
    n_rows: int
    form: str  # how the file was read, a phrase: comma separated, header
    notes: tuple[str, ...] = ()  # what was not taken as it stands, in sentences

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def description(self) -> str:
        """What was understood, in one line."""
        shown = [
            shortened(column.name)
            + (f" [{column.unit}]" if column.unit else "")
            + (f": {column.kind}" if column.kind else "")
            for column in self.columns[:_SHOWN]
        ]
        more = len(self.columns) - len(shown)
        names = ", ".join(shown) + (f" and {more} more" if more else "")
        columns = f"{len(self.columns)} column{'s' if len(self.columns) != 1 else ''}"
        rows = f"{self.n_rows} row{'s' if self.n_rows != 1 else ''}"
        return f"{self.source}: {rows}, {columns} ({names}), {self.form}"

    def column(self, name: str) -> Column:
        """A column by its name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise DataError(f"{self.source} has no column {shortened(name)!r}; its columns are {listed(self.names)}.")


def first_double(names: Sequence[str]) -> str | None:
    """The first name that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def listed(names: tuple[str, ...]) -> str:
    """Names in a sentence, without those that would make it long."""
    more = len(names) - _SHOWN
    return ", ".join(shortened(name) for name in names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def shortened(text: str) -> str:
    """A text cut to a length that fits a sentence."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
