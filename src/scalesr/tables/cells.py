"""Lines of cells as a table: which line is the header, which columns are numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scalesr.errors import DataError
from scalesr.expr.names import default_name
from scalesr.tables.numerals import Cell, Numerals, share_of_numbers
from scalesr.tables.table import Column, Table, first_double, shortened

_SAMPLE = 200  # rows by which a column's kind is guessed
_NUMERIC = 0.5  # a column is of numbers where so many of its cells are


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Cells as a file has them, all lines equally long."""

    source: str
    lines: Sequence[Sequence[Cell]]
    places: Sequence[int]  # of the lines in the file, from 1
    numerals: Numerals
    form: str  # how it was read, without the header
    names: tuple[str, ...] | None = None  # where the file names its columns outside of its lines
    notes: tuple[str, ...] = ()


def table_of(grid: Grid) -> Table:
    """The columns of a grid."""
    has_header = _has_header(grid)
    body, places = (grid.lines[1:], grid.places[1:]) if has_header else (grid.lines, grid.places)
    if not body:
        raise DataError(f"{grid.source} holds no rows; a table needs a line of column names and a line per row.")
    names, header = _names(grid, has_header=has_header)
    columns: list[Column] = []
    notes = list(grid.notes)
    for name, cells in zip(names, zip(*body, strict=True), strict=True):
        column, note = _column(name, cells, places, grid.numerals)
        columns.append(column)
        notes += note
    kept = [column for column in columns if not _is_count(column)]
    if len(kept) < len(columns):
        notes.append("The first column has no name and counts the rows; it was left out.")
    for place, column in enumerate(kept):
        if not column.name:
            kept[place] = Column(f"column {place + 1}", column.numbers, column.example)
    _check_names(grid.source, [column.name for column in kept])
    return Table(grid.source, tuple(kept), len(body), f"{grid.form}, {header}", tuple(notes))


def _has_header(grid: Grid) -> bool:
    """Whether the first line names the columns: most columns of numbers begin with a cell that is none."""
    first, sample = grid.lines[0], grid.lines[1 : 1 + _SAMPLE]
    if not sample:
        return all(grid.numerals.number(cell) is None for cell in first)
    number = grid.numerals.number
    columns = zip(first, zip(*sample, strict=True), strict=True)
    numeric = [head for head, cells in columns if share_of_numbers(cells, number) > _NUMERIC]
    if not numeric:
        return all(number(cell) is None for cell in first)
    texts = sum(number(cell) is None or str(cell).strip() == "" for cell in numeric)
    return any(number(cell) is None for cell in numeric) and 2 * texts >= len(numeric)


def _names(grid: Grid, *, has_header: bool) -> tuple[list[str], str]:
    if has_header:
        return [_name(cell) for cell in grid.lines[0]], "header"
    if grid.names is not None:
        return list(grid.names), "header in a comment"
    n_columns = len(grid.lines[0])
    return [default_name(j) for j in range(n_columns)], f"no header (columns are called x0 to x{n_columns - 1})"


def _name(cell: Cell) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return " ".join(cell.split())


def _column(name: str, cells: Sequence[Cell], places: Sequence[int], numerals: Numerals) -> tuple[Column, list[str]]:
    """A column of numbers where most cells are numbers; a note tells of the others."""
    try:
        return Column(name, np.array([float(cell) for cell in cells])), []
    except ValueError:
        values = [numerals.number(cell) for cell in cells]
    strange = [place for place, value in enumerate(values) if value is None]
    n_known = sum(value is not None and not math.isnan(value) for value in values)
    if strange and n_known <= _NUMERIC * (n_known + len(strange)):
        return Column(name, None, str(cells[strange[0]])), []
    numbers = np.array([math.nan if value is None else value for value in values])
    if not strange:
        return Column(name, numbers), []
    example, one = str(cells[strange[0]]), len(strange) == 1
    note = (
        f"Column {shortened(name)!r}: {len(strange)} cell{'' if one else 's'} that {'is' if one else 'are'} no number "
        f"({shortened(example)!r} in line {places[strange[0]]}) count{'s' if one else ''} as missing."
    )
    return Column(name, numbers, example), [note]


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
