"""Constants: what the numbers of a law cost to write down, in nats.

A constant of unknown size has the scale-free prior density 1 / (|c| log DECADES), so that no unit is
preferred. Seen through rows that leave it a standard error s, it costs log(|c| / s) and a little
more, which for many rows is the familiar half of the logarithm of their number. A constant that is
a simple number within its error can be read as that number: it then costs its digits alone, and the
rows object by half of the square of how many standard errors it is off.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.numbers import MAX_DENOMINATOR, PI, PI_POWERS, number_length

Floats = NDArray[np.float64]

DECADES = 1e12  # between the smallest and the largest size that a constant may well have
UNKNOWN_SIZE = math.log(math.log(DECADES)) - 0.5 * math.log(2 * math.pi)  # nats of a constant besides log(|c| / s)
WITHIN = 3.0  # standard errors: simple numbers further off have no chance against the free constant


def free_cost(value: float, error: float) -> float:
    """Cost of one fitted constant with a standard error; one that cannot be told from 0 costs its place alone."""
    ratio = abs(value) / error if error > 0 else math.inf
    return UNKNOWN_SIZE + math.log(max(min(ratio, 1 / np.finfo(float).eps), 1.0))


def constants_cost(values: Floats, covariance: Floats) -> float:
    """Cost of fitted constants that are all left free, one after the other, each given those before.

    Constants without a covariance cannot be told apart, and cost their places alone.
    """
    if not np.isfinite(covariance).all():
        return len(values) * UNKNOWN_SIZE
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    about, total = _correlation(covariance, errors), 0.0
    for place, (value, error) in enumerate(zip(values.tolist(), errors.tolist(), strict=True)):
        share = max(float(about[place, place]), 0.0)  # of its variance that is left, given those before
        total += free_cost(value, error * math.sqrt(share))
        if share > 0:
            about -= np.outer(about[:, place], about[place]) / share
    return total


def _correlation(covariance: Floats, errors: Floats) -> Floats:
    """The covariance in units of the standard errors, which may differ by hundreds of decades."""
    units = np.where(errors > 0, errors, 1.0)
    return np.asarray(covariance / units / units[:, np.newaxis])


@dataclass(frozen=True, slots=True)
class Reading:
    """Simple numbers that fitted constants may be, by place, the surest first, and what writing them saves in nats."""

    numbers: dict[int, float]
    saved: float


def read_constants(values: Floats, covariance: Floats) -> Reading:
    """Read constants as simple numbers wherever that is the shorter description.

    The one that saves most is read first; what it takes along of the others follows from the covariance.
    """
    if not np.isfinite(covariance).all():
        return Reading({}, 0.0)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    value, about, left = values.copy(), _correlation(covariance, errors), list(range(len(values)))
    numbers: dict[int, float] = {}
    total = 0.0
    while left:
        own = errors * np.sqrt(np.maximum(np.diag(about), 0.0))
        saved, number, place = max((*_reading(float(value[j]), float(own[j])), j) for j in left)
        if saved <= 0:
            break
        numbers[place], total = number, total + saved
        left.remove(place)
        slope = about[:, place] / about[place, place]
        value += errors * slope * ((number - value[place]) / errors[place])
        about -= np.outer(slope, about[place])
    return Reading(numbers, total)


def _reading(value: float, error: float) -> tuple[float, float]:
    """What is saved by reading a constant as the number that suits it best, and this number."""
    if error == 0 or value == 0:
        return 0.0, value
    free = free_cost(value, error)
    return max((free - price - 0.5 * ((value - number) / error) ** 2, number) for number, price in _near(value, error))


def _near(value: float, error: float) -> Iterator[tuple[float, float]]:
    """Simple numbers near a value, and what they cost."""
    for denominator in range(1, MAX_DENOMINATOR + 1):
        number = round(value * denominator) / denominator
        if number != 0 and abs(number - value) <= WITHIN * error:
            yield number, number_length(number)
    for power in PI_POWERS:
        unit = math.pi**power
        number = round(value / unit)
        if number != 0 and abs(number * unit - value) <= WITHIN * error:
            yield number * unit, number_length(number) + PI
    yield value, math.inf
