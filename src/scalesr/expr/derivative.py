"""Symbolic derivatives, built from the derivative texts of the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.expression import MAX_NODES, MAX_POWER, Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.operators import BY_CODE, Operator
from scalesr.expr.postfix import Postfix, TooLarge
from scalesr.expr.text import parse
from scalesr.kernels.codes import ADD, CONSTANT, DIV, LAST_LEAF, MUL, NEG, POW, POWI, SUB, VARIABLE

_OPERANDS: Final = ("u", "v")
_NAMES: Final = (*_OPERANDS, "k")


def derivative(expr: Expression, column: int) -> Expression:
    """The derivative of a closed formula in one column, with zeros and ones cleared away."""
    if expr.n_open:
        raise FormulaError(
            f"The formula has {expr.n_open} open constants, and its derivative would repeat them. Bind them first."
        )
    if column < 0:
        raise FormulaError(f"A variable's column must be 0 or more, not {column}.")

    def leaf(leaf: Leaf) -> _Pair:
        slope = _ONE if leaf.code == VARIABLE and leaf.index == column else _ZERO
        return _Pair(_Term(leaf.code, leaf.index, leaf.value), slope)

    return _expression(fold(expr, leaf=leaf, node=_chain_rule).slope)


class _Term(NamedTuple):
    """A tree that may share its branches, so that no value is ever copied."""

    code: int
    arg: int  # column or integer power
    number: float  # of a constant
    kids: tuple[_Term, ...] = ()
    size: int = 1  # nodes when written out

    def is_number(self, number: float) -> bool:
        return self.code == CONSTANT and self.number == number


class _Pair(NamedTuple):
    value: _Term
    slope: _Term


def _number(value: float) -> _Term:
    return _Term(CONSTANT, 0, value)


_ZERO: Final = _number(0.0)
_ONE: Final = _number(1.0)


def _chain_rule(node: Node, kids: list[_Pair]) -> _Pair:
    values = [kid.value for kid in kids]
    slope = _ZERO
    for place, kid in enumerate(kids):
        if not kid.slope.is_number(0.0):
            outer = _outer(BY_CODE[node.code], place, values, node.power)
            slope = _tidy(ADD, 0, slope, _tidy(MUL, 0, outer, kid.slope))
    return _Pair(_joined(node.code, node.power, *values), slope)


def _outer(row: Operator, place: int, values: Sequence[_Term], power: int) -> _Term:
    """The derivative of an operator in one of its operands, at the operands' values."""
    if len(row.derivative) != row.arity:
        raise OperatorError(
            f"Operator {row.name!r} has no derivative as a formula; give its row one text per operand, in u and v."
        )
    meaning = dict(enumerate(values)) | {_NAMES.index("k"): _number(float(power))}
    return fold(
        _template(row.derivative[place]),
        leaf=lambda leaf: meaning[leaf.index] if leaf.code == VARIABLE else _number(leaf.value),
        node=lambda node, kids: _tidy(node.code, node.power, *kids),
    )


@cache
def _template(text: str) -> Expression:
    return parse(text, _NAMES)


def _joined(code: int, power: int, *kids: _Term) -> _Term:
    return _Term(code, power, 0.0, kids, 1 + sum(kid.size for kid in kids))


def _tidy(code: int, power: int, *kids: _Term) -> _Term:
    """Join terms, leaving out what adds zero, multiplies by one or is plain arithmetic."""
    if code == POWI:
        return kids[0] if power == 1 else _ONE if power == 0 else _joined(code, power, *kids)
    if code == NEG:
        return _negated(kids[0])
    if len(kids) == 1 or code not in _RULES:
        return _joined(code, power, *kids)
    return _RULES[code](*kids)


def _negated(term: _Term) -> _Term:
    if term.code == CONSTANT:
        return _number(-term.number)
    return term.kids[0] if term.code == NEG else _joined(NEG, 0, term)


def _folded(code: int, left: _Term, right: _Term, result: float) -> _Term:
    """The result of two numbers as one, unless it is too large for one."""
    return _number(result) if math.isfinite(result) else _joined(code, 0, left, right)


def _sum(left: _Term, right: _Term) -> _Term:
    if left.code == right.code == CONSTANT:
        return _folded(ADD, left, right, left.number + right.number)
    if left.is_number(0.0):
        return right
    if right.is_number(0.0):
        return left
    return _joined(SUB, 0, left, right.kids[0]) if right.code == NEG else _joined(ADD, 0, left, right)


def _difference(left: _Term, right: _Term) -> _Term:
    if left.code == right.code == CONSTANT:
        return _folded(SUB, left, right, left.number - right.number)
    if left.is_number(0.0):
        return _negated(right)
    return left if right.is_number(0.0) else _joined(SUB, 0, left, right)


def _product(left: _Term, right: _Term) -> _Term:
    if left.code == right.code == CONSTANT:
        return _folded(MUL, left, right, left.number * right.number)
    if left.is_number(0.0) or right.is_number(0.0):
        return _ZERO
    for one, other in ((left, right), (right, left)):
        if one.is_number(1.0):
            return other
        if one.is_number(-1.0):
            return _negated(other)
    return _joined(MUL, 0, left, right)


def _quotient(left: _Term, right: _Term) -> _Term:
    if left.is_number(0.0):
        return _ZERO
    return left if right.is_number(1.0) else _joined(DIV, 0, left, right)


def _power(base: _Term, exponent: _Term) -> _Term:
    if exponent.code == CONSTANT and exponent.number.is_integer() and abs(exponent.number) <= MAX_POWER:
        return _tidy(POWI, int(exponent.number), base)
    return _joined(POW, 0, base, exponent)


_RULES: Final = {ADD: _sum, SUB: _difference, MUL: _product, DIV: _quotient, POW: _power}


def _expression(term: _Term) -> Expression:
    """A term written out, each shared branch as often as it is used."""
    if term.size > MAX_NODES:
        raise TooLarge
    built = Postfix()
    waiting: list[tuple[_Term, bool]] = [(term, False)]
    while waiting:
        term, kids_done = waiting.pop()
        if term.code == CONSTANT:
            built.constant(term.number)
        elif term.code <= LAST_LEAF:
            built.variable(term.arg)
        elif kids_done:
            built.operator(term.code, term.arg)
        else:
            waiting.append((term, True))
            waiting.extend((kid, False) for kid in reversed(term.kids))
    return built.expression()
