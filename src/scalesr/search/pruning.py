"""Pruning: simpler neighbours of a skeleton, tried until none of them is better."""

from __future__ import annotations

from scalesr.expr.simpler import simpler
from scalesr.search.scoring import Scorer

MAX_ROUNDS = 20


def prune(scorer: Scorer, *, n_best: int = 3) -> None:
    """Score the simpler neighbours of the best skeletons, again and again while that helps."""
    for _ in range(MAX_ROUNDS):
        before = scorer.n_scored
        for skeleton in scorer.ranking().skeletons[:n_best]:
            scorer.score(simpler(skeleton.expression))
        if scorer.n_scored == before:
            return
