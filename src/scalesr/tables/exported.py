"""Tables for other programs: CSV in which no cell is a formula to a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

# First characters that spreadsheets run a cell by, the wide ones of East Asian keyboards among them.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def csv_text(lines: Iterable[Sequence[str]]) -> str:
    """Lines of cells as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([safe_cell(cell) for cell in line] for line in lines)
    return text.getvalue()


def safe_cell(cell: str) -> str:
    """A cell that spreadsheets take as it is: a text that begins as a formula gets an apostrophe, a number does not."""
    if not cell.lstrip(" ").startswith(_FORMULA) or cell.strip() == "-":  # which stands for nothing
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell
