"""Implicit coefficients: what is bred is a form, what is fitted has a factor on every term."""

from __future__ import annotations

from functools import partial, reduce

from scalesr.expr.expression import Expression, apply
from scalesr.kernels.codes import ADD, DIV, MUL, NEG, OPEN, SUB
from scalesr.search.genetic.trees import OPEN_NODE, Node, skeleton, starts, subtree


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


def without_coefficients(expr: Expression) -> Expression | None:
    """The form to breed of a formula: a sum without its open factors and summand; None where nothing is left."""
    form = expr.skeleton()
    roots = _terms(form.codes.tolist(), starts(form))
    terms = [bare for root in roots if (bare := _bare(subtree(form, root))).variables]
    return reduce(partial(apply, "+"), terms) if terms else None


def _bare(term: Expression) -> Expression:
    """A product or quotient without its constant factors, as far as something with a variable is left."""
    if term.codes[-1] not in (MUL, DIV):
        return term
    right = term.n_nodes - 2
    first, second = subtree(term, starts(term)[right] - 1), subtree(term, right)
    if term.codes[-1] == DIV and second.variables:
        return apply("/", _bare(first), second) if first.variables else term
    kept = [_bare(factor) for factor in (first, second) if factor.variables]
    return reduce(partial(apply, "*"), kept) if kept else term


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
