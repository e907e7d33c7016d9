"""Pieces: formulas as tuples of postfix nodes, cheap to join and to compare."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from scalesr.expr.expression import MAX_NODES, Expression
from scalesr.expr.normal_form.form import remembered
from scalesr.expr.normal_form.numbers import Scalar
from scalesr.kernels.codes import CONSTANT, OPEN

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
    """The formula of a piece: one whole tree by the way it is made, but a number in it may be infinite."""
    codes = [code for code, _, _ in piece]
    args: list[int] = []
    constants: list[float] = []
    for code, arg, value in piece:
        if code in (CONSTANT, OPEN):
            args.append(len(constants))
            constants.append(math.nan if code == OPEN else value)
        else:
            args.append(arg)
    if CONSTANT in codes or len(codes) > MAX_NODES:
        return Expression.from_arrays(codes, args, constants)
    return Expression(np.array(codes, np.int32), np.array(args, np.int32), np.array(constants, np.float64))
