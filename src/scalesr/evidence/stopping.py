"""Stopping: whether a law that leaves nothing but noise is worth looking beyond.

A better law could hardly fit better than the noise allows; it could be shorter. So what is to be
gained is at most the cost of the law in hand less that of the shortest law of its columns. Where no learned
function has shown that there is noise, as on few rows, the law may as well be near an exact one. A run goes on
while that exceeds what the searches so far were worth, counted in searches and never in seconds, so
that it ends alike on every machine.
"""

from __future__ import annotations

from scalesr.evidence.criterion import PER_SYMBOL

NATS_PER_SEARCH = 15.0  # the rate: a finished search without a better law makes so much of the gain not worth another
OVERLOOKED = 30.0  # nats by which a law may fit better unseen: half the chi-square, in some twenty directions that the
# tests of a residual look at, which they take for chance (0.5 * (20 + 2 * sqrt(20 * 9.2) + 2 * 9.2), 9.2 = -log 1e-4)

# Probability that rows have no noise, before anything is known: an assumption, one of six kinds that count alike (none,
# constant, proportional, mixed, counts, outliers on top of any). It says how long is searched, and not what is claimed.
MAY_BE_EXACT = 1 / 6


def shortest_law(n_columns: int) -> float:
    """The least that a law of so many columns costs: each has to be named, and an operator joins it to the others."""
    return PER_SYMBOL * max(2 * n_columns - 1, 1)


def possible_gain(cost_of_law: float, n_columns: int, *, if_exact: float = 0.0) -> float:
    """What any law of the same columns could be better by, at most, in nats.

    `if_exact` is what an exact law would gain on the rows, where nothing but the law itself says that they have noise.
    """
    return max(cost_of_law - shortest_law(n_columns), 0.0) + OVERLOOKED + MAY_BE_EXACT * if_exact


def is_worth_another(cost_of_law: float, n_columns: int, n_searches: int, *, if_exact: float = 0.0) -> bool:
    """Whether a better law than one that fits within the noise should be looked for by another search."""
    return possible_gain(cost_of_law, n_columns, if_exact=if_exact) > NATS_PER_SEARCH * n_searches
