"""Surgery on flat postfix formulas: cut a subtree out, put another in, fold constants together.

A subtree of a postfix formula is a slice that ends at its root; `starts` says where each begins.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, open_constant
from scalesr.kernels.codes import CONSTANT, LAST_LEAF, OPEN, SQRT, VARIABLE

Node = tuple[int, int]  # a code, and a column or an exponent; constants are numbered later
OPEN_NODE: Node = (OPEN, 0)


def skeleton(nodes: Sequence[Node]) -> Expression:
    """The formula of postfix nodes, unchecked; all its constants are open."""
    codes, args = np.array(nodes, np.int32).T.copy()
    is_open = codes == OPEN
    n_open = int(np.count_nonzero(is_open))
    args[is_open] = np.arange(n_open)
    return Expression(codes, args, np.full(n_open, np.nan))


def starts(expr: Expression) -> list[int]:
    """First place of the subtree that ends at each place."""
    if "starts" not in expr.memo:
        expr.memo["starts"] = _starts(expr)
    found: list[int] = expr.memo["starts"]
    return found


def _starts(expr: Expression) -> list[int]:
    waiting: list[int] = []
    found = []
    for place, arity in enumerate(expr.arities()):
        first = place if arity == 0 else waiting[-arity]
        del waiting[len(waiting) - arity :]
        waiting.append(first)
        found.append(first)
    return found


def subtree(expr: Expression, root: int) -> Expression:
    """The part of a formula below and including the node at place `root`."""
    part = slice(starts(expr)[root], root + 1)
    return _rebuilt(expr.codes[part].copy(), expr.args[part], expr.constants)


def replaced(expr: Expression, root: int, part: Expression) -> Expression:
    """The formula with the subtree at place `root` exchanged for `part`."""
    first, rest = starts(expr)[root], root + 1
    behind = ((part.codes == CONSTANT) | (part.codes == OPEN)).astype(np.int32) * np.int32(len(expr.constants))
    return _rebuilt(
        np.concatenate([expr.codes[:first], part.codes, expr.codes[rest:]]),
        np.concatenate([expr.args[:first], part.args + behind, expr.args[rest:]]),
        np.concatenate([expr.constants, part.constants]),
    )


def _rebuilt(codes: NDArray[np.int32], args: NDArray[np.int32], constants: NDArray[np.float64]) -> Expression:
    """A formula whose args point into `constants`, with only the constants it uses, in order."""
    is_constant = (codes == CONSTANT) | (codes == OPEN)
    used = constants[args[is_constant]]
    args = args.copy()
    args[is_constant] = np.arange(len(used))
    return Expression(codes, args, used)


def with_constants_folded(expr: Expression) -> Expression:
    """The formula with each operator that has no variable below it exchanged for one open constant."""
    n_before = [0, *np.cumsum(expr.codes == VARIABLE).tolist()]  # variables before each place
    first = starts(expr)
    for root in range(expr.n_nodes - 1, -1, -1):
        if expr.codes[root] > LAST_LEAF and n_before[root + 1] == n_before[first[root]]:
            return with_constants_folded(replaced(expr, root, open_constant()))
    return expr


def nesting(expr: Expression) -> int:
    """The most functions inside one another; powers, roots and signs are not functions here."""
    waiting: list[int] = []
    for code, arity in zip(expr.codes.tolist(), expr.arities(), strict=True):
        below = max(waiting[len(waiting) - arity :], default=0)
        del waiting[len(waiting) - arity :]
        waiting.append(below + (arity == 1 and code > SQRT))
    return waiting[0]
