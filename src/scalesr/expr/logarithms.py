"""Logarithms: the sum or difference of two as the logarithm of one product or quotient."""

from __future__ import annotations

from scalesr.expr.expression import Expression, join, leaf_of
from scalesr.expr.fold import Node, fold
from scalesr.expr.simplify import simplify
from scalesr.kernels.codes import ADD, DIV, LOG, MUL, SUB


def with_joined_logarithms(expr: Expression) -> Expression:
    """The formula with log(u) - log(v) written as log(u/v), and log(u) + log(v) as log(u*v).

    Values are the same wherever the formula has one; the result may have values in more places.
    """
    return fold(expr, leaf_of, _node)


def _node(node: Node, operands: list[Expression]) -> Expression:
    if node.code in (ADD, SUB) and all(one.codes[-1] == LOG for one in operands):
        first, second = (Expression(one.codes[:-1], one.args[:-1], one.constants) for one in operands)
        return join(LOG, [simplify(join(MUL if node.code == ADD else DIV, [first, second]))])
    return join(node.code, operands, power=node.power)
