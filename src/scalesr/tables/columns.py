"""Cells as a column: numbers, dates, yes and no, or text, with a note for what was not taken as it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from scalesr.tables.dates import dates_of
from scalesr.tables.header import NUMERIC
from scalesr.tables.numerals import MISSING, WITH_UNIT, Cell, Numerals, marks_of
from scalesr.tables.table import Column, shortened

YES: Final = frozenset({"yes", "true", "y", "t", "on"})
NO: Final = frozenset({"no", "false", "n", "f", "off"})


def column_of(name: str, cells: Sequence[Cell], places: Sequence[int], numerals: Numerals) -> tuple[Column, list[str]]:
    """A column of numbers where most cells are numbers; notes tell of the others."""
    try:
        return Column(name, np.array([float(cell) for cell in cells])), []
    except ValueError:
        values = [numerals.number(cell) for cell in cells]
    strange = [place for place, value in enumerate(values) if value is None]
    n_known = sum(value is not None and not math.isnan(value) for value in values)
    if strange and n_known <= NUMERIC * (n_known + len(strange)):
        return _without_numbers(name, cells, numerals)
    numbers = np.array([math.nan if value is None else value for value in values])
    notes = _marks(name, cells, numerals)
    if not strange:
        return Column(name, numbers), notes
    example, one = str(cells[strange[0]]), len(strange) == 1
    what = "1 cell that is not a number" if one else f"{len(strange)} cells that are not numbers"
    where = f"({shortened(example)!r} in line {places[strange[0]]})"
    note = f"Column {shortened(name)!r}: {what} {where} count{'s' if one else ''} as missing."
    return Column(name, numbers, example), [*notes, note]


def _without_numbers(name: str, cells: Sequence[Cell], numerals: Numerals) -> tuple[Column, list[str]]:
    """A column whose cells are not plain numbers: numbers with a unit each, yes and no, dates, or text."""
    texts = [str(cell).strip() for cell in cells]
    given = [text for text in texts if text.lower() not in MISSING]
    label = f"Column {shortened(name)!r}"
    if (unit := _common_unit(given)) is not None:
        numbers = np.array([_number_before(text, numerals) for text in texts])
        first = numbers[texts.index(given[0])]
        return Column(name, numbers, unit=unit), [f"{label}: {shortened(given[0])!r} was read as {first:.10g}."]
    words = {text.lower() for text in given}
    if len(words) == 2 and words & YES and words & NO:
        yes, no = (next(text for text in given if text.lower() in kind) for kind in (YES, NO))
        numbers = np.array([1.0 if text.lower() in YES else 0.0 if text.lower() in NO else math.nan for text in texts])
        return Column(name, numbers), [f"{label}: {yes} was read as 1 and {no} as 0."]
    if (found := dates_of(cells)) is not None:
        seconds, doubt = found
        n_lost = int(np.isnan(seconds).sum()) - (len(texts) - len(given))
        notes = [f"{label}: {doubt}."] if doubt else []
        notes += [f"{label}: {n_lost} cells that are not dates count as missing."] if n_lost else []
        return Column(name, None, given[0], seconds=seconds), notes
    first = next((text for text in given if numerals.number(text) is None), texts[0])
    return Column(name, None, first, texts=tuple(texts)), []


def _common_unit(given: Sequence[str]) -> str | None:
    """The unit that stands behind each number, where it is the same in all cells."""
    matches = [WITH_UNIT.fullmatch(text) for text in given]
    units = {match[2] for match in matches if match is not None}
    return units.pop() if len(units) == 1 and all(matches) else None


def _number_before(text: str, numerals: Numerals) -> float:
    match = WITH_UNIT.fullmatch(text)
    value = None if match is None else numerals.number(match[1])
    return math.nan if value is None else value


def _marks(name: str, cells: Sequence[Cell], numerals: Numerals) -> list[str]:
    """A note where numbers had signs around them."""
    marked = next((cell for cell in cells if isinstance(cell, str) and marks_of(cell)), None)
    if marked is None:
        return []
    mark = marks_of(marked)
    what = "per cent signs" if mark == "%" else f"{mark!r}"
    value = numerals.number(marked)
    return [f"Column {shortened(name)!r}: {what} left out, {marked.strip()!r} was read as {value:.10g}."]
