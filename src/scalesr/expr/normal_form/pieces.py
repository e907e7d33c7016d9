"""Pieces: formulas as tuples of postfix nodes, cheap to join and to compare."""

from __future__ import annotations

from typing import Final

from scalesr.expr.expression import Expression
from scalesr.expr.normal_form.form import remembered
from scalesr.expr.normal_form.numbers import Scalar
from scalesr.expr.postfix import Postfix
from scalesr.kernels.codes import CONSTANT, OPEN, VARIABLE

Piece = tuple[tuple[int, int, float], ...]  # (code, column or power, value of a constant)

FEW_DIGITS: Final = 6  # too few to respell a number for


def constant_piece(value: Scalar) -> Piece:
    """A number or an open constant."""
    return ((OPEN, 0, 0.0),) if value is None else ((CONSTANT, 0, value),)


def joined(code: int, *operands: Piece, power: int = 0) -> Piece:
    """An operator over its operands."""
    return (*(node for piece in operands for node in piece), (code, power, 0.0))


def chained(code: int, pieces: list[Piece]) -> Piece:
    """Pieces joined by a binary operator from left to right."""
    whole = pieces[0]
    for piece in pieces[1:]:
        whole = joined(code, whole, piece)
    return whole


def cost(piece: Piece) -> tuple[int, int]:
    """What makes a formula long to read: its nodes, then the digits of its numbers."""
    return len(piece), sum(_digits(value) for code, _, value in piece if code == CONSTANT)


@remembered
def _digits(value: float) -> int:
    return len(repr(abs(value)).removesuffix(".0").replace(".", ""))


def to_expression(piece: Piece) -> Expression:
    """The formula of a piece."""
    made = Postfix()
    for code, arg, value in piece:
        if code == CONSTANT:
            made.constant(value)
        elif code == OPEN:
            made.open_constant()
        elif code == VARIABLE:
            made.variable(arg)
        else:
            made.operator(code, arg)
    return made.expression()
