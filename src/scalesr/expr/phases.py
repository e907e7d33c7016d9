"""Phases: waves written with the smallest phase, sin(x + 10.4) as -sin(x + 0.97...)."""

from __future__ import annotations

import math

from scalesr.expr.expression import Expression, apply, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ADD, CONSTANT, COS, OPEN, SIN, SUB, VARIABLE


def with_small_phases(expr: Expression) -> Expression:
    """The same formula with constants added inside sines and cosines reduced by whole half-turns."""
    return fold(expr, _leaf, _node)


def _leaf(leaf: Leaf) -> Expression:
    if leaf.code == VARIABLE:
        return variable(leaf.index)
    return open_constant() if leaf.code == OPEN else constant(leaf.value)


def _node(node: Node, operands: list[Expression]) -> Expression:
    if node.code not in (SIN, COS):
        return join(node.code, operands, power=node.power)
    split = _phase(operands[0])
    if split is None or abs(split[1]) <= math.pi / 2:
        return join(node.code, operands)
    rest, phase = split
    turns = round(phase / math.pi)
    wave = join(node.code, [join(ADD, [rest, constant(phase - turns * math.pi)])])
    return apply("neg", wave) if turns % 2 else wave


def _phase(argument: Expression) -> tuple[Expression, float] | None:
    """An argument as a rest and the number that is added to it; None where there is none."""
    code, last = argument.codes[-1], argument.codes[-2] if argument.n_nodes > 2 else VARIABLE
    if code not in (ADD, SUB) or last != CONSTANT:
        return None
    rest = Expression(argument.codes[:-2], argument.args[:-2], argument.constants[:-1])
    value = float(argument.constants[-1])
    return rest, value if code == ADD else -value
