"""Substitution: a formula with other formulas in place of its variables."""

from __future__ import annotations

from collections.abc import Mapping

from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import OPEN, VARIABLE


def substitute(expr: Expression, replacements: Mapping[int, Expression]) -> Expression:
    """Put a formula in the place of each variable that has one; the others stay."""

    def leaf(leaf: Leaf) -> Expression:
        if leaf.code == VARIABLE:
            return replacements.get(leaf.index) or variable(leaf.index)
        return open_constant() if leaf.code == OPEN else constant(leaf.value)

    def node(node: Node, operands: list[Expression]) -> Expression:
        return join(node.code, operands, power=node.power)

    return fold(expr, leaf, node)
