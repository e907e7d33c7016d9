"""Numbers that laws are made of: whole numbers, simple fractions, multiples of powers of pi, short decimals.

Every number is near some fraction. A match only means something where few such numbers would have
come so near by accident, so each kind is tried with the density of its numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.expr.numerals import PI_POWERS, Numeral

Floats = NDArray[np.float64]

MAX_WHOLE = 2.0**53  # every float beyond is whole
WHOLE_BY_ACCIDENT = 0.1  # expected accidental matches that are allowed for whole numbers and halves, the most common
BY_ACCIDENT = 0.01  # and for all others
UNIVERSAL = math.log(2.865064)  # makes the universal code of the whole numbers sum to one
FRACTION = math.log(2)  # that there is a denominator
PI = math.log(16) + math.log(4)  # a power of pi is one symbol more, and one of four powers
DECADE = math.log(12)  # a decimal says its size too, among about this many decades
_LAST_PLACES = 4 * 2.0**-53  # by which the rounding of a fraction may be off
_FAREY = 3 / math.pi**2  # fractions per unit with denominators up to q, over q^2


class Match(NamedTuple):
    """A number near a value, and how many numbers as simple as it were expected there by accident."""

    number: float
    by_accident: float


def simple_number(value: float, tolerance: float) -> float | None:
    """The simplest number within a tolerance of a value that is not an accident; None if there is none."""
    if not (math.isfinite(value) and math.isfinite(tolerance)) or value == 0:
        return None
    for match in _matches(abs(value), max(tolerance, 0.0)):
        if abs(match.number - abs(value)) <= tolerance and match.number > 0:
            return math.copysign(match.number, value)
    return None


def number_length(value: float) -> float:
    """Cost of writing a number down, in nats: the cheapest of a fraction, one of a power of pi, and a decimal."""
    size = abs(value)
    if size == 0:
        return 0.0
    if not math.isfinite(size):
        return math.inf
    multiples = [_fraction_length(size / math.pi**power) + PI for power in PI_POWERS]
    return min(_fraction_length(size), *multiples, _decimal_length(size))


def whole_lengths(numbers: Floats) -> Floats:
    """Cost of whole numbers from 1 on by the universal code of Rissanen (1983): log n + log log n + ... + log 2.865."""
    total, left = np.full(numbers.shape, UNIVERSAL), numbers
    for _ in range(EVIDENCE.n_logarithms):
        left = np.log(np.maximum(left, 1.0))
        total = total + left
    return np.asarray(total)


def _fraction_length(size: float) -> float:
    for q in range(1, EVIDENCE.max_denominator + 1):
        whole = round(size * q) if size < MAX_WHOLE else 0
        if whole and abs(size * q - whole) <= _LAST_PLACES * whole:
            parts = whole_lengths(np.array([float(whole), float(q)]))
            return float(parts[0]) if q == 1 else float(parts.sum()) + FRACTION
    return math.inf


def _decimal_length(size: float) -> float:
    digits = len(f"{size:.16e}".split("e")[0].replace(".", "").rstrip("0"))
    return math.log(10) * digits + DECADE


def exponent_length(value: float) -> float:
    """Cost of an exponent, in nats; a square is as common as any operator and costs nothing besides that."""
    return max(number_length(value) - number_length(2.0), 0.0)


def _matches(value: float, tolerance: float) -> Iterator[Match]:
    """Candidates that are not accident, the simplest first."""
    width = 2 * tolerance
    if value < MAX_WHOLE and width <= WHOLE_BY_ACCIDENT:
        yield Match(float(round(value)), width)
        if 2 * width <= WHOLE_BY_ACCIDENT:
            yield Match(round(2 * value) / 2, 2 * width)
    yield from (match for match in _others(value, width) if match.by_accident <= BY_ACCIDENT)


def _others(value: float, width: float) -> Iterator[Match]:
    for q in range(3, EVIDENCE.max_denominator + 1):
        yield Match(round(value * q) / q, _FAREY * q**2 * width)
    for digits in range(1, 5):
        yield _decimal(value, digits, width)
    for power in PI_POWERS:
        unit = math.pi**power
        for q in range(1, EVIDENCE.max_denominator + 1):
            number = Numeral(round(value / unit * q), q, power).value
            yield Match(number, len(PI_POWERS) * _FAREY * (q + 1) ** 2 * width / unit)
    for root in (1, -1):  # 1/sqrt(2*pi) and its like
        unit = math.pi**root
        for q in range(1, EVIDENCE.max_denominator + 1):
            number = Numeral(round(value**2 / unit * q), q, root, is_root=True).value
            yield Match(number, 2 * _FAREY * (q + 1) ** 2 * 2 * value * width / unit)
    for digits in range(5, EVIDENCE.max_digits + 1):
        yield _decimal(value, digits, width)


def _decimal(value: float, digits: int, width: float) -> Match:
    """The nearest number with this many significant digits."""
    spacing = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return Match(float(f"{value:.{digits - 1}e}"), width / spacing if spacing > 0 else math.inf)
