"""Large text tables of plain numbers, read in blocks: cell by cell they would take a minute and gigabytes.

The first lines are read with all care, and tell names, separator and how numbers are written. Where these are plain
and every line after them is one of plain numbers, the rest is read at once. Where not, nobody is told and the careful
way reads all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.tables.cells import table_of
from scalesr.tables.content import MAX_ROWS, check_numbers, too_large
from scalesr.tables.numerals import PLAIN
from scalesr.tables.table import Table
from scalesr.tables.text import grid_of, separator_of

FEWEST: Final = 2**24  # characters from which it is worth it: smaller tables take some seconds the careful way
HEAD: Final = 2**18  # characters that are read with care, some thousand lines
BLOCK: Final = 2**22  # characters that are read at once, in a tenth of a second

Block = NDArray[np.float64]  # (rows, columns)


def plain_table(text: str, source: str, encoding: str) -> Table | None:
    """A large table of plain numbers; None where it is small or has anything else."""
    if len(text) < FEWEST:
        return None
    cut = text.find("\n", HEAD) + 1
    try:
        grid = grid_of(text[:cut], source, encoding)
        head = table_of(grid)
    except DataError:
        return None
    separator = separator_of(text[:cut])
    if cut == 0 or separator is None or grid.numerals != PLAIN or any(one.numbers is None for one in head.columns):
        return None
    parts = [np.column_stack([one.numbers for one in head.columns if one.numbers is not None])]
    n_rows = len(parts[0])
    for part in _blocks(text, cut, separator):
        if part is None or part.shape[1] != len(head.columns):
            return None
        parts.append(part)
        n_rows += len(part)
        check_numbers(n_rows, len(head.columns), source)
    if n_rows > MAX_ROWS:
        raise too_large(source, f"{n_rows:,} rows", f"{MAX_ROWS:,}")
    columns = tuple(
        replace(column, numbers=np.concatenate([part[:, place] for part in parts]))
        for place, column in enumerate(head.columns)
    )
    return replace(head, columns=columns, n_rows=n_rows)


def _blocks(text: str, start: int, separator: str) -> Iterator[Block | None]:
    """The rows after a place in a text, block by block; None for a block that has anything but plain numbers."""
    while start < len(text):
        end = text.find("\n", start + BLOCK) + 1 or len(text)
        block, start = text[start:end], end
        if block.isspace():
            continue
        try:
            yield np.loadtxt(
                _lines(block, separator), delimiter=None if separator == " " else separator, comments=None, ndmin=2
            )  # fmt: skip
        except ValueError:
            yield None
            return


def _lines(block: str, separator: str) -> list[str]:
    """The lines of a block that have something on them, with a word where a cell is empty."""
    lines = [line for line in block.splitlines() if line.strip()]
    if separator == " ":
        return lines
    return [separator.join([cell if cell.strip() else "nan" for cell in line.split(separator)]) for line in lines]
