"""Read a formula from text: no eval, no recursion, time in proportion to the text.

Precedence is the table's, weakest first: sums, products, the sign, powers (from right to left).
`x^2` with a whole number is the integer power, `x^2.0` the real one; `-2` is one number. So are `2*pi/3` and
`sqrt(2*pi)`: products and quotients of whole numbers, pi and its square, and their roots. Brackets that are
not needed, as in `2*(3)`, keep numbers apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, NamedTuple

from scalesr.errors import FormulaError
from scalesr.expr.expression import MAX_NODES, MAX_POWER, Expression
from scalesr.expr.names import (
    PI,
    check_names,
    default_column,
    function,
    is_open,
    quoted,
    shortened,
)
from scalesr.expr.numerals import PI_POWERS
from scalesr.expr.operators import BY_NAME, POWER, Operator
from scalesr.expr.postfix import Postfix, TooLarge
from scalesr.expr.tokens import Token, TokenKind, fault, number_value, tokens
from scalesr.kernels.codes import DIV, MUL, NEG, POW, POWI, SQRT

_INFIX: Final = {"**": "^"}  # other ways to write an operator
_EMPTY: Final = "The formula is empty; write one such as 2*x0 + sin(x1)."
MAX_TOKENS: Final = 8 * MAX_NODES  # no node is printed with more than seven
_COMPARED: Final = 2_000  # names, when looking for one like an unknown one


def parse(text: str, names: Sequence[str] | None = None) -> Expression:
    """Read a formula over the variables `names`, or x0, x1, ... without them.

    >>> str(parse("2*mass**2 + sin(t)", names=["mass", "t"]))
    '2*x0^2 + sin(x1)'
    """
    return _Parser(text, check_names(names)).read()


def names_in(text: str) -> tuple[str, ...]:
    """The variables a formula's text mentions, in order of first appearance."""
    found: dict[str, None] = {}
    for token in tokens(text):
        if token.kind is TokenKind.QUOTED or (token.kind is TokenKind.NAME and not _is_reserved(token.text)):
            found.setdefault(token.text)
    return tuple(found)


def _is_reserved(name: str) -> bool:
    return name == PI or is_open(name) or function(name) is not None


class _Literal(NamedTuple):
    """The last node, where it is a number as written."""

    position: int
    integer: int | None = None  # its value where it may be an integer power
    takes_sign: bool = True  # a minus before it belongs to it
    joins: bool = False  # with a factor beside it to one number
    is_product: bool = False  # and needs brackets as a factor
    is_pi: bool = False


class _Waiting(NamedTuple):
    """An operator whose right operand is being read."""

    code: int
    precedence: int
    left: _Literal | None = None  # its other operand, where that is a number as written


@dataclass(slots=True)
class _Bracket:
    """An open bracket, of a call where it has a row."""

    position: int
    row: Operator | None = None
    commas: int = 0


class _Parser:
    """Shunting-yard: operators wait on a stack until one that binds more weakly arrives."""

    def __init__(self, text: str, names: tuple[str, ...] | None) -> None:
        self.text = text
        self.columns = None if names is None else {name: column for column, name in enumerate(names)}
        self.built = Postfix()
        self.waiting: list[_Waiting | _Bracket] = []
        self.depth = 0
        self.promised = 0
        self.literal: _Literal | None = None
        self.indexed: set[str] = set()  # open constants with an index seen so far

    def read(self) -> Expression:
        operand_next = True
        for count, token in enumerate(tokens(self.text)):
            try:
                if count > MAX_TOKENS:
                    raise TooLarge
                operand_next = self._operand(token) if operand_next else self._operator(token)
            except TooLarge as error:
                raise self._fault(str(error), token.position) from None
        return self.built.expression()

    def _fault(self, message: str, position: int) -> FormulaError:
        return fault(message, self.text, position)

    # Where an operand is expected. Each answers whether one is still expected afterwards.

    def _operand(self, token: Token) -> bool:
        if token.kind is TokenKind.SYMBOL or token.kind is TokenKind.END:
            return self._prefix(token)
        if token.kind is TokenKind.CALL:
            return self._call(token)
        if token.kind is TokenKind.NUMBER:
            self._number(token)
        elif token.kind is TokenKind.NAME and self._is_pi(token.text):
            self._constant(math.pi, _Literal(token.position, joins=True, is_pi=True))
        elif token.kind is TokenKind.NAME and self._is_open(token.text):
            self._open(token)
        else:
            self._variable(token)
        return False

    def _prefix(self, token: Token) -> bool:
        if token.text == "-":
            self._wait(_Waiting(NEG, BY_NAME["neg"].precedence))
        elif token.text == "(":
            self._enter(_Bracket(token.position))
        elif token.text != "+":
            raise self._missing_operand(token)
        return True

    def _missing_operand(self, token: Token) -> FormulaError:
        last = self.waiting[-1] if self.waiting else None
        if token.kind is TokenKind.END:
            empty = not self.text or self.text.isspace()
            message = _EMPTY if empty else "The formula ends where a number, a name or a bracket should follow."
        elif token.text == ")" and isinstance(last, _Bracket) and last.row and not last.commas:
            message = f"{last.row.name} takes {_arguments(last.row.arity)}; none is given."
        elif token.text == ")" and isinstance(last, _Bracket) and not last.commas:
            message = "There is nothing in these brackets."
        else:
            message = f"A number, a name or a bracket is missing before {token.text!r}."
        return self._fault(message, token.position)

    def _call(self, token: Token) -> bool:
        row = function(token.text)
        if row is None:
            raise self._no_function(token)
        self._promise()
        self._enter(_Bracket(token.position, row))
        return True

    def _no_function(self, token: Token) -> FormulaError:
        if self._column(token.text) is not None or _is_reserved(token.text):
            message = f"An operator is missing after {shortened(token.text)!r}: write * for a product."
            return self._fault(message, token.position + len(token.text))
        known = [name for name, row in BY_NAME.items() if row.is_call]
        return self._fault(f"Unknown function {shortened(token.text)!r}; {_closest(token.text, known)}", token.position)

    def _enter(self, bracket: _Bracket) -> None:
        self.depth += 1
        if self.depth >= MAX_NODES:
            raise self._fault(f"Brackets are nested {self.depth} deep; formulas are read below that.", bracket.position)
        self.waiting.append(bracket)

    def _number(self, token: Token) -> None:
        value = number_value(token, self.text)
        integer = int(token.text) if token.text.isdigit() else None
        self._constant(value, _Literal(token.position, integer, joins=bool(integer)))

    def _constant(self, value: float, literal: _Literal) -> None:
        self.built.constant(value)
        self.literal = literal

    def _is_pi(self, name: str) -> bool:
        return name == PI and (self.columns is None or name not in self.columns)

    def _is_open(self, name: str) -> bool:
        return is_open(name) and (name == "C" or self.columns is None or name not in self.columns)

    def _open(self, token: Token) -> None:
        if token.text in self.indexed:
            message = f"{token.text} is used twice, but every open constant is fitted on its own; write C."
            raise self._fault(message, token.position)
        if token.text != "C":
            self.indexed.add(token.text)
        self.built.open_constant()
        self.literal = None

    def _variable(self, token: Token) -> None:
        column = self._column(token.text)
        if column is None or (token.kind is TokenKind.NAME and function(token.text)):
            raise self._unknown(token, column)
        self.built.variable(column)
        self.literal = None

    def _column(self, name: str) -> int | None:
        return default_column(name) if self.columns is None else self.columns.get(name)

    def _unknown(self, token: Token, column: int | None) -> FormulaError:
        if function(token.text) and token.kind is TokenKind.NAME:
            other = "" if column is None else f"; the variable of that name is written {quoted(token.text)}"
            message = f"{token.text} needs its argument in brackets, {token.text}(...){other}."
            return self._fault(message, token.position)
        if self.columns is None:
            advice = "without given names the variables are x0, x1 and so on."
        else:
            advice = _closest(token.text, list(self.columns))
        return self._fault(f"Unknown name {shortened(token.text)!r}; {advice}", token.position)

    # Where an operator is expected.

    def _operator(self, token: Token) -> bool:
        if token.kind is TokenKind.END:
            self._end()
            return True
        if token.kind is not TokenKind.SYMBOL or token.text == "(":
            raise self._fault("An operator is missing here: write * for a product.", token.position)
        if token.text == ")":
            self._close(token)
            return False
        if token.text == ",":
            self._comma(token)
            return True
        row = BY_NAME[_INFIX.get(token.text, token.text)]
        self._apply_waiting(row.precedence + (row.precedence == POWER))
        self._wait(_Waiting(row.code, row.precedence, self.literal))
        return True

    def _wait(self, operator: _Waiting) -> None:
        self._promise()
        self.waiting.append(operator)

    def _promise(self) -> None:
        """Count an operator whose node comes after its operands, so that too many are noticed at once."""
        self.promised += 1
        if self.promised + len(self.built.codes) > MAX_NODES + 1:  # the sign in x^-2 will be no node
            raise TooLarge

    def _apply_waiting(self, precedence: int) -> _Bracket | None:
        """Apply the waiting operators that bind at least so strongly, up to the bracket that is answered."""
        while self.waiting:
            last = self.waiting[-1]
            if isinstance(last, _Bracket):
                return last
            if last.precedence < precedence:
                return None
            self.waiting.pop()
            self.promised -= 1
            self._apply(last)
        return None

    def _apply(self, operator: _Waiting) -> None:
        code, left = operator.code, operator.left
        literal, self.literal = self.literal, None
        if literal and code == NEG and literal.takes_sign:
            integer = None if literal.integer is None else -literal.integer
            self._constant(
                -self.built.drop_constant(), literal._replace(integer=integer, takes_sign=False, is_pi=False)
            )
        elif literal and code == POW and literal.integer is not None:
            self._integer_power(literal.integer, literal.position, left)
        elif literal and left and code in (MUL, DIV) and literal.joins and left.joins:
            self._join(code, left)
        else:
            self.built.operator(code)

    def _join(self, code: int, left: _Literal) -> None:
        """A product or quotient of two numbers as one, where a double can hold it."""
        second, first = self.built.drop_constant(), self.built.drop_constant()
        value = first * second if code == MUL else first / second
        if value and math.isfinite(value):
            self._constant(value, _Literal(left.position, takes_sign=False, joins=True, is_product=True))
        else:
            self.built.constant(first)
            self.built.constant(second)
            self.built.operator(code)

    def _integer_power(self, power: int, position: int, base: _Literal | None) -> None:
        if abs(power) > MAX_POWER:
            message = f"An integer power lies within ±{MAX_POWER}; write {shortened(str(power))}.0 for a real one."
            raise self._fault(message, position)
        self.built.drop_constant()
        if base and base.is_pi and power in PI_POWERS:
            self._constant(self.built.drop_constant() ** power, _Literal(base.position, joins=True))
        else:
            self.built.operator(POWI, power)

    def _comma(self, token: Token) -> None:
        bracket = self._apply_waiting(0)
        if bracket is None or bracket.row is None:
            message = "A comma only separates arguments, as in min(a, b); decimals are written with a point."
            raise self._fault(message, token.position)
        bracket.commas += 1
        self.literal = None
        if bracket.commas >= bracket.row.arity:
            message = f"{bracket.row.name} takes {_arguments(bracket.row.arity)}; here is one more."
            raise self._fault(message, token.position)

    def _close(self, token: Token) -> None:
        bracket = self._apply_waiting(0)
        if bracket is None:
            raise self._fault("This bracket closes nothing; remove it or open one before.", token.position)
        self.waiting.pop()
        self.depth -= 1
        literal = self.literal
        if literal:  # brackets that a product needs do not keep it apart from what is beside it
            joins = literal.joins and literal.is_product
            self.literal = literal._replace(takes_sign=False, joins=joins, is_product=False, is_pi=False)
        if bracket.row is None:
            return
        if bracket.commas + 1 < bracket.row.arity:
            message = f"{bracket.row.name} takes {_arguments(bracket.row.arity)}; {bracket.commas + 1} is given."
            raise self._fault(message, token.position)
        self.literal = None
        self.promised -= 1
        if literal and literal.joins and bracket.row.code == SQRT and self.built.constants[-1] > 0:
            self._constant(math.sqrt(self.built.drop_constant()), _Literal(bracket.position, joins=True))
        else:
            self.built.operator(bracket.row.code)

    def _end(self) -> None:
        bracket = self._apply_waiting(0)
        if bracket is not None:
            raise self._fault("This bracket is never closed; add ).", bracket.position)


def _arguments(count: int) -> str:
    return f"{count} argument{'s' if count > 1 else ''}"


def _closest(name: str, known: list[str]) -> str:
    """The known names most like an unknown one, or the first few."""
    close = get_close_matches(name, known[:_COMPARED]) if len(name) < 100 else []
    if close:
        return f"did you mean {' or '.join(shortened(match) for match in close)}?"
    if not known:
        return "no variables are given."
    return f"known are {', '.join(map(shortened, known[:10]))}{' and more' if len(known) > 10 else ''}."
