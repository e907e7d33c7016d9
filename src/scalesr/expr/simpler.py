"""Simpler neighbours of a formula: one operator or one part less."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import MAX_POWER, Expression, constant, join, leaf_of
from scalesr.expr.fold import Node, fold
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, NEG, OPEN, POW, POWI, SUB


def simpler(expr: Expression, *, coefficients: bool = True) -> list[Expression]:
    """The formula with one binary operator replaced by one of its operands, in every way.

    Without `coefficients`, constant factors and exponents stay, as dropping one only says that it is 1.
    """
    first, codes = _subtree_starts(expr), expr.codes.tolist()
    found = []
    for i, arity in enumerate(expr.arities()):
        if arity == 2:
            middle = first[i - 1]  # where the right operand begins
            kept = () if coefficients or codes[i] not in (MUL, DIV, POW) else (CONSTANT, OPEN)
            if codes[i - 1] not in kept:
                found.append(_without(expr, middle, i + 1))
            if codes[middle - 1] not in kept:
                found.append(_without(expr, first[i], middle, also=i))
    return list(dict.fromkeys(found))


def unwrapped(expr: Expression) -> list[Expression]:
    """The formula without one of its functions or integer powers: sin(u) becomes u."""
    return list(dict.fromkeys(_without(expr, i, i + 1) for i, arity in enumerate(expr.arities()) if arity == 1))


def with_number(expr: Expression, value: float) -> list[Expression]:
    """The formula with one part of it, larger than a constant, replaced by a number, in every way."""
    first = _subtree_starts(expr)
    found = []
    for i, code in enumerate(expr.codes.tolist()):
        if code not in (CONSTANT, OPEN) and i + 1 < expr.n_nodes:
            found.append(_replaced(expr, first[i], i, value))
    return list(dict.fromkeys(found))


def cleared(expr: Expression) -> Expression:
    """The formula without factors, summands and powers that are 0 or change nothing, and with whole powers as such.

    All else stays as written.
    """
    return fold(expr, leaf_of, _cleared)


def with_usual_signs(expr: Expression) -> Expression:
    """The formula with -u in the place of -1*u, and 1/u in that of u^(-1)."""

    def node(node: Node, operands: list[Expression]) -> Expression:
        if node.code == MUL and operands[0] == constant(-1.0):
            return join(NEG, [operands[1]])
        if node.code == POWI and node.power == -1:
            return join(DIV, [constant(1.0), operands[0]])
        return join(node.code, operands, power=node.power)

    return fold(expr, leaf_of, node)


def _cleared(node: Node, operands: list[Expression]) -> Expression:
    code, zero, one = node.code, constant(0.0), constant(1.0)
    if code == NEG and operands[0] == zero:
        return zero
    if len(operands) == 2:
        left, right = operands
        if code == POW and len(right.codes) == 1 and right.codes[0] == CONSTANT and _is_whole(right.constants[0]):
            return join(POWI, [left], power=int(right.constants[0]))
        if code in (ADD, SUB) and right == zero:
            return left
        if code in (ADD, SUB) and left == zero:
            return right if code == ADD else join(NEG, [right])
        if (code in (MUL, DIV) and left == zero) or (code == MUL and right == zero):
            return zero
        if code in (MUL, DIV, POW) and right == one:
            return left
        if code == MUL and left == one:
            return right
    return join(code, operands, power=node.power)


def _is_whole(exponent: float) -> bool:
    """Whether an exponent is a whole number that an integer power can have, other than 0 and 1."""
    return float(exponent).is_integer() and abs(exponent) <= MAX_POWER and exponent not in (0, 1)


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


def _replaced(expr: Expression, start: int, last: int, value: float) -> Expression:
    """The formula with nodes start to last replaced by one number."""
    codes, args = expr.codes.tolist(), expr.args.tolist()
    is_number = (expr.codes == OPEN) | (expr.codes == CONSTANT)
    before, inside = int(is_number[:start].sum()), int(is_number[start : last + 1].sum())
    constants = expr.constants.tolist()
    constants[before : before + inside] = [value]
    codes[start : last + 1] = [CONSTANT]
    args[start : last + 1] = [before]
    shift = 1 - inside
    for i in range(start + 1, len(codes)):
        if codes[i] in (OPEN, CONSTANT):
            args[i] += shift
    return Expression(np.array(codes, np.int32), np.array(args, np.int32), np.array(constants, np.float64))
