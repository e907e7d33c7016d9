"""Probability: a law's share of the evidence among all that were looked at, times that of having looked enough.

Laws of one form count once, by the best of them. What was never proposed cannot have a share; that
the truth is among what was proposed is the less likely the more free constants the best law needs,
since an expansion of another law needs many, and unlikely where something is left in the residual.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

EXACT_ALONE: Final = 0.999  # an exact law that stands alone; no sample of tables could show more
PROPOSED: Final = 0.97  # that the truth was proposed, where nothing is left and the best law is free of constants
PER_CONSTANT: Final = 0.85  # factor for each free constant beyond
FREE: Final = 2
LEFT: Final = 0.1  # factor where structure is left in the residual


def shares(costs: Sequence[float]) -> list[float]:
    """Posterior shares of laws of different forms, from their costs in nats."""
    least = min(costs)
    weights = [math.exp(max(least - cost, -700.0)) for cost in costs]
    total = sum(weights)
    return [weight / total for weight in weights]


def proposed(n_free: int, *, is_exact: bool, is_left: bool) -> float:
    """Probability that the truth is among the laws that were looked at."""
    if is_exact:
        return EXACT_ALONE
    return PROPOSED * PER_CONSTANT ** max(n_free - FREE, 0) * (LEFT if is_left else 1.0)
