"""Signs: a sum without minus signs that cancel or follow a plus."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, NEG, ODD, OPEN, SUB, VARIABLE


class _Part(NamedTuple):
    """A part of a formula and its negative, where that is as short.

    `negative` is there for what begins with a minus sign, -2*x; `turned` for what begins
    with a number, 1 - x.
    """

    expr: Expression
    negative: Expression | None = None
    turned: Expression | None = None


def with_plain_signs(expr: Expression) -> Expression:
    """The same formula with x - -2*y written as x + 2*y and x + -2*y as x - 2*y."""
    return fold(expr, _leaf, _node).expr


def with_signs_before_terms(expr: Expression) -> tuple[Expression, NDArray[np.float64]]:
    """The same formula with x + -2*y written as x - 2*y, and -1 for each constant whose sign is now before its term.

    Nodes and constants keep their order, so that what is known of the constants goes along; every value is the same
    to the last bit.
    """
    codes = expr.codes.copy()
    signs = np.ones(len(expr.constants))
    stack: list[int | None] = []  # of each part the negative constant that it begins with
    for place, (code, arg, arity) in enumerate(zip(codes.tolist(), expr.args.tolist(), expr.arities(), strict=True)):
        operands = stack[len(stack) - arity :]
        del stack[len(stack) - arity :]
        begins: int | None = None
        if code == CONSTANT and expr.constants[arg] < 0:
            begins = arg
        elif code in (MUL, DIV):
            begins = operands[0]
        elif code in (ADD, SUB) and (term := operands[1]) is not None:
            codes[place] = SUB if code == ADD else ADD
            signs[term] = -1.0
        stack.append(begins)
    return Expression(codes, expr.args, expr.constants * signs), signs


def _leaf(leaf: Leaf) -> _Part:
    if leaf.code == VARIABLE:
        return _Part(variable(leaf.index))
    if leaf.code == OPEN:
        return _Part(open_constant())
    return _Part(constant(leaf.value), constant(-leaf.value) if leaf.value < 0 else None)


def _node(node: Node, parts: list[_Part]) -> _Part:
    code = node.code
    if code == NEG:
        return _negated(parts[0])
    if code in (ADD, SUB):
        return _sum(code, *parts)
    if code in (MUL, DIV):
        return _product(code, *parts)
    if code in ODD:
        negative, turned = (None if way is None else join(code, [way]) for way in parts[0][1:])
        return _Part(join(code, [parts[0].expr]), negative, turned)
    return _Part(join(code, [part.expr for part in parts], power=node.power))


def _negated(part: _Part) -> _Part:
    """Minus a part."""
    other = part.negative or part.turned
    return _Part(join(NEG, [part.expr]), part.expr) if other is None else _Part(other)


def _sum(code: int, left: _Part, right: _Part) -> _Part:
    if right.negative is not None:
        return _Part(join(SUB if code == ADD else ADD, [left.expr, right.negative]))
    if code == ADD and left.negative is not None:
        return _Part(join(SUB, [right.expr, left.negative]))
    if code == SUB and right.turned is not None and len(right.expr.variables) > 0:
        return _Part(join(ADD, [left.expr, right.turned]))
    turned = join(SUB, [right.expr, left.expr]) if code == SUB and left.expr.codes[-1] == CONSTANT else None
    return _Part(join(code, [left.expr, right.expr]), turned=turned)


def _product(code: int, left: _Part, right: _Part) -> _Part:
    """A product or quotient; two minus signs cancel."""
    for one, other in ((left.negative, right.negative or right.turned), (left.turned, right.negative)):
        if one is not None and other is not None:
            return _Part(join(code, [one, other]))
    negative, turned = (
        join(code, [one, right.expr]) if one is not None else None if other is None else join(code, [left.expr, other])
        for one, other in ((left.negative, right.negative), (left.turned, right.turned))
    )
    return _Part(join(code, [left.expr, right.expr]), negative, turned)
