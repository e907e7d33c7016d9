"""Pruning: simpler neighbours of a skeleton, tried until none of them is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scalesr.expr.expression import Expression
from scalesr.expr.simpler import simpler
from scalesr.search.scoring import Scorer

TERMS_DROPPED = 20

Neighbours = Callable[[Expression], Iterable[Expression]]


def prune(
    scorer: Scorer, *, n_best: int = 3, neighbours: Neighbours = simpler, tried: set[Expression] | None = None
) -> None:
    """Score the simpler neighbours of the best skeletons, and of what becomes the best by it.

    Not those of skeletons that have been `tried`, which grows: whoever prunes now and then keeps the set.
    """
    done: set[Expression] = set() if tried is None else tried
    for _ in range(TERMS_DROPPED):
        best = [skeleton.expression for skeleton in scorer.ranking().skeletons[:n_best]]
        waiting = [expr for expr in best if expr not in done]
        if not waiting:
            return
        done.update(waiting)
        scorer.score([form for expr in waiting for form in neighbours(expr)])
