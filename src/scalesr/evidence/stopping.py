"""Stopping: whether a law that leaves nothing but noise is worth looking beyond.

A better law could hardly fit better than the noise allows; it could be shorter. So what is to be
gained is at most the cost of the law in hand less that of the shortest law of its columns. A run goes on
while that exceeds what the searches so far were worth, counted in searches and never in seconds, so
that it ends alike on every machine.
"""

from __future__ import annotations

from scalesr.evidence.criterion import PER_SYMBOL

NATS_PER_SEARCH = 15.0  # the rate: a finished search without a better law makes so much of the gain not worth another
OVERLOOKED = 30.0  # nats by which a law may fit better unseen: half the chi-square, in some twenty directions that the
# tests of a residual look at, which they take for chance (0.5 * (20 + 2 * sqrt(20 * 9.2) + 2 * 9.2), 9.2 = -log 1e-4)


def possible_gain(cost_of_law: float, n_columns: int) -> float:
    """What any law of the same columns that fits as well could be better by, at most, in nats.

    Each column has to be named, and an operator joins it to the others.
    """
    shortest = PER_SYMBOL * max(2 * n_columns - 1, 1)
    return max(cost_of_law - shortest, 0.0) + OVERLOOKED


def is_worth_another(cost_of_law: float, n_columns: int, n_searches: int) -> bool:
    """Whether a shorter law than one that fits within the noise should be looked for by another search."""
    return possible_gain(cost_of_law, n_columns) > NATS_PER_SEARCH * n_searches
