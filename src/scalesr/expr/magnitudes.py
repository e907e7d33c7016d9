"""Magnitudes: absolute values of parts that keep their sign on the rows are written without."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ABS, NEG, OPEN, VARIABLE

Floats = NDArray[np.float64]


def without_needless_abs(expr: Expression, table: Floats) -> Expression:
    """The formula with abs(u) as u where u is nowhere below 0 on the rows, and as -u where it is nowhere above."""

    def leaf(leaf: Leaf) -> Expression:
        if leaf.code == VARIABLE:
            return variable(leaf.index)
        return open_constant() if leaf.code == OPEN else constant(leaf.value)

    def node(node: Node, operands: list[Expression]) -> Expression:
        if node.code == ABS:
            values = evaluate(operands[0], table)
            if (values >= 0).all():
                return operands[0]
            if (values <= 0).all():
                return join(NEG, operands)
        return join(node.code, operands, power=node.power)

    return fold(expr, leaf, node)
