"""Pruning: simpler neighbours of a skeleton, tried until none of them is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.kernels.codes import CONSTANT, OPEN
from scalesr.search.scoring import Scorer

MAX_ROUNDS = 20


def simpler(expr: Expression) -> list[Expression]:
    """The skeleton with one binary operator replaced by one of its operands, in every way."""
    first = _subtree_starts(expr)
    found = []
    for i, arity in enumerate(expr.arities()):
        if arity == 2:
            middle = first[i - 1]  # where the right operand begins
            found.append(_without(expr, middle, i + 1))
            found.append(_without(expr, first[i], middle, also=i))
    return list(dict.fromkeys(found))


def prune(scorer: Scorer, *, n_best: int = 3) -> None:
    """Score the simpler neighbours of the best skeletons, again and again while that helps."""
    for _ in range(MAX_ROUNDS):
        before = scorer.n_scored
        for skeleton in scorer.ranking().skeletons[:n_best]:
            scorer.score(simpler(skeleton.expression))
        if scorer.n_scored == before:
            return


def _subtree_starts(expr: Expression) -> list[int]:
    """Where each node's subtree begins."""
    first: list[int] = []
    for i, arity in enumerate(expr.arities()):
        start = i
        for _ in range(arity):
            start = first[start - 1]
        first.append(start)
    return first


def _without(expr: Expression, start: int, stop: int, also: int | None = None) -> Expression:
    """The formula without nodes start to stop - 1, and without one more node."""
    keep: NDArray[np.bool_] = np.ones(expr.n_nodes, bool)
    keep[start:stop] = False
    if also is not None:
        keep[also] = False
    codes, args = expr.codes[keep], expr.args[keep].copy()
    is_constant = (codes == OPEN) | (codes == CONSTANT)
    constants = expr.constants[args[is_constant]]
    args[is_constant] = np.arange(len(constants))
    return Expression(codes, args, constants)
