"""Formulas as MathML, the mathematical type that browsers set by themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.names import name_of
from scalesr.expr.operators import ATOM, BY_CODE, POWER, PRODUCT, SIGN, SUM
from scalesr.expr.printing import number_text
from scalesr.expr.template import Rope, flatten
from scalesr.kernels.codes import ABS, ADD, CONSTANT, DIV, EXP, MUL, NEG, OPEN, POW, POWI, SQRT, SUB
from scalesr.report.symbols import mathml_name

_APPLY: Final = "<mo>&#x2061;</mo>"  # "function of": set without a sign
_TIMES: Final = "<mo>&#xB7;</mo>"
_SPACE: Final = '<mo>&#x2062;</mo><mspace width="0.17em"/>'  # "times": set as a thin space
_MINUS: Final = "<mo>&#x2212;</mo>"


class _Piece(NamedTuple):
    body: Rope  # without the leading minus
    precedence: int
    minus: bool = False
    is_apart: bool = False  # whether a factor before it needs a sign between: it begins with a digit or a bracket


def to_mathml(expr: Expression, names: Sequence[str] | None = None, *, left: str = "") -> str:
    """A formula as a block of MathML, as `left = formula` where a name is given for the left side."""

    def leaf(leaf: Leaf) -> _Piece:
        if leaf.code == CONSTANT:
            return _number(leaf.value)
        if leaf.code == OPEN:
            return _Piece("<mi>C</mi>", ATOM)
        return _Piece(mathml_name(name_of(leaf.index, names)), ATOM)

    right = flatten(_signed(fold(expr, leaf=leaf, node=_node)))
    start = f"{mathml_name(left)}<mo>=</mo>" if left else ""
    return f'<math display="block"><mrow>{start}{right}</mrow></math>'


def _number(value: float) -> _Piece:
    minus = math.copysign(1.0, value) < 0
    digits, _, exponent = number_text(abs(value)).partition("e")
    if not exponent:
        return _Piece(f"<mn>{digits}</mn>", SIGN if minus else ATOM, minus, is_apart=True)
    ten = f"<msup><mn>10</mn><mn>{str(int(exponent)).replace('-', '&#x2212;')}</mn></msup>"
    body = ten if digits == "1" else f"<mn>{digits}</mn>{_TIMES}{ten}"
    return _Piece(body, PRODUCT, minus, is_apart=True)


def _node(node: Node, kids: list[_Piece]) -> _Piece:
    if node.code == NEG:
        inner = _bracketed_below(PRODUCT, kids[0])
        return _Piece(inner.body, min(inner.precedence, SIGN), minus=True, is_apart=inner.is_apart)
    if node.code in (ADD, SUB):
        return _sum(node.code, *kids)
    if node.code == MUL:
        return _product(*kids)
    if node.code == DIV:
        return _fraction(*kids)
    if node.code in (POW, POWI):
        return _power(node, kids)
    return _call(node, [_signed(kid) for kid in kids])


def _sum(code: int, left: _Piece, right: _Piece) -> _Piece:
    minus = right.minus if code == ADD else True
    if code == SUB:
        right = _bracketed_below(PRODUCT, right)
    return _Piece((left.body, _MINUS if minus else "<mo>+</mo>", right.body), SUM, left.minus, left.is_apart)


def _product(left: _Piece, right: _Piece) -> _Piece:
    left = _brackets(left) if left.precedence < PRODUCT else left
    right = _bracketed_below(PRODUCT, right)
    sign = _TIMES if right.is_apart else _SPACE
    return _Piece((left.body, sign, right.body), PRODUCT, left.minus, left.is_apart)


def _fraction(top: _Piece, bottom: _Piece) -> _Piece:
    pulls_sign = top.minus and top.precedence > SUM
    above = top.body if pulls_sign else _signed(top)
    body: Rope = ("<mfrac>", _row(above), _row(_signed(bottom)), "</mfrac>")
    return _Piece(body, PRODUCT, pulls_sign)


def _power(node: Node, kids: list[_Piece]) -> _Piece:
    base = _bracketed_below(ATOM, kids[0])
    exponent = _signed(_number(float(node.power)) if node.code == POWI else kids[1])
    body: Rope = ("<msup>", _row(base.body), _row(exponent), "</msup>")
    return _Piece(body, POWER, is_apart=base.is_apart)


def _call(node: Node, operands: list[Rope]) -> _Piece:
    if node.code == SQRT:
        return _Piece(("<msqrt>", *operands, "</msqrt>"), ATOM)
    if node.code == ABS:
        return _Piece(_row(("<mo>|</mo>", *operands, "<mo>|</mo>")), ATOM)
    if node.code == EXP:
        return _Piece(("<msup><mi>e</mi>", _row(operands[0]), "</msup>"), POWER)
    listed: list[Rope] = []
    for place, operand in enumerate(operands):
        listed += ["<mo>,</mo>", operand] if place else [operand]
    name = f"<mi>{escape(BY_CODE[node.code].name)}</mi>"
    return _Piece((name, _APPLY, _row(("<mo>(</mo>", *listed, "<mo>)</mo>"))), POWER)


def _bracketed_below(precedence: int, piece: _Piece) -> _Piece:
    """The piece, in brackets if it has a sign or binds more weakly."""
    return _brackets(piece) if piece.minus or piece.precedence < precedence else piece


def _brackets(piece: _Piece) -> _Piece:
    return _Piece(_row(("<mo>(</mo>", _signed(piece), "<mo>)</mo>")), ATOM, is_apart=True)


def _signed(piece: _Piece) -> Rope:
    return (_MINUS, piece.body) if piece.minus else piece.body


def _row(rope: Rope) -> Rope:
    return ("<mrow>", rope, "</mrow>")
