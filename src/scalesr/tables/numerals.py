"""Cells as numbers: signs, exponents, decimal commas, and the many ways to write that a value is missing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

Cell = str | float  # as a file has it: text, or a number that the format itself has told

MISSING: Final = frozenset(
    {"", "-", "--", ".", "..", "...", "?", "na", "n/a", "#n/a", "nan", "null", "none", "missing"}
)

_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?|[+-]?\d+,")
_THOUSANDS: Final = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?([eE][+-]?\d+)?")
_FORTRAN: Final = re.compile(r"([+-]?\d*\.?\d*)[dD]([+-]?\d+)")


@dataclass(frozen=True, slots=True)
class Numerals:
    """How numbers are written in a table."""

    comma: str  # what a comma stands for: "" nothing, "decimal" the decimal point, "thousands" a gap

    def number(self, cell: Cell) -> float | None:
        """The cell's value, NaN where it is missing; None where it is no number."""
        if isinstance(cell, float):
            return cell
        text = cell.strip().replace("\u2212", "-")
        if text.lower() in MISSING:
            return math.nan
        if "," in text:
            text = self._without_commas(text)
        try:
            return float(text)
        except ValueError:
            match = _FORTRAN.fullmatch(text)
            return float(f"{match[1]}e{match[2]}") if match and any(map(str.isdigit, match[1])) else None

    def _without_commas(self, text: str) -> str:
        if self.comma == "decimal" and _DECIMAL_COMMA.fullmatch(text):
            return text.replace(",", ".")
        if self.comma == "thousands" and _THOUSANDS.fullmatch(text):
            return text.replace(",", "")
        return text


PLAIN: Final = Numerals("")


def numerals_of(cells: Sequence[Cell], *, separated_by_comma: bool) -> tuple[Numerals, str]:
    """How the numbers of a table are written, and an example where its commas can be read in two ways."""
    with_commas = [cell.strip().replace("\u2212", "-") for cell in cells if isinstance(cell, str) and "," in cell]
    grouped = [text for text in with_commas if _THOUSANDS.fullmatch(text)]
    if any(_DECIMAL_COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text) for text in with_commas):
        return Numerals("decimal"), ""
    if any("." in text or text.count(",") > 1 for text in grouped):
        return Numerals("thousands"), ""
    if not grouped:
        return PLAIN, ""
    has_point = any(isinstance(cell, str) and "." in cell and PLAIN.number(cell) is not None for cell in cells)
    return Numerals("thousands" if separated_by_comma or has_point else "decimal"), grouped[0]


def share_of_numbers(cells: Sequence[Cell], number: Callable[[Cell], float | None]) -> float:
    """The share of cells that are numbers, of those that are not missing; 0 where all are missing."""
    values = [number(cell) for cell in cells]
    known = [value for value in values if value is None or not math.isnan(value)]
    return sum(value is not None for value in known) / len(known) if known else 0.0
