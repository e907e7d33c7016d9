"""Phases: waves written with the smallest phase, sin(x + 10.4) as -sin(x + 0.97...)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scalesr.expr.expression import Expression, apply, join, leaf_of
from scalesr.expr.fold import Node, fold
from scalesr.kernels.codes import ADD, CONSTANT, COS, NEG, SIN, SUB


def with_small_phases(expr: Expression) -> Expression:
    """The same formula with constants added inside sines and cosines reduced by whole half-turns."""
    return fold(expr, leaf_of, _node)


def _node(node: Node, operands: list[Expression]) -> Expression:
    if node.code not in (SIN, COS):
        return join(node.code, operands, power=node.power)
    added = _added(operands[0])
    phase = sum(sign * float(operands[0].constants[place]) for place, sign in added)
    turns = round(phase / math.pi)
    if not added or abs(phase) <= math.pi / 2:
        return join(node.code, operands)
    place, sign = added[-1]
    constants = operands[0].constants.copy()
    constants[place] -= sign * turns * math.pi
    wave = join(node.code, [Expression(operands[0].codes, operands[0].args, constants)])
    return apply("neg", wave) if turns % 2 else wave


def _added(argument: Expression) -> list[tuple[int, int]]:
    """The constants that are added in an argument, however its sums are nested, each with its sign."""
    codes, arities = argument.codes.tolist(), argument.arities()
    waiting, found = [(len(codes) - 1, 1)], []
    while waiting:
        root, sign = waiting.pop()
        if codes[root] == CONSTANT:
            found.append((int(argument.args[root]), sign))
        elif codes[root] == NEG:
            waiting.append((root - 1, -sign))
        elif codes[root] in (ADD, SUB):
            waiting.append((root - 1, sign if codes[root] == ADD else -sign))
            waiting.append((_before(root - 1, arities), sign))
    return found


def _before(root: int, arities: Sequence[int]) -> int:
    """The place before the subtree that ends at `root`."""
    needed, place = 1, root
    while needed:
        needed += arities[place] - 1
        place -= 1
    return place
