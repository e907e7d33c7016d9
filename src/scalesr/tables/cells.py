"""Lines of cells as a table: a header, rows, and a column for each cell of a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scalesr.errors import DataError
from scalesr.expr.names import default_name
from scalesr.tables.columns import column_of
from scalesr.tables.header import Header, header_of
from scalesr.tables.numerals import Cell, Numerals
from scalesr.tables.table import Column, Table, first_double, shortened


@dataclass(frozen=True, slots=True, eq=False)
class CellGrid:
    """Cells as a file has them, all lines equally long."""

    source: str
    lines: Sequence[Sequence[Cell]]
    places: Sequence[int]  # of the lines in the file, from 1
    numerals: Numerals
    form: str  # how it was read, without the header
    names: tuple[str, ...] | None = None  # where the file names its columns outside of its lines
    notes: tuple[str, ...] = ()


def table_of(grid: CellGrid) -> Table:
    """The columns of a grid."""
    header = header_of(grid.lines, grid.numerals)
    body, places = grid.lines[header.n_lines :], grid.places[header.n_lines :]
    if not body:
        raise DataError(f"{grid.source} holds no rows; a table needs a line of column names and a line per row.")
    names, told = _names(grid, header)
    columns: list[Column] = []
    notes = [*grid.notes, *header.notes]
    units = header.units or ("",) * len(names)
    for name, unit, cells in zip(names, units, zip(*body, strict=True), strict=True):
        column, note = column_of(name, cells, places, grid.numerals)
        columns.append(replace(column, unit=unit or column.unit))
        notes += note
    kept = [column for column in columns if not _is_count(column)]
    if len(kept) < len(columns):
        notes.append("The first column has no name and counts the rows; it was left out.")
    for place, column in enumerate(kept):
        if not column.name:
            kept[place] = replace(column, name=f"column {place + 1}")
    _check_names(grid.source, [column.name for column in kept])
    return Table(grid.source, tuple(kept), len(body), f"{grid.form}, {told}", tuple(notes))


def _names(grid: CellGrid, header: Header) -> tuple[list[str], str]:
    if header.n_lines:
        return list(header.names), "header, units" if header.units else "header"
    if grid.names is not None:
        return list(grid.names), "header in a comment"
    n_columns = len(grid.lines[0])
    return [default_name(j) for j in range(n_columns)], f"no header (columns are called x0 to x{n_columns - 1})"


def _is_count(column: Column) -> bool:
    """Whether a column without a name numbers the rows, as tables saved by pandas have it."""
    if column.name or column.numbers is None:
        return False
    counts = column.numbers - np.arange(len(column.numbers))
    return bool((counts == counts[0]).all() and counts[0] in (0, 1))


def _check_names(source: str, names: Sequence[str]) -> None:
    if (name := first_double(names)) is not None:
        raise DataError(
            f"{source} has two columns called {shortened(name)!r}; rename one, so that a formula can tell them apart."
        )
