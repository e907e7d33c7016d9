"""Information: how much the rows of a target can tell at most, in nats.

A row tells no more than which of the values that could be told apart it has: log 2 for a coin, log 20
for twenty levels, some thirty nats for a number of full precision. A target with few distinct values
can be written as a list of these and which row has which, if that is shorter.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.records.precision import LAST_PLACES

Floats = NDArray[np.float64]

MOST_DIGITS: Final = 9  # of a rounded target: finer steps are those of the floating-point numbers


def spacing(y: Floats) -> float:
    """The step that all values are multiples of, 0 where they have full precision."""
    largest = float(np.abs(y).max(initial=0.0))
    if largest == 0:
        return 0.0
    first = -math.floor(math.log10(largest))
    for decimals in range(first, first + MOST_DIGITS):
        unit = 10.0**-decimals
        steps = y / unit
        whole = np.rint(steps)
        if (np.abs(steps - whole) <= LAST_PLACES * np.abs(steps)).all():
            return int(np.gcd.reduce(np.abs(whole).astype(np.int64))) * unit
    return 0.0


def target_information(y: Floats, precision: float) -> float:
    """What the rows of a target hold at most; `precision` is that of its values over their range."""
    step, width = spacing(y), float(np.ptp(y))
    told_apart = width / step + 1 if step else 1 / max(precision, np.finfo(float).eps)
    per_value = math.log(max(told_apart, 1.0))
    _, counts = np.unique(y, return_counts=True)
    if len(counts) == 1:  # each row confirms the one value again
        return len(y) * math.log(1 / max(precision, np.finfo(float).eps))
    listed = float((counts * np.log(len(y) / counts)).sum()) + len(counts) * per_value
    return min(len(y) * per_value, listed)
