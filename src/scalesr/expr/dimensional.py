"""Dimensional analysis of a formula: can its constants be given units so that everything fits together?

The dimension of a part is that of its variables plus that of its constants, which is not known. Terms of a sum
have the same dimension, arguments of functions and exponents have none, and the whole has that of the target:
linear equations for the constants, solved exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from scalesr.expr.expression import Expression
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ABS, ADD, DIV, MAX, MIN, MUL, NEG, POW, POWI, SQRT, SUB, VARIABLE

Exponents = tuple[Fraction, ...]

_ALIKE: Final = (ADD, SUB, MIN, MAX)  # operands and value have one dimension
_LARGEST_POWER: Final = 12  # denominator of an exponent that a quantity with a dimension may have
_NEAR: Final = 1e-9  # of an exponent: how far it may be from a fraction
_SUBSETS: Final = 3  # constants with units that are tried in every combination; more are taken as they come


@dataclass(frozen=True, slots=True)
class Dimensioned:
    """The dimension of a part of a formula: known exponents, and multiples of those of its constants."""

    known: Exponents
    constants: dict[int, Fraction]
    number: float | None = None  # its value, where the part is one constant

    def times(self, power: Fraction) -> Dimensioned:
        """That of a power of the part."""
        constants = {place: power * count for place, count in self.constants.items()}
        return Dimensioned(tuple(power * one for one in self.known), constants)

    def plus(self, other: Dimensioned, sign: int = 1) -> Dimensioned:
        """That of a product or (sign -1) a quotient."""
        constants = dict(self.constants)
        for place, count in other.constants.items():
            constants[place] = constants.get(place, Fraction(0)) + sign * count
        known = tuple(one + sign * two for one, two in zip(self.known, other.known, strict=True))
        return Dimensioned(known, {place: count for place, count in constants.items() if count})


def constant_dimensions(
    expr: Expression, columns: Sequence[Exponents], target: Exponents
) -> tuple[Exponents, ...] | None:  # fmt: skip
    """A dimension for each constant, with as few that are not 1 as possible; None where there is no way.

    Column j has the dimension `columns[j]`. A constant that is an exponent has the dimension 1.
    """
    form = expr if POW in expr.codes else expr.skeleton()  # numbers matter as exponents alone
    return _constant_dimensions(form, tuple(columns), target)


@lru_cache(maxsize=4096)  # many laws have one form
def _constant_dimensions(
    expr: Expression, columns: tuple[Exponents, ...], target: Exponents
) -> tuple[Exponents, ...] | None:  # fmt: skip
    equations = _equations(expr, columns, target)
    n_constants = len(expr.constants)
    zero = (Fraction(0),) * len(target)
    exponents = _exponents(expr)
    free = [place for place in range(n_constants) if place not in exponents]
    everything = _solved(equations, tuple(free), len(target))
    if everything is None:
        return None
    for size in range(min(_SUBSETS, len(free)) + 1):
        for chosen in combinations(free, size):
            if (found := _solved(equations, chosen, len(target))) is not None:
                return tuple(found.get(place, zero) for place in range(n_constants))
    return tuple(everything.get(place, zero) for place in range(n_constants))


def constant_scales(expr: Expression, carriers: Sequence[int], columns: Sequence[float], target: float) -> list[float]:
    """The size in base units of each constant's unit, where column j's unit has the size `columns[j]`.

    `carriers` are the constants that carry units; where these cannot make up for units that do not go together,
    kJ with kg and m/s, the others take their part.
    """
    logs = [(Fraction(math.log(size)),) for size in columns]
    parts = _equations(expr, logs, (Fraction(math.log(target)),))
    right = np.array([-float(part.known[0]) for part in parts])
    free = [place for place in range(len(expr.constants)) if place not in _exponents(expr)]
    scales = [1.0] * len(expr.constants)
    for chosen in (list(carriers), free):
        matrix = np.array([[float(part.constants.get(place, 0)) for place in chosen] for part in parts])
        found = np.linalg.lstsq(matrix, right, rcond=None)[0] if chosen else np.zeros(0)
        if np.abs(matrix @ found - right).max() < _NEAR or chosen == free:
            for place, log in zip(chosen, found.tolist(), strict=True):
                scales[place] = math.exp(log)
            break
    return scales


def _equations(expr: Expression, columns: Sequence[Exponents], target: Exponents) -> list[Dimensioned]:
    """Parts of which each has the dimension 1."""
    zero = (Fraction(0),) * len(target)
    equations: list[Dimensioned] = []

    def leaf(one: Leaf) -> Dimensioned:
        if one.code == VARIABLE:
            return Dimensioned(columns[one.index], {})
        return Dimensioned(zero, {one.index: Fraction(1)}, one.value)

    def node(one: Node, parts: list[Dimensioned]) -> Dimensioned:
        if one.code in _ALIKE:
            equations.append(parts[0].plus(parts[1], -1))
            return Dimensioned(parts[0].known, parts[0].constants)
        if one.code in (MUL, DIV):
            return parts[0].plus(parts[1], 1 if one.code == MUL else -1)
        if one.code in (NEG, ABS):
            return Dimensioned(parts[0].known, parts[0].constants)
        if one.code == POWI:
            return parts[0].times(Fraction(one.power))
        if one.code == SQRT:
            return parts[0].times(Fraction(1, 2))
        if one.code == POW and (power := _fraction(parts[1].number)) is not None:
            return parts[0].times(power)
        equations.extend(parts)  # the argument of a function, or a base and an exponent that is not a plain number
        return Dimensioned(zero, {})

    whole = fold(expr, leaf=leaf, node=node)
    return [*equations, whole.plus(Dimensioned(target, {}), -1)]


def _exponents(expr: Expression) -> set[int]:
    """Constants that are exponents, which are numbers."""
    codes, args = expr.codes.tolist(), expr.args.tolist()
    return {args[k] for k in range(len(codes) - 1) if codes[k + 1] == POW and 0 < codes[k] <= 2}


def _fraction(number: float | None) -> Fraction | None:
    """A number as a fraction of small whole ones, where it is one."""
    if number is None or math.isnan(number):
        return None
    found = Fraction(number).limit_denominator(_LARGEST_POWER)
    return found if abs(float(found) - number) <= _NEAR * max(abs(number), 1.0) else None


def _solved(equations: Sequence[Dimensioned], chosen: Sequence[int], width: int) -> dict[int, Exponents] | None:
    """The dimensions of the chosen constants that solve all equations where the others have none; None: there are none.

    By elimination with fractions; a constant that nothing determines gets the dimension 1.
    """
    rows = [
        [*(part.constants.get(place, Fraction(0)) for place in chosen), *(-one for one in part.known)]
        for part in equations
    ]
    pivots: list[int] = []
    for column in range(len(chosen)):
        place = next((r for r in range(len(pivots), len(rows)) if rows[r][column]), None)
        if place is None:
            continue
        here = len(pivots)
        rows[here], rows[place] = rows[place], rows[here]
        lead = rows[here][column]
        rows[here] = [one / lead for one in rows[here]]
        for r in range(len(rows)):
            if r != here and (factor := rows[r][column]):
                rows[r] = [one - factor * two for one, two in zip(rows[r], rows[here], strict=True)]
        pivots.append(column)
    if any(any(row[len(chosen) :]) for row in rows[len(pivots) :]):
        return None
    zero = (Fraction(0),) * width
    found = {chosen[column]: tuple(rows[r][len(chosen) :]) for r, column in enumerate(pivots)}
    return {place: found.get(place, zero) for place in chosen}
