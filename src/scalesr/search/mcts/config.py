"""MctsConfig: the tree search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class MctsConfig:
    """Counts and limits, grouped by the file that uses them."""

    # explore.py
    fitted_at_a_time: int = 64  # families fitted between two looks at the clock
    episodes_uncollected: int = 100  # episodes without a search for cyclic garbage, of which they make none
    errors_remembered: int = 500_000  # families whose errors are at hand

    # productions.py
    # Shares of rollouts in our grammar. Each production has 0.8 slots in the mean, so that formulas end.
    leaf_share: float = 0.5
    binary_share: float = 0.3
    unary_share: float = 0.2
    # of the leaves
    constant_share: float = 0.2
    power_share: float = 0.3

    # screen.py
    screen_groups: int = 1
    screen_rows: int = 48  # per group, evenly spaced
    screen_compared: int = 30  # a formula goes on if fewer than this many are known to be shorter descriptions


MCTS: Final = MctsConfig()
