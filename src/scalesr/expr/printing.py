"""Formulas as text that can be read back, and as LaTeX."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.names import OPEN_NAME, PI, check_names, knows_pi, name_of, quoted
from scalesr.expr.numerals import spelled
from scalesr.expr.operators import ATOM, BY_CODE, POWER, PRODUCT, SIGN, SUM, Operator
from scalesr.expr.template import Rope, fill, flatten
from scalesr.expr.typeset import latex_name, latex_number
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, NEG, OPEN, POW, POWI, SQRT, SUB, VARIABLE

if TYPE_CHECKING:
    from scalesr.expr.expression import Expression


def to_text(expr: Expression, names: Sequence[str] | None = None, *, digits: int | None = None) -> str:
    """Print a formula so that `parse` reads the same formula back; with `digits`, decimals have only so many."""
    given = check_names(names)
    has_pi = knows_pi(given)

    def leaf(leaf: Leaf) -> _Text:
        if leaf.code == VARIABLE:
            return _Text(quoted(name_of(leaf.index, given)), ATOM)
        return _Text(OPEN_NAME, ATOM) if leaf.code == OPEN else _text_number(leaf.value, digits, has_pi=has_pi)

    return flatten(fold(expr, leaf=leaf, node=_text_node).rope)


def number_text(value: float) -> str:
    """A number as a decimal with exactly as many digits as it carries: 2, 0.1, 1e-34."""
    return real_text(value).removesuffix(".0")


def real_text(value: float) -> str:
    """The same, with a decimal point or exponent even where the number is whole: 2.0."""
    return repr(value).replace("e+", "e")


class _Text(NamedTuple):
    rope: Rope
    precedence: int
    number: float | None = None  # its value where the operand is one constant
    joins: bool = False  # whether it is read as one number with a factor beside it: a whole number, pi, a numeral


def _text_number(value: float, digits: int | None, *, has_pi: bool) -> _Text:
    """A constant, as its numeral where it has one."""
    found = spelled(value, has_pi=has_pi, atom=_text_atom, node=_text_joined)
    if found is not None:
        return found._replace(number=value, joins=True)
    return _text_decimal(value if digits is None else float(f"{value:.{digits}g}"))


def _text_atom(value: float) -> _Text:
    """A whole number or pi, as a part of a numeral."""
    if abs(value) != math.pi:
        return _text_decimal(value)
    return _Text(f"-{PI}", SIGN) if value < 0 else _Text(PI, ATOM)


def _text_decimal(value: float) -> _Text:
    body, minus = number_text(abs(value)), _has_sign(value)
    return _Text(f"-{body}" if minus else body, SIGN if minus else ATOM, value, joins=value != 0 and body.isdigit())


def _text_joined(node: Node, kids: list[_Text]) -> _Text:
    """A part of a numeral, whose words are to be read as one number."""
    return _text_node(node, [kid._replace(number=None, joins=False) for kid in kids])


def _text_node(node: Node, kids: list[_Text]) -> _Text:
    row = BY_CODE[node.code]
    are_joined = all(kid.joins for kid in kids) and node.code in (MUL, DIV, SQRT)
    operands = [_text_operand(row, place, kid) for place, kid in enumerate(kids)]
    if are_joined or (node.code == POWI and kids[0].number == math.pi):
        operands[-1] = _set_apart(kids[-1])
    power = f"({node.power})" if node.power < 0 else str(node.power)
    return _Text(fill(row.text, operands, power), row.precedence)


def _set_apart(kid: _Text) -> Rope:
    """A number in brackets that it does not need, which keep it from being read as one with what is beside it."""
    return ("((", kid.rope, "))") if kid.precedence == PRODUCT else ("(", kid.rope, ")")


def _text_operand(row: Operator, place: int, kid: _Text) -> Rope:
    """An operand as it stands in its operator's text, in brackets where it would be misread without."""
    if row.code == POW and place == 1 and kid.number is not None and kid.number.is_integer():
        text = real_text(kid.number)  # a whole exponent without a point would be an integer power
        return f"({text})" if _has_sign(kid.number) else text
    if row.code == NEG and kid.number is not None:
        return ("(", kid.rope, ")")  # "-2" is one number
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
    has_pi = knows_pi(given)
    rank = {index: place for place, index in enumerate(expr.open_indices.tolist(), start=1)}

    def leaf(leaf: Leaf) -> _Latex:
        if leaf.code == CONSTANT:
            found = spelled(leaf.value, has_pi=has_pi, atom=_latex_atom, node=_latex_node)
            return _latex_decimal(leaf.value) if found is None else found
        body = f"C_{{{rank[leaf.index]}}}" if leaf.code == OPEN else latex_name(name_of(leaf.index, given))
        kind = _WORD if body.startswith(r"\mathrm") else _LETTER
        return _Latex(body, ATOM, head=kind, tail=kind)

    return flatten(_signed(fold(expr, leaf=leaf, node=_latex_node)))


# What a piece of LaTeX begins or ends with, as far as it matters for the product sign.
_OTHER, _LETTER, _WORD, _NUMBER, _BRACKET, _FRACTION = range(6)


class _Latex(NamedTuple):
    body: Rope  # without the leading minus
    precedence: int
    minus: bool = False
    head: int = _OTHER
    tail: int = _OTHER
    function: tuple[Rope, Rope] | None = None  # its name and bracketed operand, for sin^2(x)


def _latex_atom(value: float) -> _Latex:
    """A whole number or pi, as a part of a numeral."""
    if abs(value) != math.pi:
        return _latex_decimal(value)
    return _Latex(r"\pi", SIGN if value < 0 else ATOM, value < 0, head=_LETTER, tail=_LETTER)


def _latex_decimal(value: float) -> _Latex:
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
        or (left.tail in (_LETTER, _WORD) and right.head == _BRACKET)  # would be a function of what is in the brackets
        or (_WORD in (left.tail, right.head) and {left.tail, right.head} <= {_LETTER, _WORD})  # would be one word
    )
    body = fill(row.latex if clash else "{0} {1}", [left.body, right.body])
    return _Latex(body, PRODUCT, left.minus, left.head, right.tail)


def _latex_fraction(row: Operator, top: _Latex, bottom: _Latex) -> _Latex:
    above, below = (piece.minus and piece.precedence > SUM for piece in (top, bottom))
    body = fill(row.latex, [top.body if above else _signed(top), bottom.body if below else _signed(bottom)])
    return _Latex(body, PRODUCT, above != below, _FRACTION)


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
