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
_EUROPEAN: Final = re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d*)?")  # 1.234,56
_GAPS: Final = re.compile(r"(?<=\d)[\u00a0\u202f\u2009' ](?=\d{3}(\D|$))")  # 1 234 567 and 1'234'567
_CURRENCY: Final = re.compile(r"(?:[$\u20ac\u00a3\u00a5]|USD|EUR|GBP|CHF|JPY)")
_MARKS: Final = re.compile(rf"{_CURRENCY.pattern}\s*|\s*(?:{_CURRENCY.pattern}|%)")
WITH_UNIT: Final = re.compile(r"([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*([^\W\d_][^\s\d]{0,9})")  # 12.5 kg
_FORTRAN: Final = re.compile(r"([+-]?\d*\.?\d*)[dD]([+-]?\d+)")


@dataclass(frozen=True, slots=True)
class Numerals:
    """How numbers are written in a table."""

    comma: str  # what a comma stands for: "" nothing, "decimal" the decimal point, "thousands" a gap
    grouping_points: bool = False  # whether points stand between thousands, as in 1.234,56

    def number(self, cell: Cell) -> float | None:
        """The cell's value, NaN where it is missing; None where it is not a number."""
        if isinstance(cell, float):
            return cell
        text = bare(cell)
        if text.lower() in MISSING:
            return math.nan
        if self.grouping_points and _EUROPEAN.fullmatch(text):
            text = text.replace(".", "")
        if "," in text:
            text = self._without_commas(text)
        try:
            return float(text)
        except ValueError:
            match = _FORTRAN.fullmatch(text)
            return float(f"{match[1]}e{match[2]}") if match and any(map(str.isdigit, match[1])) else None

    def measured(self, cell: Cell) -> float | None:
        """The same for a number that may have a unit behind it, 12.5 kg."""
        match = WITH_UNIT.fullmatch(cell.strip()) if isinstance(cell, str) else None
        return self.number(cell if match is None else match[1])

    def _without_commas(self, text: str) -> str:
        if self.comma == "decimal" and _DECIMAL_COMMA.fullmatch(text):
            return text.replace(",", ".")
        if self.comma == "thousands" and _THOUSANDS.fullmatch(text):
            return text.replace(",", "")
        return text


PLAIN: Final = Numerals("")


def bare(cell: str) -> str:
    """A cell without what stands around its number: currency and per cent signs, gaps between thousands, brackets.

    Numbers in brackets are negative, as accountants write them.
    """
    text = cell.strip().replace("\u2212", "-")
    if not any(map(str.isdigit, text)) or (text[0].isdigit() and text[-1].isdigit() and not _GAPS.search(text)):
        return text
    if text.startswith("(") and text.endswith(")"):
        text = "-" + text[1:-1].strip()
    sign = text[0] if text[:1] in "+-" and text[1:2].strip() and not text[1].isdigit() else ""
    rest = text.removeprefix(sign)
    marked = _MARKS.sub("", rest, count=2) if _has_marks_outside(rest) else rest
    return sign + _GAPS.sub("", marked).strip()


def marks_of(cell: str) -> str:
    """The currency or per cent sign of a cell; nothing where it has none."""
    found = re.search(rf"{_CURRENCY.pattern}|%", cell)
    return found[0] if found and PLAIN.number(bare(cell).replace(",", "")) is not None else ""


def _has_marks_outside(text: str) -> bool:
    """Whether signs stand at the ends of a text only."""
    return _MARKS.match(text) is not None or re.search(rf"(?:{_CURRENCY.pattern}|%)$", text) is not None


def numerals_of(cells: Sequence[Cell], *, separated_by_comma: bool) -> tuple[Numerals, str]:
    """How the numbers of a table are written, and an example where its commas can be read in two ways."""
    with_commas = [bare(cell) for cell in cells if isinstance(cell, str) and "," in cell]
    grouped = [text for text in with_commas if _THOUSANDS.fullmatch(text)]
    if any(_EUROPEAN.fullmatch(text) and "," in text for text in with_commas):
        return Numerals("decimal", grouping_points=True), ""
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
