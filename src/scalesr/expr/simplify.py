"""The shortest formula found with the same values."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from scalesr.expr.expression import MAX_POWER, Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.normal_form.build import NO_FORM, Factors, join_factors, leaf_factors, product_form
from scalesr.expr.normal_form.form import forget_if_full
from scalesr.expr.normal_form.pieces import Piece, constant_piece, cost, joined, to_expression
from scalesr.expr.normal_form.readable import sum_piece
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, OPEN, POWI, VARIABLE

_MAX_ROUNDS = 6
_FEW_DIGITS = 3


def simplify(expr: Expression) -> Expression:
    """A formula with the same values, not larger and as readable as the rules make it.

    Values are kept up to rounding wherever the formula has one; the result may have values in more
    places, as 1 for x/x. A skeleton may become one of a larger family with the same constants or
    fewer, as C + C becomes C. Simplifying twice changes nothing more.
    """
    seen: list[Expression] = [expr]
    while len(seen) < _MAX_ROUNDS:
        shorter = _round(seen[-1])
        if shorter in seen:
            return min(seen[seen.index(shorter) :], key=lambda one: (one.n_nodes, str(one)))
        seen.append(shorter)
    return seen[-1]


class _Part(NamedTuple):
    """A subtree: the shortest way found to write it, and its factors in normal form unless it has none."""

    piece: Piece
    factors: Factors | None


def _round(expr: Expression) -> Expression:
    """One pass from the leaves up: of each subtree the tree of its normal form, if that is not longer.

    1/x is preferred to x^(-1), which is one node shorter, unless the whole would grow by it.
    """
    forget_if_full()
    piece = fold(expr, _leaf, partial(_node, 2)).piece
    if len(piece) > expr.n_nodes:
        piece = fold(to_expression(piece), _leaf, _with_reciprocal_powers).piece
    if len(piece) > expr.n_nodes:
        piece = fold(expr, _leaf, partial(_node, 0)).piece
    return to_expression(piece)


def _with_reciprocal_powers(node: Node, parts: list[_Part]) -> _Part:
    """1/u^n as u^(-n)."""
    pieces = [part.piece for part in parts]
    if node.code == DIV and pieces[0] == constant_piece(1.0):
        code, power, _ = pieces[1][-1]
        if code == POWI and power < MAX_POWER:
            return _Part((*pieces[1][:-1], (POWI, -power, 0.0)), None)
        return _Part(joined(POWI, pieces[1], power=-1), None)
    return _Part(joined(node.code, *pieces, power=node.power), None)


def _leaf(leaf: Leaf) -> _Part:
    if leaf.code == VARIABLE:
        return _Part(((VARIABLE, leaf.index, 0.0),), leaf_factors(leaf))
    return _Part(constant_piece(None if leaf.code == OPEN else leaf.value), leaf_factors(leaf))


def _node(reciprocal_cost: int, node: Node, parts: list[_Part]) -> _Part:
    given = joined(node.code, *_ordered(node.code, parts), power=node.power)
    operands = [part.factors for part in parts if part.factors is not None]
    if len(operands) < len(parts):
        return _Part(given, None)
    try:
        factors = join_factors(node, operands)
        form = product_form(factors)
        written = sum_piece(form) if len(form.terms) <= len(given) else given
    except NO_FORM:
        return _Part(given, None)
    return _Part(given if _is_better(given, written, reciprocal_cost) else written, factors)


def _ordered(code: int, parts: list[_Part]) -> list[Piece]:
    """Operands in an order of their own where it does not matter: constants first in products, last in sums."""
    pieces = [part.piece for part in parts]
    if code not in (ADD, MUL) or pieces[0][-1][0] == code or pieces[1][-1][0] == code:
        return pieces
    constants_last = code == ADD
    return sorted(pieces, key=lambda piece: ((piece[-1][0] in (CONSTANT, OPEN)) == constants_last, len(piece), piece))


def _is_better(given: Piece, written: Piece, reciprocal_cost: int) -> bool:
    """Whether the tree as given has fewer nodes, or clearly fewer digits: sqrt(2*x + 3)."""
    given_nodes, given_digits = cost(given)
    nodes, digits = cost(written)
    given_nodes += reciprocal_cost * sum(code == POWI and power < 0 for code, power, _ in given)
    nodes += reciprocal_cost * sum(code == POWI and power < 0 for code, power, _ in written)
    return (given_nodes, given_digits + _FEW_DIGITS) < (nodes, digits)
