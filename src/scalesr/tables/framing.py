"""Framing: title lines above a table and remarks below it, which are no rows of it."""

from __future__ import annotations

from collections.abc import Sequence

from scalesr.tables.numerals import PLAIN, Cell
from scalesr.tables.table import shortened


def framed(lines: Sequence[Sequence[Cell]], width: int) -> tuple[int, int]:
    """How many lines stand above the table, and where it ends: those outside fill half of its columns at most."""
    first, last = 0, len(lines)
    while first < last - 1 and _is_outside(lines[first], width):
        first += 1
    while last > first + 1 and _is_outside(lines[last - 1], width):
        last -= 1
    return first, last


def common_width(lines: Sequence[Sequence[Cell]]) -> int:
    """How many cells most lines have."""
    widths = [len(line) for line in lines]
    return max(set(widths), key=widths.count)


def framing_notes(lines: Sequence[Sequence[Cell]], first: int, last: int) -> list[str]:
    """What was left out above and below a table, in sentences."""
    notes = []
    for outside, where in ((lines[:first], "above"), (lines[last:], "below")):
        if outside:
            text = shortened(" ".join(str(cell).strip() for cell in outside[0] if str(cell).strip()))
            count = "1 line stands" if len(outside) == 1 else f"{len(outside)} lines stand"
            notes.append(f"{count} {where} the table and {'was' if len(outside) == 1 else 'were'} left out: {text!r}.")
    return notes


def _is_outside(line: Sequence[Cell], width: int) -> bool:
    """Whether a line is text that fills at most half of the columns, or has more or fewer cells and no number."""
    filled = [cell for cell in line if str(cell).strip()]
    if len(line) == width and (width < 3 or 2 * len(filled) > width):
        return False
    if len(line) == width - 1 and 2 * len(filled) > width:  # a header under which each line ends with a separator
        return False
    return all(PLAIN.number(cell) is None for cell in filled)
