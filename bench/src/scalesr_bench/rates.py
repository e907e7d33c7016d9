"""Rates with the interval that a number of trials leaves them."""

from __future__ import annotations

import math
from typing import Final

_Z: Final = 1.959963984540054  # of a 95 % interval


def wilson(n_successes: int, n_trials: int) -> tuple[float, float]:
    """The 95 % interval of a rate that Wilson's score test gives."""
    rate, z2 = n_successes / n_trials, _Z**2 / n_trials
    centre = rate + z2 / 2
    half = _Z * math.sqrt(rate * (1 - rate) / n_trials + z2 / (4 * n_trials))
    return max(0.0, (centre - half) / (1 + z2)), min(1.0, (centre + half) / (1 + z2))
