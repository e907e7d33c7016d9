"""Text as lines of cells: comments, separators and quotes are inferred from the text itself."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from scalesr.errors import DataError
from scalesr.tables.cells import CellGrid
from scalesr.tables.content import MAX_CELLS, MAX_COLUMNS, MAX_ROWS, too_large
from scalesr.tables.framing import common_width, framed, framing_notes
from scalesr.tables.numerals import numerals_of, share_of_numbers

_SAMPLE: Final = 200  # lines from which the separator is inferred, at most
_FEWEST: Final = 5  # lines that are enough ...
_CHARACTERS: Final = 50_000  # ... where they have this many characters
_COMMENTS: Final = ("#", "%", "//")
_SEPARATORS: Final = {"\t": "tab separated", ";": "semicolon separated", ",": "comma separated", "|": "separated by |"}
_SPACES: Final = " "
_AGREE: Final = 0.8  # of the sampled lines have as many cells as the most common number

csv.field_size_limit(2**24)

Line = tuple[int, str]  # its place in the file, from 1


def grid_of(text: str, source: str, encoding: str) -> CellGrid:
    """The cells of a text table."""
    lines, comments = _lines(text)
    if not lines:
        raise DataError(f"{source} is empty; a table needs a line of column names and a line per row.")
    _check_size(lines, source)
    separator = _separator(_sample(lines))
    if separator is None:
        raise DataError(
            f"{source} has one column (its first line is {_excerpt(lines[0][1])}); a law needs a target and another "
            f"column. Separate columns by commas, semicolons, tabs or spaces."
        )
    _check_cells(lines, separator, source)
    split = list(_split([line for _, line in lines], separator))
    cells, places = [line for _, line in split], [lines[last - 1][0] for last, _ in split]
    first, last = framed(cells, common_width(cells))
    framing = framing_notes(cells, first, last)
    cells, places = cells[first:last], places[first:last]
    width = _check_width(cells, places, source)
    cells = [line[:width] for line in cells]
    numerals, doubtful = numerals_of(list(chain.from_iterable(cells)), separated_by_comma=separator == ",")
    form = _SEPARATORS.get(separator, "separated by spaces")
    form += {"decimal": ", decimal commas", "thousands": ", commas between thousands"}.get(numerals.comma, "")
    form += ", points between thousands" if numerals.grouping_points else ""
    notes = [*framing, *([f"{doubtful!r} was read as {numerals.number(doubtful):.10g}."] if doubtful else [])]
    if encoding:
        form += f", {encoding}"
    if encoding == "Latin-1":
        notes.append(f"{source} is not UTF-8 and was read as Latin-1; if names look wrong, save it as UTF-8.")
    names = _names_in_comment(comments, separator, width, places[0])
    return CellGrid(source, cells, places, numerals, form, names, tuple(notes))


def separator_of(text: str) -> str | None:
    """What stands between the cells of a text table; None where there is one column."""
    lines, _ = _lines(text)
    return _separator(_sample(lines)) if lines else None


def _lines(text: str) -> tuple[list[Line], list[Line]]:
    """Lines with something on them, and comments."""
    lines: list[Line] = []
    comments: list[Line] = []
    for place, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        if line.strip():
            (comments if line.lstrip().startswith(_COMMENTS) else lines).append((place, line))
    return lines, comments


def _check_size(lines: Sequence[Line], source: str) -> None:
    """Refuse a table that would fill the memory, by a look at its lines."""
    if len(lines) > MAX_ROWS:
        raise too_large(source, f"{len(lines):,} rows", f"{MAX_ROWS:,}")
    first = lines[0][1]
    n_columns = 1 + max(first.count(separator) for separator in _SEPARATORS)
    if max(n_columns, len(first) // 2 and len(first[: 4 * MAX_COLUMNS].split())) > MAX_COLUMNS:
        raise too_large(source, f"more than {MAX_COLUMNS:,} columns", f"{MAX_COLUMNS:,}")


def _check_cells(lines: Sequence[Line], separator: str, source: str) -> None:
    """The same for rows times columns, by the widest of the first lines."""
    width = max(len(cells) for _, cells in _split(_sample(lines), separator))
    if width * len(lines) > MAX_CELLS:
        raise too_large(source, f"{len(lines):,} rows of {width:,} columns", f"{MAX_CELLS:,} cells of text")


def _sample(lines: Sequence[Line]) -> list[str]:
    """The first lines: many short ones, or a few of many columns."""
    sample: list[str] = []
    for _, line in lines[:_SAMPLE]:
        if len(sample) >= _FEWEST and sum(map(len, sample)) > _CHARACTERS:
            break
        sample.append(line)
    return sample


def _separator(lines: Sequence[str]) -> str | None:
    """The separator under which lines are equally long and cells are numbers; None for one column."""
    best, chosen = (0.0, 0.0), None
    for separator in (*_SEPARATORS, _SPACES):
        cells = [line for _, line in _split(lines, separator)]
        common = common_width(cells)
        first, last = framed(cells, common)
        cells = cells[first:last]
        agree = sum(len(line) == common for line in cells) / len(cells)
        if common < 2 or agree < _AGREE:
            continue
        body = [cell for line in cells[1:] or cells for cell in line]
        numerals, _ = numerals_of(body, separated_by_comma=separator == ",")
        merit = (share_of_numbers(body, numerals.measured), agree)
        if merit > best or chosen is None:
            best, chosen = merit, separator
    return chosen


def _split(lines: Sequence[str], separator: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row with the number of its last line: a cell in quotes may go over several."""
    if separator == _SPACES:
        lines = [" ".join(line.split()) if '"' not in line else line.strip() for line in lines]
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator, skipinitialspace=True)
    for cells in reader:
        yield reader.line_num, cells


def _check_width(cells: Sequence[Sequence[str]], places: Sequence[int], source: str) -> int:
    """How many cells every line has; a separator at the end of a line opens no column."""
    widths = [len(line) for line in cells]
    width = max(set(widths), key=widths.count)
    rest = cells[1:] if len(cells[0]) == width - 1 else cells
    if all(len(line) != width or _is_blank(line[-1]) for line in rest):
        width -= 1
    for line, place in zip(cells, places, strict=True):
        if len(line) < width or any(not _is_blank(cell) for cell in line[width:]):
            raise DataError(
                f"{source}, line {place}: {len(line)} cells where most lines have {width}; correct that line or leave "
                "it out."
            )
    return width


def _is_blank(cell: str) -> bool:
    return not cell.strip()


def _names_in_comment(comments: Sequence[Line], separator: str, width: int, first: int) -> tuple[str, ...] | None:
    """Names of the columns from the comment just above the first line, as numpy.savetxt writes them."""
    above = [line for place, line in comments if place == first - 1]
    if not above:
        return None
    ((_, cells),) = _split([above[0].lstrip().lstrip("#%/").strip()], separator)
    names = tuple(cell.strip() for cell in cells)
    return names if len(names) == width and all(names) and len(set(names)) == width else None


def _excerpt(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "...")
