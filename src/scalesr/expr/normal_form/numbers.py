"""Coefficients and exponents: numbers, or None for an open constant, which absorbs numbers."""

from __future__ import annotations

import math
from typing import Final

Scalar = float | None

SAME: Final = 1e-12  # relative difference below which two numbers are one
_CANCELLED: Final = 4e-15  # what is left of a sum after cancellation down to rounding

_texts: dict[float, str] = {}


def plus(a: Scalar, b: Scalar) -> Scalar:
    """Sum of two scalars; exactly 0 where only rounding is left."""
    if a is None or b is None:
        return None
    total = a + b
    if abs(total) <= _CANCELLED * max(abs(a), abs(b)):
        return 0.0
    return total


def times(a: Scalar, b: Scalar) -> Scalar:
    """Product of two scalars."""
    return None if a is None or b is None else a * b


def near_integer(value: float) -> int | None:
    """The whole number that `value` is up to rounding, if any."""
    whole = round(value)
    return whole if abs(value - whole) <= SAME * max(1.0, abs(value)) else None


def tidy(exponent: Scalar) -> Scalar:
    """An exponent without the rounding that keeps it from a whole number or a half."""
    if exponent is None or exponent == int(exponent):
        return exponent
    twice = near_integer(2 * exponent)
    return exponent if twice is None else twice / 2


def is_whole(exponent: Scalar) -> bool:
    """Whether an exponent is a whole number."""
    return exponent is not None and exponent == int(exponent)


def is_even(exponent: Scalar) -> bool:
    """Whether an exponent is an even whole number."""
    return exponent is not None and exponent % 2 == 0


def is_odd(exponent: Scalar) -> bool:
    """Whether an exponent is an odd whole number."""
    return exponent is not None and exponent % 2 == 1


def close(a: float, b: float) -> bool:
    """Whether two numbers are one up to rounding."""
    return math.isclose(a, b, rel_tol=SAME, abs_tol=0.0)


def scalar_text(value: Scalar) -> str:
    """How a key spells a scalar: 12 digits, "?" for an open one; inf and NaN are refused."""
    if value is None:
        return "?"
    text = _texts.get(value)
    if text is None:
        text = str(int(value)) if value == int(value) and abs(value) < 1e12 else f"{value:.12g}"
        if len(_texts) > 100_000:
            _texts.clear()
        _texts[value] = text
    return text
