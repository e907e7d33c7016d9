"""Dates: cells that tell a day or a time, as seconds, and as the numbers that a law can use."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.tables.numerals import MISSING, Cell

Floats = NDArray[np.float64]
DATE_UNITS: Final = ("auto", "seconds", "days", "years", "phase")

DAY: Final = 86_400.0  # seconds
YEAR: Final = 365.2425 * DAY  # the mean of the calendar
LONG: Final = 2.0  # days: what lasts longer is counted in days
_MOST: Final = 0.5  # of the cells that are not missing have to be dates

_FORMS: Final = (
    "%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%Y/%m/%d", "%Y/%m/%d %H:%M",
    "%Y/%m/%d %H:%M:%S", "%Y-%m", "%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S", "%d.%m.%y", "%d-%b-%Y",
    "%d %b %Y", "%b %d, %Y", "%b %d %Y", "%d %B %Y", "%B %d, %Y", "%b %Y", "%B %Y", "%H:%M", "%H:%M:%S", "%H:%M:%S.%f",
)  # fmt: skip
_DAY_FIRST: Final = ("%d/%m/%Y", "%d/%m/%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%d/%m/%y", "%d-%m-%Y")
_MONTH_FIRST: Final = ("%m/%d/%Y", "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%m/%d/%y", "%m-%d-%Y")
_SHAPE: Final = re.compile(r"[\w ,]*\d+[-/.:, ][\w:./ -]*")  # what may be a date at all
_TOLD: Final = re.compile(r"(.*) \((?:(seconds|days|years) since (.+)|phase of the (year|day))\)")
_START: Final = dt.datetime(1900, 1, 1)  # what a time without a day counts from


def dates_of(cells: Sequence[Cell]) -> tuple[Floats, str] | None:
    """Seconds since 1970 of each cell, NaN where it is not a date, and a note where days and months can be mistaken.

    None where most cells are not dates.
    """
    texts = ["" if isinstance(cell, float) else cell.strip().replace("T", " ").removesuffix("Z") for cell in cells]
    given = [text for text in texts if text.lower() not in MISSING]
    sample = given[:50]
    if not sample or sum(bool(_SHAPE.fullmatch(text)) for text in sample) <= _MOST * len(sample):
        return None
    orders = [_used((*_FORMS, *_MONTH_FIRST), sample), _used((*_FORMS, *_DAY_FIRST), sample)]
    found = [[_seconds(text, forms) for text in texts] for forms in orders]
    counts = [sum(value is not None for value in column) for column in found]
    if max(counts) <= _MOST * len(given):
        return None
    best = int(counts[1] > counts[0])
    chosen = np.array([np.nan if value is None else value for value in found[best]])
    is_open = counts[0] == counts[1] and found[0] != found[1]
    place = next((k for k, pair in enumerate(zip(*found, strict=True)) if pair[0] != pair[1]), 0)
    note = f"{texts[place]!r} was read as {_day(chosen[place])}" if is_open else ""
    return chosen, note


def as_numbers(name: str, seconds: Floats, unit: str) -> list[tuple[str, Floats]]:
    """A column of dates as columns of numbers, whose names tell what they count."""
    if unit == "phase":
        told = [f"phase of the {what}" for what in ("year", "day")]
        pairs = [(f"{name} ({what})", counted(seconds, what)) for what in told]
        return [pair for pair in pairs if np.ptp(pair[1][np.isfinite(pair[1])]) > 0]
    first = float(np.nanmin(seconds))
    if unit == "auto":
        unit = "days" if np.nanmax(seconds) - first > LONG * DAY else "seconds"
    origin = first - first % DAY if unit != "seconds" else first
    return [(f"{name} ({unit} since {_day(origin)})", (seconds - origin) / _SIZES[unit])]


def as_told(name: str) -> tuple[str, str] | None:
    """The column of dates that a name such as "day (days since 2024-03-01)" was made of, and what it counts."""
    match = _TOLD.fullmatch(name)
    return None if match is None else (match[1], name[len(match[1]) + 2 : -1])


def counted(seconds: Floats, what: str) -> Floats:
    """Dates as the numbers that a name tells: "days since 2024-03-01", "phase of the year"."""
    if what == "phase of the year":
        return _phase_of_year(seconds)
    if what == "phase of the day":
        return np.asarray(seconds / DAY % 1)
    unit, _, day = what.partition(" since ")
    origin = _seconds(day, _FORMS)
    return np.asarray((seconds - (0.0 if origin is None else origin)) / _SIZES[unit])


_SIZES: Final = {"seconds": 1.0, "days": DAY, "years": YEAR}


def _used(forms: Sequence[str], sample: Sequence[str]) -> list[str]:
    """The forms that some of the cells have: trying all of them on every cell takes long."""
    return [form for form in forms if any(_seconds(text, (form,)) is not None for text in sample)]


def _seconds(text: str, forms: Sequence[str]) -> float | None:
    for form in forms:
        try:
            return (dt.datetime.strptime(text, form) - dt.datetime(1970, 1, 1)).total_seconds()
        except ValueError:
            continue
    return None


def _day(seconds: float) -> str:
    """A day, or a day and a time, or a time alone."""
    told = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=float(seconds))
    if told.date() == _START.date():
        return told.strftime("%H:%M:%S")
    return told.strftime("%Y-%m-%d" if told.time() == dt.time() else "%Y-%m-%d %H:%M:%S")


def _phase_of_year(seconds: Floats) -> Floats:
    """How much of its year has passed at each date, 0 to 1."""
    days = (seconds * 1000).astype("datetime64[ms]")
    start = days.astype("datetime64[Y]")
    length = ((start + 1).astype("datetime64[ms]") - start.astype("datetime64[ms]")).astype(np.float64)
    return np.asarray((days - start.astype("datetime64[ms]")).astype(np.float64) / length)
