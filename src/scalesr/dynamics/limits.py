"""Limits: a tangent that is only seen next to one of its poles is a reciprocal in disguise."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant, join, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.operators import operator
from scalesr.kernels.codes import VARIABLE


def without_poles(law: Expression, table: NDArray[np.float64]) -> Expression:
    """The law with every tangent as the reciprocal that it is next to its pole."""
    tangent = operator("tan").code

    def leaf(leaf: Leaf) -> Expression:
        return variable(leaf.index) if leaf.code == VARIABLE else constant(leaf.value)

    def node(node: Node, operands: list[Expression]) -> Expression:
        if node.code != tangent:
            return join(node.code, operands, power=node.power)
        inner = operands[0]
        with np.errstate(all="ignore"):
            middle = float(np.median(evaluate(inner, table)))
        pole = math.pi * (round(middle / math.pi - 0.5) + 0.5) if math.isfinite(middle) else math.pi / 2
        return apply("/", constant(-1.0), apply("-", inner, constant(pole)))

    return fold(law, leaf, node)
