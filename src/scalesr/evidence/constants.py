"""Constants: what the numbers of a law cost to write down, in nats.

A constant of unknown size has the scale-free prior density 1 / (|c| log DECADES), so that no unit is
preferred. Seen through rows that leave it a standard error s, it costs log(|c| / s) and a little
more, which for many rows is the familiar half of the logarithm of their number. A constant that is
a simple number within its error can be read as that number: it then costs its digits alone, and the
rows object by half of the square of how many standard errors it is off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.numbers import FRACTION, PI, whole_lengths
from scalesr.expr.numerals import PI_POWERS

Floats = NDArray[np.float64]

DECADES = 1e12  # between the smallest and the largest size that a constant may well have
UNKNOWN_SIZE = math.log(math.log(DECADES)) - 0.5 * math.log(2 * math.pi)  # nats of a constant besides log(|c| / s)
UNTOLD = UNKNOWN_SIZE + math.log(1e4)  # nats of a constant that may be anything: four digits of it
WITHIN = 3.0  # standard errors: simple numbers further off have no chance against the free constant


def free_cost(value: float, error: float) -> float:
    """Cost of one fitted constant with a standard error; one that cannot be told from 0 costs its place alone."""
    ratio = abs(value) / error if error > 0 else math.inf
    return UNKNOWN_SIZE + math.log(max(min(ratio, 1 / np.finfo(float).eps), 1.0))


def told_apart(covariance: Floats) -> NDArray[np.bool_]:
    """Which constants have a variance: the rows determine them, given the others."""
    return np.asarray(np.isfinite(np.diag(covariance)))


def constants_cost(values: Floats, covariance: Floats) -> float:
    """Cost of fitted constants that are all left free, one after the other, each given those before.

    A constant that the rows cannot separate from the others is written all the same, to as many digits as they are.
    """
    told = told_apart(covariance)
    values, covariance = values[told], covariance[np.ix_(told, told)]
    errors = _errors(values, covariance)
    about, total = _correlation(covariance, errors), 0.0
    for place, (value, error) in enumerate(zip(values.tolist(), errors.tolist(), strict=True)):
        share = max(float(about[place, place]), 0.0)  # of its variance that is left, given those before
        total += free_cost(value, error * math.sqrt(share) or error)
        if share > 0:
            about -= np.outer(about[:, place], about[place]) / share
    per_constant = max(total / len(values), UNTOLD) if len(values) else UNTOLD
    return total + per_constant * float(np.count_nonzero(~told))


def _errors(values: Floats, covariance: Floats) -> Floats:
    """Standard errors, no smaller than the rounding of the constants themselves."""
    return np.asarray(np.maximum(np.sqrt(np.maximum(np.diag(covariance), 0.0)), np.finfo(float).eps * np.abs(values)))


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
    errors = _errors(values, covariance)
    value, about, left = values.copy(), _correlation(covariance, errors), list(range(len(values)))
    numbers: dict[int, float] = {}
    total = 0.0
    while left:
        own = np.maximum(errors * np.sqrt(np.maximum(np.diag(about), 0.0)), np.finfo(float).eps * np.abs(value))
        savings, read = _reading(value[left], own[left])
        chosen = int(np.argmax(savings))
        saved, number, place = float(savings[chosen]), float(read[chosen]), left[chosen]
        if saved <= 0:
            break
        numbers[place], total = number, total + saved
        left.remove(place)
        slope = about[:, place] / (about[place, place] or 1.0)
        value += errors * slope * ((number - value[place]) / errors[place])
        about -= np.outer(slope, about[place])
    return Reading(numbers, total)


def _reading(values: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """What is saved by reading each constant as the number that suits it best, and these numbers."""
    with np.errstate(all="ignore"):
        times = np.rint(values[:, np.newaxis] * _BELOW / _ABOVE)
        numbers = times * _ABOVE / _BELOW  # as numerals are worked out, so that they are printed as such
        off = (numbers - values[:, np.newaxis]) / errors[:, np.newaxis]
        prices = _UNIT_COSTS + whole_lengths(np.abs(times)) + 0.5 * off**2
    prices[(times == 0) | ~(np.abs(off) <= WITHIN)] = math.inf
    best = np.argmin(prices, axis=1)
    lines = np.arange(len(values))
    free = np.array([free_cost(value, error) for value, error in zip(values.tolist(), errors.tolist(), strict=True)])
    saved = np.where((errors == 0) | (values == 0), 0.0, free - prices[lines, best])
    return saved, numbers[lines, best]


def _units() -> tuple[Floats, Floats, Floats]:
    """What simple numbers are whole multiples of, as quotients, and what each costs besides the multiple."""
    parts = np.arange(1.0, EVIDENCE.max_denominator + 1)
    powers = np.array(PI_POWERS)
    above = np.concatenate([np.ones(len(parts)), math.pi ** np.maximum(powers, 0.0)])
    below = np.concatenate([parts, math.pi ** np.maximum(-powers, 0.0)])
    costs = [np.where(parts > 1, whole_lengths(parts) + FRACTION, 0.0), np.full(len(powers), PI)]
    return above, below, np.concatenate(costs)


_ABOVE, _BELOW, _UNIT_COSTS = _units()
