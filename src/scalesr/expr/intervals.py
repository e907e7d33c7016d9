"""Intervals: bounds of a formula's values on boxes, by interval arithmetic.

Bounds may be wider than the values are, never narrower: every operation is widened by its rounding. What is not
known of an operator is from minus infinity to infinity.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels import codes

Floats = NDArray[np.float64]
Interval = tuple[Floats, Floats]  # lower and upper bounds, one per box

SLACK: Final = 4 * 2.0**-52  # of a bound, by which an operation may be off


def bounds(expr: Expression, low: Floats, high: Floats) -> Interval:  # (columns, boxes) each -> (boxes,) each
    """Bounds of a closed formula's values on boxes between `low` and `high`; NaN counts as no bound."""
    shape = low.shape[1:]

    def leaf(one: Leaf) -> Interval:
        if one.code == codes.VARIABLE:
            return low[one.index], high[one.index]
        return np.full(shape, one.value), np.full(shape, one.value)

    def node(one: Node, operands: list[Interval]) -> Interval:
        with np.errstate(all="ignore"):
            return _widened(_node(one, operands, shape))

    return fold(expr, leaf, node)


def _widened(found: Interval) -> Interval:
    low, high = found
    low, high = low - SLACK * np.abs(low), high + SLACK * np.abs(high)
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)


def _node(node: Node, operands: list[Interval], shape: tuple[int, ...]) -> Interval:
    code = node.code
    if code == codes.POWI:
        return _whole_power(operands[0], node.power)
    if code in _BINARY:
        return _BINARY[code](*operands)
    if code in _RISING:
        (low, high), (least, most), function = operands[0], _RISING[code][1], _RISING[code][0]
        return function(np.clip(low, least, most)), function(np.clip(high, least, most))
    if code in _UNARY:
        return _UNARY[code](operands[0])
    return np.full(shape, -np.inf), np.full(shape, np.inf)


def _sum(one: Interval, other: Interval) -> Interval:
    return one[0] + other[0], one[1] + other[1]


def _difference(one: Interval, other: Interval) -> Interval:
    return one[0] - other[1], one[1] - other[0]


def _product(one: Interval, other: Interval) -> Interval:
    ends = np.array([a * b for a in one for b in other])
    ends = np.where(np.isnan(ends), 0.0, ends)  # 0 times infinity: a bound that is 0 stays 0
    return ends.min(axis=0), ends.max(axis=0)


def _quotient(one: Interval, other: Interval) -> Interval:
    passes_zero = (other[0] <= 0) & (other[1] >= 0)
    low, high = _product(one, (1 / other[1], 1 / other[0]))
    return np.where(passes_zero, -np.inf, low), np.where(passes_zero, np.inf, high)


def _power(one: Interval, other: Interval) -> Interval:
    """A real power of a positive base, by its logarithm; nothing is known of others."""
    low, high = _product((np.log(np.maximum(one[0], 0.0)), np.log(np.maximum(one[1], 0.0))), other)
    is_known = (one[0] > 0) | ((one[0] >= 0) & (other[0] >= 0))
    return np.where(is_known, np.exp(low), -np.inf), np.where(is_known, np.exp(high), np.inf)


def _whole_power(one: Interval, power: int) -> Interval:
    if power < 0:
        return _quotient((np.ones_like(one[0]), np.ones_like(one[0])), _whole_power(one, -power))
    low, high = one[0] ** power, one[1] ** power
    if power % 2:
        return low, high
    least = np.where((one[0] <= 0) & (one[1] >= 0), 0.0 if power else 1.0, np.minimum(low, high))
    return least, np.maximum(low, high)


def _cosine(one: Interval) -> Interval:
    return _sine((one[0] + math.pi / 2, one[1] + math.pi / 2))


def _sine(one: Interval) -> Interval:
    """The ends, and 1 or -1 where a crest or a trough lies between them."""
    low, high = one
    turn, near = 2 * math.pi, 1e-9  # a crest that is just outside may be inside by rounding
    has_crest = np.floor((high + near - math.pi / 2) / turn) > np.floor((low - near - math.pi / 2) / turn)
    has_trough = np.floor((high + near + math.pi / 2) / turn) > np.floor((low - near + math.pi / 2) / turn)
    ends = np.array([np.sin(low), np.sin(high)])
    is_known = np.isfinite(ends).all(axis=0)
    least = np.where(has_trough | ~is_known, -1.0, ends.min(axis=0))
    return least, np.where(has_crest | ~is_known, 1.0, ends.max(axis=0))


def _tangent(one: Interval) -> Interval:
    low, high = one
    has_pole = np.floor(high / math.pi + 0.5) > np.floor(low / math.pi + 0.5)
    return np.where(has_pole, -np.inf, np.tan(low)), np.where(has_pole, np.inf, np.tan(high))


def _size(one: Interval) -> Interval:
    ends = np.abs(np.array(one))
    return np.where((one[0] <= 0) & (one[1] >= 0), 0.0, ends.min(axis=0)), ends.max(axis=0)


def _arc_cosine(one: Interval) -> Interval:
    return np.arccos(np.clip(one[1], -1, 1)), np.arccos(np.clip(one[0], -1, 1))


_BINARY: Final[dict[int, Callable[[Interval, Interval], Interval]]] = {
    codes.ADD: _sum,
    codes.SUB: _difference,
    codes.MUL: _product,
    codes.DIV: _quotient,
    codes.POW: _power,
    codes.MIN: lambda one, other: (np.minimum(one[0], other[0]), np.minimum(one[1], other[1])),
    codes.MAX: lambda one, other: (np.maximum(one[0], other[0]), np.maximum(one[1], other[1])),
}
_UNARY: Final[dict[int, Callable[[Interval], Interval]]] = {
    codes.NEG: lambda one: (-one[1], -one[0]),
    codes.SIN: _sine,
    codes.COS: _cosine,
    codes.TAN: _tangent,
    codes.ABS: _size,
    codes.ACOS: _arc_cosine,
}
_RISING: Final[dict[int, tuple[Callable[[Floats], Floats], tuple[float, float]]]] = {  # and where they have values
    codes.SQRT: (np.sqrt, (0.0, np.inf)),
    codes.EXP: (np.exp, (-np.inf, np.inf)),
    codes.LOG: (np.log, (0.0, np.inf)),
    codes.TANH: (np.tanh, (-np.inf, np.inf)),
    codes.ASIN: (np.arcsin, (-1.0, 1.0)),
    codes.ATAN: (np.arctan, (-np.inf, np.inf)),
}
