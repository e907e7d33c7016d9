"""Numerals: numbers that no short decimal says, written as fractions, multiples of powers of pi and roots of these.

A double that is 2*pi/3 is written so, and `parse` reads that text as the same double: products and quotients of whole
numbers, pi and its square, and the roots of these, are one number in a text.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from scalesr.expr.fold import Node
from scalesr.kernels.codes import DIV, MUL, NEG, POWI, SQRT

Piece = TypeVar("Piece")
Steps = tuple[float | Node, ...]  # whole numbers, pi and what joins them, operands first

SHORT: Final = sys.float_info.dig  # digits of a decimal that a double keeps: one of no more digits is that decimal
FEW: Final = SHORT // 2  # digits of a fraction: one double in some hundred millions is such a number by accident
PI_POWERS: Final = (1, -1, 2, -2)  # that laws are written with, the simplest first
_TIMES: Final = Node(MUL, 0)
_OVER: Final = Node(DIV, 0)
_MINUS: Final = Node(NEG, 0)
_ROOT: Final = Node(SQRT, 0)


class Numeral(NamedTuple):
    """top/bottom * pi^power, or its root; the root of 1/n is 1 over the root of n."""

    top: int
    bottom: int = 1
    power: int = 0  # of pi
    is_root: bool = False

    @property
    def value(self) -> float:
        """The double that comes of the numeral as it is written, from left to right."""
        above, below = _factor(self.top, self.power), _factor(self.bottom, -self.power)
        if not self.is_root:
            return above / below
        return 1.0 / math.sqrt(below) if above == 1 else math.sqrt(above / below)


def _factor(number: int, power: int) -> float:
    """A whole number times pi to a power that is not negative; below it pi is on the other side of the fraction."""
    return number * math.pi ** max(power, 0)


@lru_cache(maxsize=4096)
def numeral(size: float) -> Numeral | None:
    """How a positive number is written that no short decimal says; None where it has to be a decimal."""
    if len(f"{size!r}".split("e")[0].replace(".", "").strip("0")) <= SHORT:
        return None
    for is_root in (False, True):
        for power in (0, *PI_POWERS):
            ratio = (size * size if is_root else size) / math.pi**power
            if 10.0**-FEW < ratio < 10.0 ** (FEW - 1):
                near = Fraction(ratio).limit_denominator(10 ** (FEW - len(f"{ratio:.0f}")))
                found = Numeral(near.numerator, near.denominator, power, is_root)
                if len(f"{found.top}{found.bottom}") <= FEW and found.value == size:
                    return found
    return None


def spelled(
    value: float, *, has_pi: bool, atom: Callable[[float], Piece], node: Callable[[Node, list[Piece]], Piece]
) -> Piece | None:
    """A number's numeral in a printer's pieces: `atom` writes whole numbers and pi, `node` what joins them.

    None where it has none, or where pi is needed and is not known as a number.
    """
    found = numeral(abs(value)) if math.isfinite(value) and value else None
    if found is None or (found.power and not has_pi):
        return None
    stack: list[Piece] = []
    for step in _steps(found, is_minus=value < 0):
        if isinstance(step, Node):
            arity = 2 if step in (_TIMES, _OVER) else 1
            operands = stack[-arity:]
            del stack[-arity:]
            stack.append(node(step, operands))
        else:
            stack.append(atom(step))
    return stack[0]


def _steps(found: Numeral, *, is_minus: bool) -> Steps:
    """The words of a numeral, the minus at its first factor or before its root."""
    above, below = _product(found.top, found.power), _product(found.bottom, -found.power)
    if not found.is_root:
        first = _product(found.top, found.power, is_minus=is_minus)
        return first if below == (1.0,) else (*first, *below, _OVER)
    if above == (1.0,):
        return (-1.0 if is_minus else 1.0, *below, _ROOT, _OVER)
    inner = above if below == (1.0,) else (*above, *below, _OVER)
    return (*inner, _ROOT, _MINUS) if is_minus else (*inner, _ROOT)


def _product(number: int, power: int, *, is_minus: bool = False) -> Steps:
    """A whole number times pi to a power that is not negative; one that is one goes unsaid beside pi."""
    sign = -1.0 if is_minus else 1.0
    if power <= 0:
        return (sign * number,)
    if power == 1:
        return (sign * math.pi,) if number == 1 else (sign * number, math.pi, _TIMES)
    pi: Steps = (math.pi, Node(POWI, power))
    if number == 1:
        return (*pi, _MINUS) if is_minus else pi
    return (sign * number, *pi, _TIMES)
