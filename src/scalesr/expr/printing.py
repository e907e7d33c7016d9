"""Formulas as text that can be read back, and as LaTeX."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.names import OPEN_NAME, check_names, name_of, quoted
from scalesr.expr.operators import ATOM, BY_CODE, POWER, PRODUCT, SIGN, SUM, Operator
from scalesr.expr.template import Rope, fill, flatten
from scalesr.expr.typeset import latex_name, latex_number
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, NEG, OPEN, POW, POWI, SUB, VARIABLE

if TYPE_CHECKING:
    from scalesr.expr.expression import Expression


def to_text(expr: Expression, names: Sequence[str] | None = None) -> str:
    """Print a formula so that `parse` reads the same formula back."""
    given = check_names(names)
    return flatten(fold(expr, leaf=lambda leaf: _text_leaf(leaf, given), node=_text_node).rope)


def number_text(value: float) -> str:
    """A number with exactly as many digits as it carries: 2, 0.1, 1e-34."""
    return real_text(value).removesuffix(".0")


def real_text(value: float) -> str:
    """The same, with a decimal point or exponent even where the number is whole: 2.0."""
    return repr(value).replace("e+", "e")


class _Text(NamedTuple):
    rope: Rope
    precedence: int
    number: float | None = None  # its value where the operand is one constant


def _text_leaf(leaf: Leaf, names: Sequence[str] | None) -> _Text:
    if leaf.code == VARIABLE:
        return _Text(quoted(name_of(leaf.index, names)), ATOM)
    if leaf.code == OPEN:
        return _Text(OPEN_NAME, ATOM)
    return _Text(number_text(leaf.value), SIGN if _has_sign(leaf.value) else ATOM, leaf.value)


def _text_node(node: Node, kids: list[_Text]) -> _Text:
    row = BY_CODE[node.code]
    operands = [_text_operand(row, place, kid) for place, kid in enumerate(kids)]
    power = f"({node.power})" if node.power < 0 else str(node.power)
    return _Text(fill(row.text, operands, power), row.precedence)


def _text_operand(row: Operator, place: int, kid: _Text) -> Rope:
    """An operand as it stands in its operator's text, in brackets where it would be misread without."""
    if row.code == POW and place == 1 and kid.number is not None:
        text = real_text(kid.number)  # a whole exponent without a point would be an integer power
        return f"({text})" if _has_sign(kid.number) else text
    if row.code == NEG and kid.number is not None:
        return f"({kid.rope})"  # "-2" is one number
    return kid.rope if kid.precedence >= _weakest(row.precedence, place) else ("(", kid.rope, ")")


def _weakest(precedence: int, place: int) -> int:
    """The weakest binding an operand may have without brackets."""
    if precedence == ATOM:
        return 0
    if precedence == POWER:
        return ATOM  # a^b^c is read in two ways by people, if not by us
    if place == 0:
        return precedence
    return POWER if precedence == PRODUCT else PRODUCT  # no sign right after a product sign


def _has_sign(value: float) -> bool:
    return math.copysign(1.0, value) < 0


def to_latex(expr: Expression, names: Sequence[str] | None = None) -> str:
    """Typeset a formula as LaTeX source for math mode."""
    given = check_names(names)
    rank = {index: place for place, index in enumerate(expr.open_indices.tolist(), start=1)}

    def leaf(leaf: Leaf) -> _Latex:
        if leaf.code == CONSTANT:
            return _latex_constant(leaf.value)
        body = f"C_{{{rank[leaf.index]}}}" if leaf.code == OPEN else latex_name(name_of(leaf.index, given))
        return _Latex(body, ATOM, tail=_LETTER)

    return flatten(_signed(fold(expr, leaf=leaf, node=_latex_node)))


# What a piece of LaTeX begins or ends with, as far as it matters for the product sign.
_OTHER, _LETTER, _NUMBER, _BRACKET, _FRACTION = range(5)


class _Latex(NamedTuple):
    body: Rope  # without the leading minus
    precedence: int
    minus: bool = False
    head: int = _OTHER
    tail: int = _OTHER
    function: tuple[Rope, Rope] | None = None  # its name and bracketed operand, for sin^2(x)


def _latex_constant(value: float) -> _Latex:
    body = latex_number(number_text(abs(value)))
    precedence = ATOM if "10^" not in body else PRODUCT if r"\cdot" in body else POWER
    minus = _has_sign(value)
    return _Latex(body, min(precedence, SIGN) if minus else precedence, minus, _NUMBER, _NUMBER)


def _latex_node(node: Node, kids: list[_Latex]) -> _Latex:
    row = BY_CODE[node.code]
    if node.code == NEG:
        inner = _bracketed_below(PRODUCT, kids[0])
        return inner._replace(precedence=min(inner.precedence, SIGN), minus=True, function=None)
    if node.code in (ADD, SUB):
        return _latex_sum(row, *kids)
    if node.code == MUL:
        return _latex_product(row, *kids)
    if node.code == DIV:
        return _latex_fraction(row, *kids)
    if node.code in (POW, POWI):
        return _latex_power(row, kids, node.power)
    return _latex_call(row, kids)


def _latex_sum(row: Operator, left: _Latex, right: _Latex) -> _Latex:
    if row.code == SUB:
        right = _bracketed_below(PRODUCT, right)
    elif right.minus:
        row = BY_CODE[SUB]
    body = fill(row.latex, [left.body, right.body])
    return _Latex(body, SUM, left.minus, left.head, right.tail)


def _latex_product(row: Operator, left: _Latex, right: _Latex) -> _Latex:
    if left.precedence < PRODUCT:
        left = _brackets(left)
    right = _bracketed_below(PRODUCT, right)
    clash = (
        right.head == _NUMBER
        or (left.tail == _NUMBER and right.head == _FRACTION)  # would be a mixed number
        or (left.tail == _LETTER and right.head == _BRACKET)  # would be a function of what is in the brackets
    )
    body = fill(row.latex if clash else "{0} {1}", [left.body, right.body])
    return _Latex(body, PRODUCT, left.minus, left.head, right.tail)


def _latex_fraction(row: Operator, top: _Latex, bottom: _Latex) -> _Latex:
    pulls_sign = top.minus and top.precedence > SUM
    body = fill(row.latex, [top.body if pulls_sign else _signed(top), _signed(bottom)])
    return _Latex(body, PRODUCT, pulls_sign, _FRACTION)


def _latex_power(row: Operator, kids: list[_Latex], power: int) -> _Latex:
    base = kids[0]
    if base.function and row.code == POWI and power > 1:
        name, operand = base.function
        return _Latex((fill(row.latex, [name], str(power)), operand), POWER)
    base = _bracketed_below(ATOM, base)
    body = fill(row.latex, [base.body, *map(_signed, kids[1:])], str(power))
    return _Latex(body, POWER, head=base.head)


def _latex_call(row: Operator, kids: list[_Latex]) -> _Latex:
    operands = [_signed(kid) for kid in kids]
    name, bracket, rest = row.latex.partition(r"\left(")
    is_function = row.arity == 1 and name.startswith("\\") and bool(bracket)
    return _Latex(
        fill(row.latex, operands),
        ATOM if row.latex.startswith(r"\left") else POWER,
        function=(fill(name, operands), fill(bracket + rest, operands)) if is_function else None,
    )


def _bracketed_below(precedence: int, piece: _Latex) -> _Latex:
    """The piece, in brackets if it has a sign or binds more weakly."""
    return _brackets(piece) if piece.minus or piece.precedence < precedence else piece


def _brackets(piece: _Latex) -> _Latex:
    return _Latex((r"\left(", _signed(piece), r"\right)"), ATOM, head=_BRACKET)


def _signed(piece: _Latex) -> Rope:
    return ("-", piece.body) if piece.minus else piece.body
