"""Single values of a file, each of the kind it has to have."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Fault(Exception):
    """What is wrong with a file, without its name."""


def fields_of(value: Any, where: str, names: str) -> dict[str, Any]:
    """The fields of an object, which has to have these and no others."""
    if not isinstance(value, dict):
        raise Fault(f"{where} is not an object with fields")
    expected = set(names.split())
    if missing := sorted(expected - value.keys()):
        raise Fault(f"{where} lacks the field {missing[0]!r}")
    if unknown := sorted(value.keys() - expected):
        raise Fault(f"{where} has the unknown field {excerpt(unknown[0])}")
    return value


def items(value: Any, where: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
    """A list, each item read by `read`, which is told where it stands."""
    if not isinstance(value, list):
        raise Fault(f"{where} is not a list")
    return tuple(read(item, f"{where}[{place}]") for place, item in enumerate(value))


def text(value: Any, where: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise Fault(f"{where} is {excerpt(value)} and no text")
    return value


def texts(value: Any, where: str) -> tuple[str, ...]:
    """A list of texts."""
    return items(value, where, text)


def number(value: Any, where: str) -> float:
    """A number, or one of the texts for those that JSON lacks."""
    if value in ("nan", "inf", "-inf"):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
        raise Fault(f"{where} is {excerpt(value)} and no number")
    return float(value)


def size(value: Any, where: str) -> float:
    """A number that is not negative, or one that is not known."""
    found = number(value, where)
    if found < 0:
        raise Fault(f"{where} is {excerpt(value)} and cannot be negative")
    return found


def amount(value: Any, where: str, unit: str) -> float:
    """A finite number of something, 0 or more."""
    found = size(value, where)
    if not math.isfinite(found):
        raise Fault(f"{where} is {excerpt(value)} and no number of {unit}")
    return found


def duration(value: Any, where: str) -> float:
    """A number of seconds."""
    return amount(value, where, "seconds")


def flag(value: Any, where: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Fault(f"{where} is {excerpt(value)} and neither true nor false")
    return value


def excerpt(value: object) -> str:
    """A value as an error message shows it."""
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."
