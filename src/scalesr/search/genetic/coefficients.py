"""Implicit coefficients: what is bred is a form, what is fitted has a factor on every term."""

from __future__ import annotations

from scalesr.expr.expression import Expression
from scalesr.kernels.codes import ADD, MUL, NEG, OPEN, SUB
from scalesr.search.genetic.trees import OPEN_NODE, Node, skeleton, starts


def with_coefficients(expr: Expression, max_open: int) -> Expression:
    """The form with a free factor on each of its terms and a free summand, or as it is if those are too many."""
    first = starts(expr)
    codes, args = expr.codes.tolist(), expr.args.tolist()
    if codes[-1] == OPEN:
        return expr
    terms = [root for root in _terms(codes, first) if codes[root] != OPEN]
    if expr.n_open + len(terms) + 1 > max_open:
        return expr
    nodes: list[Node] = [OPEN_NODE]
    for root in terms:
        nodes += [*zip(codes[first[root] : root + 1], args[first[root] : root + 1], strict=True)]
        nodes += [OPEN_NODE, (MUL, 0), (ADD, 0)]
    return skeleton(nodes)


def _terms(codes: list[int], first: list[int]) -> list[int]:
    """Roots of the terms of a sum."""
    waiting, found = [len(codes) - 1], []
    while waiting:
        root = waiting.pop()
        if codes[root] in (ADD, SUB):
            waiting += [root - 1, first[root - 1] - 1]
        elif codes[root] == NEG:
            waiting.append(root - 1)
        else:
            found.append(root)
    return found
