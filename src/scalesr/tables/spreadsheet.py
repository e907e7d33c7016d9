"""Excel workbooks as lines of cells, through openpyxl, within bounds that a hostile file cannot leave."""

from __future__ import annotations

import datetime as dt
import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any, Final
from xml.parsers import expat

from scalesr.errors import DataError, MissingExtra
from scalesr.tables.cells import CellGrid
from scalesr.tables.content import too_large
from scalesr.tables.framing import common_width, framed, framing_notes
from scalesr.tables.numerals import PLAIN, Cell

MAX_SHEET: Final = 2**27  # bytes of a part of the file that is read piece by piece
MAX_PART: Final = 2**25  # bytes of any other part, which is held whole
MAX_CELLS: Final = 2_000_000  # of a sheet, empty ones between others included: some ten seconds of reading
LAST_ROW: Final = 1_048_576  # of a sheet in Excel

_IN_PIECES: Final = ("xl/worksheets/", "xl/sharedStrings")

Lines = list[tuple[int, list[Cell]]]


def workbook_grid(content: bytes, source: str) -> CellGrid:
    """The cells of the first sheet that has any."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise MissingExtra(
            f"{source} is an Excel file, which needs openpyxl: pip install 'scalesr[excel]'. Or save it as CSV."
        ) from error
    try:
        _check_parts(content, source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and the like, which are not looked at
            book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
            title, lines, others = _first_filled(book.worksheets, source)
    except DataError:
        raise
    except Exception as error:  # openpyxl has no error of its own: a broken file may raise anything
        raise DataError(f"{source} is not an Excel file that can be read ({error}); save it as CSV.") from error
    if not lines:
        raise DataError(f"{source} has no cells in any sheet.")
    rows_as_read = [cells for _, cells in lines]
    first, last = framed(rows_as_read, common_width(rows_as_read))
    framing = framing_notes(rows_as_read, first, last)
    lines = lines[first:last]
    width = max(len(cells) for _, cells in lines)
    if width * len(lines) > MAX_CELLS:
        raise _too_large(source)
    named = ", ".join(repr(other) for other in others)
    notes = (*framing, *([f"Of its sheets {title!r} was read and not {named}."] if named else []))
    rows = [[*cells, *[""] * (width - len(cells))] for _, cells in lines]
    return CellGrid(source, rows, [place for place, _ in lines], PLAIN, f"Excel sheet {title!r}", None, notes)


def _first_filled(sheets: Iterable[Any], source: str) -> tuple[str, Lines, list[str]]:
    """The title and lines of the first sheet with a cell, and the titles of the others that have one."""
    title, others = "", []
    lines: Lines = []
    for sheet in sheets:
        sheet.reset_dimensions()  # which the file claims; rows are as long as their cells reach
        rows = _lines(sheet.iter_rows(values_only=True), source)
        if not lines:
            title, lines = sheet.title, list(rows)
        elif next(rows, None) is not None:
            others.append(sheet.title)
    return title, lines, others


def _check_parts(content: bytes, source: str) -> None:
    """Refuse parts that unpack to more than is read, and those that define entities."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for part in archive.infolist():
            if part.file_size > (MAX_SHEET if part.filename.startswith(_IN_PIECES) else MAX_PART):
                raise _too_large(source)
            if part.filename.endswith((".xml", ".rels")):
                with archive.open(part) as file:
                    _refuse_doctype(iter(lambda file=file: file.read(2**16), b""), source)  # type: ignore[misc]


class _Begun(Exception):
    """The first element has begun: what comes before it is known."""


def _refuse_doctype(parts: Iterator[bytes], source: str) -> None:
    """Refuse XML with a document type: no table needs one, and its entities may grow without bound."""

    def begun(*_: object) -> None:
        raise _Begun

    def doctype(*_: object) -> None:
        raise DataError(f"{source} has a document type in its XML, which no workbook needs; save it as CSV.")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = begun, doctype
    try:
        for part in parts:
            parser.Parse(part)
    except _Begun:
        return


def _too_large(source: str) -> DataError:
    return too_large(source, f"more than {MAX_CELLS:,} cells or {MAX_SHEET // 2**20} MiB of XML", "that from Excel")


def _lines(rows: Iterable[tuple[Any, ...]], source: str) -> Iterator[tuple[int, list[Cell]]]:
    """Lines that have a cell, with their places, without empty cells at their ends."""
    n_cells = 0
    for place, row in enumerate(rows, 1):
        n_cells += len(row)
        if n_cells > MAX_CELLS or place > LAST_ROW:
            raise _too_large(source)
        cells = [_cell(value) for value in row]
        while cells and cells[-1] == "":
            cells.pop()
        if cells and not str(cells[0]).startswith("#"):
            yield place, cells


def _cell(value: Any) -> Cell:
    if value is None:
        return ""
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        value = value.date()
    return float(value) if isinstance(value, bool | int | float) else str(value)
