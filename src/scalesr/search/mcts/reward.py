"""What a formula is worth to the search: eta^n / (1 + error) for n productions."""

from __future__ import annotations

import math
from collections.abc import Callable

Measure = Callable[
    [float, float], float
]  # of the relative error and the standard deviation of y: the error that counts


def relative_error(error: float, std: float) -> float:  # noqa: ARG001  the other measure needs it
    """The root mean square error over the standard deviation of y: the same in all units."""
    return error


def absolute_error(error: float, std: float) -> float:
    """The root mean square error in the units of y, as SPL has it."""
    return error * std


def squared_error(error: float, std: float) -> float:
    """The mean square error in the squared units of y, as SPL's published program has it."""
    return (error * std) ** 2


def reward(error: float, size: int, *, eta: float) -> float:
    """Worth of a formula of `size` productions; 0 where its error is not finite."""
    return eta**size / (1 + error) if math.isfinite(error) else 0.0
