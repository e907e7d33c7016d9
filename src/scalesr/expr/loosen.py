"""Loosening: a law may have been proposed without a coefficient that the rows ask for."""

from __future__ import annotations

from typing import NamedTuple

from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ADD, DIV, MUL, NEG, OPEN, SUB, VARIABLE


def loosened(expr: Expression) -> Expression:
    """A closed formula with a factor 1 at every term of its outermost sum that has no constant factor, and + 0."""
    part = fold(expr, _leaf, _node)
    return part.loose if part.has_offset else join(ADD, [part.loose, constant(0.0)])


class _Part(NamedTuple):
    """A part of a formula as it is, and with factors at its terms."""

    expr: Expression
    loose: Expression
    has_factor: bool = False  # whether it is a constant, or a product with one
    has_offset: bool = False  # whether one of its terms is a constant


def _leaf(leaf: Leaf) -> _Part:
    if leaf.code == VARIABLE:
        return _with_factor(variable(leaf.index))
    number = open_constant() if leaf.code == OPEN else constant(leaf.value)
    return _Part(number, number, has_factor=True, has_offset=True)


def _node(node: Node, parts: list[_Part]) -> _Part:
    whole = join(node.code, [part.expr for part in parts], power=node.power)
    if node.code in (ADD, SUB):
        loose = join(node.code, [part.loose for part in parts])
        return _Part(whole, loose, has_offset=any(part.has_offset for part in parts))
    if node.code in (MUL, DIV, NEG) and any(part.has_factor for part in parts):
        return _Part(whole, whole, has_factor=True)
    return _with_factor(whole)


def _with_factor(expr: Expression) -> _Part:
    return _Part(expr, join(MUL, [constant(1.0), expr]))
