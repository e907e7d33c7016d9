"""Header: which lines of a grid name its columns and their units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scalesr.tables.numerals import Cell, Numerals, share_of_numbers
from scalesr.tables.table import first_double, shortened

_SAMPLE: Final = 200  # rows by which a column's kind is guessed
NUMERIC: Final = 0.5  # a column is of numbers where this many of its cells are
_MOST_LINES: Final = 3  # that a header has: names, units and a remark
# Symbols by which a line of units is told from a line of words; what they mean is not asked here.
_SYMBOLS: Final = frozenset(
    [
        *("m", "g", "s", "A", "K", "mol", "cd", "rad", "sr", "Hz", "N", "Pa", "J", "W", "C", "V", "F", "Ohm", "Ω"),
        *("S", "Wb", "T", "H", "lm", "lx", "Bq", "Gy", "Sv", "kat", "l", "L", "t", "eV", "u", "bar", "atm", "torr"),
        *("min", "h", "d", "day", "days", "yr", "year", "years", "hr", "hour", "hours", "sec", "second", "seconds"),
        *("°", "deg", "degC", "°C", "degF", "°F", "%", "ppm", "ppb", "pH", "in", "inch", "ft", "yd", "mi", "lb"),
        *("lbs", "oz", "psi", "hp", "cal", "BTU", "Btu", "gal", "mph", "kph", "kn", "knot", "rpm", "dB", "Å", "ly"),
        *("angstrom", "pc", "AU", "M", "ha", "acre", "G", "Gs", "gauss", "Ci", "P", "St", "dyn", "erg", "USD", "EUR"),
        *("€", "$"),
    ]
)
_PREFIXES: Final = ("", *"YZEPTGMkhcmµμunpfazy", "da")
_JOINTS: Final = re.compile(r"[\s*/^·.()⁻¹²³⁴\d+-]+")


@dataclass(frozen=True, slots=True)
class Header:
    """The lines above the rows of a grid, as far as they were understood."""

    n_lines: int  # 0: there is none
    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()  # as they are written, "" where a column has none; empty where no line has them
    notes: tuple[str, ...] = ()


def header_of(lines: Sequence[Sequence[Cell]], numerals: Numerals) -> Header:
    """The header of a grid: names, and a line of units or a remark below them, or a title above."""
    if not _is_header(lines, numerals):
        return Header(0)
    n_lines = 1
    while n_lines < min(_MOST_LINES, len(lines) - 1) and _is_header(lines[n_lines:], numerals, above=True):
        n_lines += 1
    if n_lines == 1:
        return Header(1, _names(lines[0]))
    with_units = [k for k in range(1, n_lines) if _is_line_of_units(lines[k])]
    can_name = [k for k in range(n_lines) if k not in with_units and _can_be_names(lines[k])]
    place = can_name[-1] if can_name else 0
    below = with_units[0] if with_units else n_lines
    units = bool(with_units)
    left_out = [k for k in range(n_lines) if k != place and not (units and k == below)]
    notes = tuple(f"A line of the header was left out: {shortened(_joined(lines[k]))!r}." for k in left_out)
    told = tuple(_unit(cell) for cell in lines[below]) if units else ()
    return Header(n_lines, _names(lines[place]), told, notes)


def _is_header(lines: Sequence[Sequence[Cell]], numerals: Numerals, *, above: bool = False) -> bool:
    """Whether the first line is not a row: most columns of numbers begin with a cell that is none.

    Where no column is of numbers, a line is a header if it has none either and no other header is `above`.
    """
    first, sample = lines[0], lines[1 : 1 + _SAMPLE]
    if not sample:
        return all(numerals.measured(cell) is None for cell in first)
    number = numerals.measured
    columns = zip(first, zip(*sample, strict=True), strict=True)
    numeric = [head for head, cells in columns if share_of_numbers(cells, number) > NUMERIC]
    if not numeric:
        return not above and all(number(cell) is None for cell in first)
    texts = sum(number(cell) is None or str(cell).strip() == "" for cell in numeric)
    if above:
        return texts == len(numeric) and any(number(cell) is None for cell in numeric)
    return any(number(cell) is None for cell in numeric) and 2 * texts >= len(numeric)


def _can_be_names(line: Sequence[Cell]) -> bool:
    """Whether every cell but the first has a text of its own."""
    names = _names(line)
    return all(names[1:]) and first_double(names) is None


def _is_line_of_units(line: Sequence[Cell]) -> bool:
    """Whether the cells of a line are units, as far as they are not empty."""
    units = [_unit(cell) for cell in line]
    return any(units) and all(_is_unit(unit) for unit in units if unit)


def _is_unit(text: str) -> bool:
    """Whether a text is made of symbols of units, with or without prefixes: kg, m/s^2, °C."""
    parts = [part for part in _JOINTS.split(text) if part]
    return bool(parts) and all(
        any(part.removeprefix(prefix) in _SYMBOLS for prefix in _PREFIXES if part.startswith(prefix)) for part in parts
    )


def _unit(cell: Cell) -> str:
    text = str(cell).strip()
    text = text[1:-1].strip() if text[:1] + text[-1:] in ("[]", "()", "{}") else text
    return "" if text in ("-", "--", "1") else text


def _names(line: Sequence[Cell]) -> tuple[str, ...]:
    return tuple(_name(cell) for cell in line)


def _name(cell: Cell) -> str:
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() else repr(cell)
    return " ".join(cell.split())


def _joined(line: Sequence[Cell]) -> str:
    return " ".join(str(cell).strip() for cell in line if str(cell).strip())
