"""Centred polynomials: far from zero, x^4 - 1804.867*x^3 + ... says little; (x - 451.2)^4 + ... says where it turns.

The form is the same family with the same number of constants, which need fewer digits and can be read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.refit import FitData
from scalesr.expr.expression import Expression, apply, constant, join, variable
from scalesr.expr.fitting import Fit
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ADD, MUL, NEG, POWI, SUB, VARIABLE

Floats = NDArray[np.float64]

FAR_FROM_ZERO = 5.0  # standard deviations from zero to the mean of a column
DEGREES = (2, 3, 4)  # that have a centred form with as many constants
AS_GOOD = 1 + 1e-3  # times the residual of the law as it was: far from zero, rounding is felt


class _Part(NamedTuple):
    """A part of a formula and, where it is a polynomial in one column, that column and the polynomial."""

    expr: Expression
    column: int | None = None  # None: a number, or no polynomial
    polynomial: Polynomial | None = None


def centred(done: Fit, rows: FitData) -> Fit:
    """The law with polynomials of columns that are far from zero about their centres, if it is as good and shorter."""
    means, deviations = rows.data.table.mean(axis=0), rows.data.table.std(axis=0)
    far = frozenset(np.flatnonzero(np.abs(means) > FAR_FROM_ZERO * deviations).tolist())
    if not far.intersection(done.expression.variables) or done.skeleton.n_nodes > EVIDENCE.quickly_shortened:
        return done
    written = rewritten(done.expression, far)
    if written.n_nodes >= done.expression.n_nodes or len(written.constants) > len(done.constants):
        return done
    again = rows.fit(written.skeleton(), start=written.constants)
    is_as_good = again.ok and again.rank == len(again.constants) and again.rss <= done.rss * AS_GOOD
    return again if is_as_good else done


def rewritten(expr: Expression, far: frozenset[int]) -> Expression:
    """The closed formula with its largest polynomials in each of some columns about their centres."""

    def leaf(leaf: Leaf) -> _Part:
        if leaf.code == VARIABLE:
            return _Part(variable(leaf.index), leaf.index, Polynomial([0.0, 1.0]) if leaf.index in far else None)
        return _Part(constant(leaf.value), None, Polynomial([leaf.value]))

    def node(node: Node, parts: list[_Part]) -> _Part:
        whole = _joined(node, parts)
        if whole is not None:
            column = next((part.column for part in parts if part.column is not None), None)
            return _Part(join(node.code, [part.expr for part in parts], power=node.power), column, whole)
        return _Part(join(node.code, [_about_its_centre(part) for part in parts], power=node.power))

    return _about_its_centre(fold(expr, leaf, node))


def _joined(node: Node, parts: list[_Part]) -> Polynomial | None:
    """The polynomial that a node makes of its operands; None where it is none, too long or in two columns."""
    given = [part.polynomial for part in parts if part.polynomial is not None]
    if len(given) < len(parts) or len({part.column for part in parts} - {None}) > 1:
        return None
    if node.code == POWI and not 0 < node.power <= max(DEGREES):
        return None
    ways: dict[int, Callable[[], Polynomial]] = {
        ADD: lambda: given[0] + given[1],
        SUB: lambda: given[0] - given[1],
        MUL: lambda: given[0] * given[1],
        NEG: lambda: -given[0],
        POWI: lambda: given[0] ** node.power,
    }
    made = ways[node.code]() if node.code in ways else None
    return made if made is not None and made.degree() <= max(DEGREES) else None


def _about_its_centre(part: _Part) -> Expression:
    """a*((x - h)^n + b*(x - k)^(n - 2) + c) for a polynomial of degree n, which is what it was otherwise."""
    if part.polynomial is None or part.column is None:
        return part.expr
    degree, a = part.polynomial.degree(), float(part.polynomial.coef[-1])
    if degree not in DEGREES or a == 0:
        return part.expr
    h = -float(part.polynomial.coef[-2]) / (degree * a)
    shifted = (part.polynomial(Polynomial([h, 1.0])) / a).coef
    rest = float(shifted[0])
    whole = apply("powi", _minus(part.column, h), power=degree)
    if degree > 2:
        b, slope = float(shifted[degree - 2]), float(shifted[degree - 3])
        if b == 0:
            return part.expr
        k = h - slope / ((degree - 2) * b)
        rest = 0.0 if degree == 3 else rest - slope**2 / (4 * b)
        power = _minus(part.column, k) if degree == 3 else apply("powi", _minus(part.column, k), power=2)
        whole = apply("+", whole, apply("*", constant(b), power))
    whole = apply("+", whole, constant(rest)) if rest else whole
    return whole if a == 1 else apply("*", constant(a), whole)


def _minus(column: int, centre: float) -> Expression:
    return apply("-", variable(column), constant(centre))
