"""Formulas in mathematical type, of plain HTML and CSS: they are right in any browser, with any font.

Fractions are boxes with a line between; roots, and brackets around what is tall, are drawn to its height.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.names import knows_pi, name_of
from scalesr.expr.numerals import spelled
from scalesr.expr.operators import ATOM, BY_CODE, POWER, PRODUCT, SIGN, SUM
from scalesr.expr.printing import number_text, to_text
from scalesr.expr.template import Rope, flatten
from scalesr.kernels.codes import ABS, ADD, CONSTANT, DIV, EXP, MUL, NEG, OPEN, POW, POWI, SQRT, SUB
from scalesr.report.symbols import printable, symbol

STYLE: Final = """
.formula { display: block; width: max-content; margin: 0 auto; padding: 0.2em 0.1em; font-size: 1.35rem;
  line-height: 1.25; white-space: nowrap; font-family: "STIX Two Text", Cambria, "Times New Roman", serif; }
.formula .sign { margin: 0 0.25em; }
.formula .thin { margin-left: 0.17em; }
.formula sup, .formula sub { font-size: 0.7em; line-height: 1.1; }
.formula .over { display: inline-block; vertical-align: middle; text-align: center; margin: 0 0.1em; }
.formula .over > span { display: block; padding: 0.05em 0.25em; }
.formula .over > span + span { border-top: 0.07em solid currentColor; }
.formula .tall { display: inline-flex; vertical-align: middle; align-items: center; }
.formula .tall > sup { align-self: flex-start; }
.formula .fence { display: inline-flex; vertical-align: middle; align-items: stretch; }
.formula .fence > b { width: 0.3em; margin: 0.1em 0.08em; border: 0 solid currentColor; }
.formula .fence > span, .formula .root > span { align-self: center; }
.formula .fence > b.opens { border-left-width: 0.08em; border-radius: 100% 0 0 100% / 50% 0 0 50%; }
.formula .fence > b.closes { border-right-width: 0.08em; border-radius: 0 100% 100% 0 / 0 50% 50% 0; }
.formula .fence > b.bar { width: 0; border-left-width: 0.08em; margin: 0 0.15em; }
.formula .root { display: inline-flex; vertical-align: middle; align-items: stretch; margin: 0 0.1em; }
.formula .root > svg { width: 0.65em; height: auto; margin: 0; overflow: visible; }
.formula .root > span { border-top: 0.07em solid currentColor; padding: 0.08em 0.15em 0; }
"""

_TIMES: Final = '<span class="sign">&#xB7;</span>'
_SPACE: Final = '<span class="thin"></span>'  # times, between letters
_MINUS: Final = "&#x2212;"
_PI: Final = "<span>&#x3C0;</span>"
_RATE: Final = re.compile(r"d(2?)(.+)/dt\1")  # as laws of motion are called: dx/dt, d2x/dt2
_RADICAL: Final = (
    '<svg viewBox="0 0 10 20" preserveAspectRatio="none"><path d="M0 12 L2.5 10.5 L6 20 L10 0" fill="none" '
    'stroke="currentColor" stroke-width="1.4" vector-effect="non-scaling-stroke"></path></svg>'
)


class _Piece(NamedTuple):
    body: Rope  # without the leading minus
    precedence: int
    minus: bool = False
    is_apart: bool = False  # whether a factor before it needs a sign between: it begins with a digit or a bracket
    is_tall: bool = False  # whether it takes more than a line: it has a fraction or a root
    is_word: bool = False  # whether it is a name of more than a letter, which would run into a name beside it


def to_html(expr: Expression, names: Sequence[str] | None = None, *, left: str = "") -> str:
    """A formula as a block of HTML, as `left = formula` where a name is given for the left side."""

    has_pi = knows_pi(names)

    def leaf(leaf: Leaf) -> _Piece:
        if leaf.code == CONSTANT:
            found = spelled(leaf.value, has_pi=has_pi, atom=_atom, node=_node)
            return _decimal(leaf.value) if found is None else found
        if leaf.code == OPEN:
            return _Piece("<i>C</i>", ATOM)
        body = symbol(name_of(leaf.index, names))
        return _Piece(body, ATOM, is_word=not body.startswith("<i>"))

    right = flatten(_signed(fold(expr, leaf=leaf, node=_node)))
    start = f'{_left(left)}<span class="sign">=</span>' if left else ""
    said = (f"{left} = " if left else "") + to_text(expr, names)
    return f'<span class="formula" role="math" aria-label="{escape(printable(said))}">{start}{right}</span>'


def _left(name: str) -> str:
    """What stands on the left: a name, or a rate as a fraction."""
    rate = _RATE.fullmatch(name)
    if rate is None:
        return symbol(name)
    order = "<sup>2</sup>" if rate[1] else ""
    return f'<span class="over"><span>d{order}{_SPACE}{symbol(rate[2])}</span><span>d<i>t</i>{order}</span></span>'


def _atom(value: float) -> _Piece:
    """A whole number or pi, as a part of a numeral."""
    return _Piece(_PI, SIGN if value < 0 else ATOM, value < 0) if abs(value) == math.pi else _decimal(value)


def _decimal(value: float) -> _Piece:
    minus = math.copysign(1.0, value) < 0
    digits, _, exponent = number_text(abs(value)).partition("e")
    if not exponent:
        return _Piece(digits, SIGN if minus else ATOM, minus, is_apart=True)
    ten = f"10<sup>{str(int(exponent)).replace('-', _MINUS)}</sup>"
    body = ten if digits == "1" else f"{digits}{_TIMES}{ten}"
    return _Piece(body, PRODUCT, minus, is_apart=True)


def _node(node: Node, kids: list[_Piece]) -> _Piece:
    if node.code == NEG:
        inner = _bracketed_below(PRODUCT, kids[0])
        return inner._replace(precedence=min(inner.precedence, SIGN), minus=True)
    if node.code in (ADD, SUB):
        return _sum(node.code, *kids)
    if node.code == MUL:
        return _product(*kids)
    if node.code == DIV:
        return _fraction(*kids)
    if node.code in (POW, POWI):
        return _power(node, kids)
    return _call(node, kids)


def _sum(code: int, left: _Piece, right: _Piece) -> _Piece:
    minus = right.minus if code == ADD else True
    if code == SUB:
        right = _bracketed_below(PRODUCT, right)
    sign = f'<span class="sign">{_MINUS if minus else "+"}</span>'
    return _Piece((left.body, sign, right.body), SUM, left.minus, left.is_apart, left.is_tall or right.is_tall)


def _product(left: _Piece, right: _Piece) -> _Piece:
    left = _brackets(left) if left.precedence < PRODUCT else left
    right = _bracketed_below(PRODUCT, right)
    has_word = left.is_word or right.is_word
    sign = _TIMES if right.is_apart or has_word else _SPACE
    is_tall = left.is_tall or right.is_tall
    return _Piece((left.body, sign, right.body), PRODUCT, left.minus, left.is_apart, is_tall, has_word)


def _fraction(top: _Piece, bottom: _Piece) -> _Piece:
    above, below = (piece.minus and piece.precedence > SUM for piece in (top, bottom))
    parts = [top.body if above else _signed(top), bottom.body if below else _signed(bottom)]
    body: Rope = ('<span class="over">', *map(_span, parts), "</span>")
    return _Piece(body, PRODUCT, above != below, is_tall=True)


def _power(node: Node, kids: list[_Piece]) -> _Piece:
    base = _bracketed_below(ATOM, kids[0])
    exponent = _signed(_decimal(float(node.power)) if node.code == POWI else kids[1])
    body: Rope = (base.body, "<sup>", exponent, "</sup>")
    whole: Rope = ('<span class="tall">', _span(base.body), "<sup>", exponent, "</sup></span>")
    return _Piece(whole if base.is_tall else body, POWER, False, base.is_apart, base.is_tall, base.is_word)


def _call(node: Node, kids: list[_Piece]) -> _Piece:
    operands = [_signed(kid) for kid in kids]
    is_tall = any(kid.is_tall for kid in kids)
    if node.code == SQRT:
        return _Piece(('<span class="root">', _RADICAL, _span(operands[0]), "</span>"), ATOM, is_tall=True)
    if node.code == ABS:
        return _Piece(_fenced(operands[0], "||", is_tall=is_tall), ATOM, is_tall=is_tall)
    if node.code == EXP:
        return _Piece(("<i>e</i><sup>", operands[0], "</sup>"), POWER)
    listed: list[Rope] = []
    for place, operand in enumerate(operands):
        listed += [", ", operand] if place else [operand]
    name = f"<span>{escape(BY_CODE[node.code].name)}</span>"
    return _Piece((name, _fenced(tuple(listed), "()", is_tall=is_tall)), POWER, is_tall=is_tall)


def _bracketed_below(precedence: int, piece: _Piece) -> _Piece:
    """The piece, in brackets if it has a sign or binds more weakly."""
    return _brackets(piece) if piece.minus or piece.precedence < precedence else piece


def _brackets(piece: _Piece) -> _Piece:
    body = _fenced(_signed(piece), "()", is_tall=piece.is_tall)
    return _Piece(body, ATOM, is_apart=True, is_tall=piece.is_tall)


def _fenced(body: Rope, signs: str, *, is_tall: bool) -> Rope:
    """Something between brackets or bars, which are drawn where it is tall and written where it is not."""
    if not is_tall:
        return (signs[0], body, signs[1])
    first, last = ("opens", "closes") if signs == "()" else ("bar", "bar")
    return ('<span class="fence">', f'<b class="{first}"></b>', _span(body), f'<b class="{last}"></b>', "</span>")


def _signed(piece: _Piece) -> Rope:
    return (_MINUS, piece.body) if piece.minus else piece.body


def _span(rope: Rope) -> Rope:
    return ("<span>", rope, "</span>")
