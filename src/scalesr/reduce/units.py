"""Units: a complete set of dimensionless groups of the columns, and a product with the target's dimension.

By Buckingham's theorem a law without constants that carry units is such a product times a function of the groups.
Exponents are found exactly, by elimination with fractions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as every

import numpy as np

from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.records.dataset import Dataset
from scalesr.records.dimensions import Dimensions
from scalesr.reduce.config import REDUCE
from scalesr.reduce.reduction import ONE, Transformation

Powers = tuple[Fraction, ...]  # of the columns

SHIFTS = (-1, 0, 1)


@dataclass(frozen=True, slots=True)
class DimensionlessGroups:
    """Dimensionless groups of columns, and a product of columns with the dimension of the target."""

    groups: tuple[Powers, ...]  # whole powers
    factor: Powers


def groups_of(dimensions: Dimensions) -> DimensionlessGroups | None:
    """The groups of a table; None where no product of its columns has the target's dimension."""
    matrix = [[one[base] for one in dimensions.columns] for base in range(len(dimensions.bases))]
    pivots, rows, target = _reduced(matrix, list(dimensions.target))
    if any(target[len(pivots) :]):
        return None
    n_columns = len(dimensions.columns)
    factor = [Fraction(0)] * n_columns
    for row, column in enumerate(pivots):
        factor[column] = target[row]
    free = [column for column in range(n_columns) if column not in pivots]
    groups = [_whole(_null_vector(column, pivots, rows, n_columns)) for column in free]
    return DimensionlessGroups(tuple(_shortest(groups)), tuple(factor))


def dimensionless(data: Dataset) -> Transformation | None:
    """The transformation to dimensionless groups; None where there is none, or where no group would be left."""
    dimensions = data.dimensions
    if dimensions is None or not any(any(one) for one in (*dimensions.columns, dimensions.target)):
        return None
    found = groups_of(dimensions)
    if found is None or not found.groups or len(found.groups) == data.n_variables:
        return None
    factor = _steadiest(data, found)
    new = tuple(monomial(powers, dimensions) for powers in found.groups)
    return Transformation(tuple(range(data.n_variables)), new, monomial(factor, dimensions), 0.0)


def only_product(data: Dataset) -> Expression | None:
    """The one product of columns that has the target's dimension, where no dimensionless group exists."""
    dimensions = data.dimensions
    found = None if dimensions is None else groups_of(dimensions)
    if dimensions is None or found is None or found.groups or not any(found.factor):
        return None
    return monomial(found.factor, dimensions)


def monomial(powers: Powers, dimensions: Dimensions) -> Expression:
    """A product of powers of columns, with the number that makes it one of base units."""
    above = [_power(column, power) for column, power in enumerate(powers) if power > 0]
    below = [_power(column, -power) for column, power in enumerate(powers) if power < 0]
    scale = math.prod(dimensions.scale(column) ** float(power) for column, power in enumerate(powers))
    if not math.isclose(scale, 1.0, rel_tol=1e-12):
        above = [constant(scale), *above]
    top = _joined(above) if above else ONE
    return top if not below else apply("/", top, _joined(below))


def _joined(parts: Sequence[Expression]) -> Expression:
    whole = parts[0]
    for part in parts[1:]:
        whole = apply("*", whole, part)
    return whole


def _power(column: int, power: Fraction) -> Expression:
    base = variable(column)
    if power == 1:
        return base
    if power == Fraction(1, 2):
        return apply("sqrt", base)
    if power.denominator == 1:
        return apply("powi", base, power=int(power))
    return apply("^", base, constant(float(power)))


def _steadiest(data: Dataset, found: DimensionlessGroups) -> Powers:
    """Of the products with the target's dimension the one by which the target varies least, the simplest of equals."""
    sizes = np.abs(data.columns)
    if (sizes == 0).any() or (data.y == 0).any() or len(found.groups) > REDUCE.most_groups:
        return _simplest(found)
    logs, goal = np.log(sizes), np.log(np.abs(data.y))

    def range_of(powers: Powers) -> float:
        left = goal - np.array([float(power) for power in powers]) @ logs
        return float(np.quantile(left, 0.9) - np.quantile(left, 0.1)) + 1e-3 * _length(powers)

    return min(_products(found), key=range_of)


def _simplest(found: DimensionlessGroups) -> Powers:
    if len(found.groups) > REDUCE.most_groups:
        return found.factor
    return min(_products(found), key=_length)


def _products(found: DimensionlessGroups) -> list[Powers]:
    """The product and what it becomes by multiplication with groups."""
    products = []
    for shifts in every(SHIFTS, repeat=len(found.groups)):
        powers = list(found.factor)
        for shift, group in zip(shifts, found.groups, strict=True):
            powers = [one + shift * two for one, two in zip(powers, group, strict=True)]
        products.append(tuple(powers))
    return products


def _reduced(
    matrix: list[list[Fraction]], target: list[Fraction]
) -> tuple[list[int], list[list[Fraction]], list[Fraction]]:
    """The equations matrix * powers = target in reduced echelon form: columns of the pivots, rows, right side."""
    rows, right = [list(row) for row in matrix], list(target)
    pivots: list[int] = []
    for column in range(len(rows[0]) if rows else 0):
        place = next((r for r in range(len(pivots), len(rows)) if rows[r][column]), None)
        if place is None:
            continue
        here = len(pivots)
        rows[here], rows[place], right[here], right[place] = rows[place], rows[here], right[place], right[here]
        lead = rows[here][column]
        rows[here], right[here] = [one / lead for one in rows[here]], right[here] / lead
        for r in range(len(rows)):
            if r != here and (factor := rows[r][column]):
                rows[r] = [one - factor * two for one, two in zip(rows[r], rows[here], strict=True)]
                right[r] -= factor * right[here]
        pivots.append(column)
    return pivots, rows, right


def _null_vector(column: int, pivots: Sequence[int], rows: Sequence[Sequence[Fraction]], width: int) -> Powers:
    """Powers without a dimension, with the power 1 of one column that is not a pivot."""
    powers = [Fraction(0)] * width
    powers[column] = Fraction(1)
    for row, pivot in enumerate(pivots):
        powers[pivot] = -rows[row][column]
    return tuple(powers)


def _whole(powers: Powers) -> Powers:
    """The same group with whole powers, the smallest."""
    most = math.lcm(*(power.denominator for power in powers))
    scaled = [power * most for power in powers]
    least = math.gcd(*(int(power) for power in scaled))
    return tuple(power / least for power in scaled)


def _shortest(groups: Sequence[Powers]) -> list[Powers]:
    """Groups that are as simple, by multiplying them with each other while that makes one shorter."""
    found = list(groups)
    for _ in range(len(found) ** 2):
        changed = False
        for i, j in every(range(len(found)), repeat=2):
            for sign in (-1, 1):
                other = tuple(one + sign * two for one, two in zip(found[i], found[j], strict=True))
                if i != j and _length(other) < _length(found[i]):
                    found[i], changed = other, True
        if not changed:
            break
    return found


def _length(powers: Powers) -> float:
    return float(sum(abs(power) for power in powers))
