"""uct_scores() and choose_action(): which child to go to."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

WEIGHT = 1 / math.sqrt(2)


def uct_scores(
    totals: NDArray[np.float64], visits: NDArray[np.int64], parent_visits: int, *, weight: float = WEIGHT
) -> NDArray[np.float64]:
    """Upper-confidence score Q/N + c sqrt(ln N_parent / N) of each child (`weight` is the paper's c)."""
    scores: NDArray[np.float64] = totals / visits + weight * np.sqrt(math.log(parent_visits) / visits)
    return scores


def choose_action(scores: NDArray[np.float64], draw: float, *, greed: float = 0.8) -> int:
    """The best place with the share `greed`, any place with the rest; `draw` is uniform in [0, 1)."""
    if draw < greed:
        return int(np.argmax(scores))
    return int((draw - greed) / (1 - greed) * len(scores)) % len(scores)
