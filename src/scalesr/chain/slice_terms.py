"""Slice terms: the functions of one variable that the curves over it are sums of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.config import CHAIN
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant, join, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ADD, COS, DIV, MUL, NEG, POWI, SIN, SUB, VARIABLE
from scalesr.records.skeleton import Skeleton

Floats = NDArray[np.float64]


class _Sum(NamedTuple):
    """A formula and the terms it is the sum of, without their coefficients."""

    whole: Expression
    terms: list[Expression]


def terms_of(skeleton: Skeleton) -> list[Expression]:
    """Closed functions of variable 0 whose sums, with coefficients of their own, describe every group.

    Constants inside functions have to agree between the groups; where a phase does not, sine and
    cosine stand for it, and where a shift under a power does not, all lower powers do. Terms with
    other constants that differ are left out.
    """
    if not np.isfinite(skeleton.constants).all():
        return []
    groups = [_decomposed(skeleton.in_group(group)).terms for group in range(len(skeleton.constants))]
    found = [term for copies in zip(*groups, strict=True) for term in _common(copies)]
    return [term for term in dict.fromkeys(found) if term.variables]


def _common(copies: Sequence[Expression]) -> list[Expression]:
    """The same term in all groups as functions without a free inner constant."""
    values = np.array([copy.constants for copy in copies])
    centre = np.median(values, axis=0)
    unstable = np.ptp(values, axis=0) > CHAIN.stable_constant * np.abs(centre)
    if not unstable.any():
        return [_bound(copies[0], centre)]
    base = _decomposed(_argument(copies[0])) if copies[0].codes[-1] in (SIN, COS, POWI) else None
    if base is None or [str(term) for term in base.terms] != ["x0"]:
        return []
    if copies[0].codes[-1] == POWI:
        power = int(copies[0].args[-1])
        return [_power(k) for k in range(1, power + 1)] if 1 < power <= CHAIN.max_power else []
    rates = np.abs([_rate(_argument(copy)) for copy in copies])
    if np.ptp(rates) > CHAIN.stable_constant * np.median(rates):
        return []
    return [_bound(apply(name, apply("*", constant(1.0), variable(0))), rates[:1]) for name in ("sin", "cos")]


def _rate(line: Expression) -> float:
    """The slope of a straight line."""
    low, high = evaluate(line, np.array([[0.0], [1.0]]))
    return float(high - low)


def _argument(term: Expression) -> Expression:
    """The operand of a function at the root."""
    return Expression(term.codes[:-1], term.args[:-1], term.constants)


def _power(exponent: int) -> Expression:
    return variable(0) if exponent == 1 else apply("powi", variable(0), power=exponent)


def _bound(term: Expression, values: Floats) -> Expression:
    """A term with its inner constants, those near a multiple of one half made exact, factors of 1 left out."""
    near = np.round(2 * values) / 2
    chosen = np.where((np.abs(values - near) <= CHAIN.nice_constant * np.abs(near)) & (near != 0), near, values)
    return _without_units(term.skeleton().bind(chosen))


def _without_units(expr: Expression) -> Expression:
    def leaf(leaf: Leaf) -> Expression:
        return variable(leaf.index) if leaf.code == VARIABLE else constant(leaf.value)

    def node(node: Node, operands: list[Expression]) -> Expression:
        if node.code == MUL:
            for unit, other in (operands, operands[::-1]):
                if not unit.variables and len(unit.constants) == 1 and unit.n_nodes == 1 and unit.constants[0] == 1.0:
                    return other
        return join(node.code, operands, power=node.power)

    return fold(expr, leaf, node)


def _decomposed(closed: Expression) -> _Sum:
    """A closed formula as a sum."""

    def leaf(leaf: Leaf) -> _Sum:
        whole = variable(leaf.index) if leaf.code == VARIABLE else constant(leaf.value)
        return _Sum(whole, [whole])

    def node(node: Node, operands: list[_Sum]) -> _Sum:
        whole = join(node.code, [one.whole for one in operands], power=node.power)
        first, last = operands[0], operands[-1]
        if node.code in (ADD, SUB):
            return _Sum(whole, [*first.terms, *last.terms])
        if node.code == NEG or (node.code in (MUL, DIV) and not last.whole.variables):
            return _Sum(whole, first.terms)
        if node.code == MUL and not first.whole.variables:
            return _Sum(whole, last.terms)
        if node.code == DIV and not first.whole.variables:
            return _Sum(whole, [join(POWI, [last.whole], power=-1)])
        return _Sum(whole, [whole])

    found = fold(closed, leaf, node)
    return _Sum(found.whole, [term for term in found.terms if term.variables])
