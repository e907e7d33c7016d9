"""Excel workbooks as lines of cells, through openpyxl."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from typing import Any

from scalesr.errors import DataError, MissingExtra
from scalesr.tables.cells import Grid
from scalesr.tables.content import MAX_BYTES
from scalesr.tables.numerals import PLAIN, Cell


def workbook_grid(content: bytes, source: str) -> Grid:
    """The cells of the first sheet that has any."""
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError as error:
        raise MissingExtra(
            f"{source} is an Excel file, which needs openpyxl: pip install 'scalesr[excel]'. Or save it as CSV."
        ) from error
    _check_size(content, source)
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        sheets = [(sheet.title, _lines(sheet.iter_rows(values_only=True))) for sheet in book.worksheets]
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError) as error:
        raise DataError(f"{source} is no Excel file that can be read ({error}); save it as CSV.") from error
    filled = [(title, lines) for title, lines in sheets if lines]
    if not filled:
        raise DataError(f"{source} has no cells in any sheet.")
    title, lines = filled[0]
    width = max(len(cells) for _, cells in lines)
    others = ", ".join(repr(other) for other, _ in filled[1:])
    notes = (f"Of its sheets {title!r} was read and not {others}.",) if others else ()
    rows = [[*cells, *[""] * (width - len(cells))] for _, cells in lines]
    return Grid(source, rows, [place for place, _ in lines], PLAIN, f"Excel sheet {title!r}", None, notes)


def _check_size(content: bytes, source: str) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if sum(info.file_size for info in archive.infolist()) > MAX_BYTES:
            raise DataError(f"{source} unpacks to more than {MAX_BYTES // 2**30} GiB; save its table as CSV.")


def _lines(rows: Iterable[tuple[Any, ...]]) -> list[tuple[int, list[Cell]]]:
    """Lines that have a cell, with their places, without empty cells at their ends."""
    lines = []
    for place, row in enumerate(rows, 1):
        cells = [_cell(value) for value in row]
        while cells and cells[-1] == "":
            cells.pop()
        if cells and not str(cells[0]).startswith("#"):
            lines.append((place, cells))
    return lines


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    return float(value) if isinstance(value, bool | int | float) else str(value)
