"""Mean squares of numbers of any size: the squares themselves may leave the range of floating-point numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def root_mean_square(values: Floats) -> float:
    """The root of the mean square of finite numbers; 0 of none."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest * math.sqrt(float(np.mean((values / largest) ** 2))) if largest else 0.0


def root_mean_square_error(values: Floats, others: Floats) -> float:
    """The root of the mean square of differences; infinite where it is not a number."""
    largest = max(float(np.abs(values).max(initial=0.0)), float(np.abs(others).max(initial=0.0)))
    return largest * root_mean_square(values / largest - others / largest) if largest else 0.0


def standard_deviation(values: Floats) -> float:
    """The root of the mean square about the mean."""
    largest = float(np.abs(values).max(initial=0.0))
    return largest * float((values / largest).std()) if largest else 0.0
