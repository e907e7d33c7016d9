"""Atoms: terms that are not products of columns, with a constant inside, and the values at which it is looked for.

They are what textbooks' laws of motion are made of besides products: saturation 1/(k + x^n), waves,
exponentials, logarithms, hyperbolic tangents, roots, reciprocals and powers of a distance, each with a
factor of a few columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.weak.library import monomials, product
from scalesr.expr.expression import Expression, apply, constant, open_constant, variable
from scalesr.expr.operators import Operators

Floats = NDArray[np.float64]

HILL_POWERS = (1, 2, 3, 4)  # cooperativity in biochemistry
SATURATION = (0.15, 0.35, 0.7, 1.4, 3.0)  # of a column's usual size: where a saturation is half way
RATES = (0.25, 0.5, 1.0, 2.0, 4.0)  # per standard deviation of a column
RATIOS = (-2.0, -1.0, -0.5, 0.5, 1.0, 2.0)  # of the two inner factors in a function of a sum
MOST_FOLDS = 8.0  # by which an exponential grows over the range of a column; a steeper one sees a few points alone
APART = 1e-3  # of a column's largest size: nearer to 0 nothing is divided by it
MOST_COLUMNS = 5  # with more columns there are no functions of two of them, and factors are single columns


@dataclass(frozen=True, slots=True, eq=False)
class LibraryTerm:
    """A term with open inner constants, and values to begin with."""

    skeleton: Expression
    starts: Floats  # (values, inner constants)

    def bound(self) -> list[Expression]:
        """The term with each of the values."""
        return [self.skeleton.bind(row) for row in self.starts] if self.skeleton.n_open else [self.skeleton]


def atoms(table: Floats, columns: Sequence[int], operators: Operators) -> list[LibraryTerm]:
    """Atoms of some columns of a table (points, columns), as far as the operators allow them."""
    few = len(columns) <= MOST_COLUMNS
    factors = {"short": monomials(columns, 1), "long": monomials(columns, 2 if few else 1)}
    found = [atom for j in columns for atom in _of_one(table[:, j], j, factors)]
    if few:
        found += [atom for i, j in combinations(columns, 2) for atom in _of_two(table, i, j, factors["short"])]
    return [atom for atom in found if operators.can_write(atom.skeleton.codes.tolist())]


def _of_one(x: Floats, j: int, factors: dict[str, list[Expression]]) -> Iterator[LibraryTerm]:
    """Functions of one column."""
    size, deviation = float(np.median(np.abs(x))), float(x.std())
    rates = np.array(RATES)[:, np.newaxis] / deviation
    waves = np.vstack([rates, [[1.0], [2.0]]])  # angles are angles in most laws
    own, scaled = variable(j), apply("*", open_constant(), variable(j))
    is_positive, is_apart = bool((x >= 0).all()), bool(np.abs(x).min() > APART * np.abs(x).max())
    for power in HILL_POWERS:
        if is_positive or power % 2 == 0:
            levels = (np.array(SATURATION)[:, np.newaxis] * size) ** power
            below = apply("+", open_constant(), product([j] * power))
            yield from (LibraryTerm(_over(factor, below), levels) for factor in factors["long"])
    mild = rates[rates[:, 0] * np.ptp(x) <= MOST_FOLDS]
    yield from (
        LibraryTerm(_times(factor, apply("exp", scaled)), np.vstack([mild, -mild])) for factor in factors["short"]
    )
    for name in ("sin", "cos"):
        yield from (LibraryTerm(_times(factor, apply(name, scaled)), waves) for factor in factors["short"])
    yield LibraryTerm(apply("tanh", scaled), rates)
    none = np.empty((1, 0))
    if is_positive and is_apart:
        yield from (LibraryTerm(_times(factor, apply(name, own)), none) for name in ("log", "sqrt")
                    for factor in factors["short"])  # fmt: skip
    if is_apart:
        yield from (LibraryTerm(_over(factor, product([j] * power)), none) for power in (1, 2, 3)
                    for factor in factors["long"] if j not in factor.variables)  # fmt: skip


def _of_two(table: Floats, i: int, j: int, factors: list[Expression]) -> Iterator[LibraryTerm]:
    """Functions of two columns: of a sum or a difference, and of their distance from the origin."""
    x, y = table[:, i], table[:, j]
    deviation = float(np.hypot(x.std(), y.std()))
    for name in ("+", "-"):
        inner = apply(name, variable(i), variable(j))
        scaled = np.vstack([np.array(RATES)[:, np.newaxis] / deviation, [[1.0]]])
        for wave in ("sin", "cos"):
            yield LibraryTerm(apply(wave, apply("*", open_constant(), inner)), scaled)
        together = x + y if name == "+" else x - y
        if np.abs(together).min() > APART * np.abs(together).max():
            yield from (LibraryTerm(_over(product(pair), inner), np.empty((1, 0))) for pair in ((i, j), (i, i), (j, j)))
    weighted = apply("+", apply("*", open_constant(), variable(i)), apply("*", open_constant(), variable(j)))
    pairs = [(rate / x.std(), rate * ratio / y.std()) for rate in RATES for ratio in RATIOS]
    yield LibraryTerm(apply("tanh", weighted), np.array(pairs))
    square = apply("+", product([i, i]), product([j, j]))
    if (x**2 + y**2).min() > APART * (x**2 + y**2).max():
        for power in (0.5, 1.5):
            below = apply("^", square, constant(power))
            yield from (LibraryTerm(_over(factor, below), np.empty((1, 0))) for factor in factors)


def _over(factor: Expression, below: Expression) -> Expression:
    return apply("/", factor, below) if factor.variables else apply("powi", below, power=-1)


def _times(factor: Expression, function: Expression) -> Expression:
    return apply("*", factor, function) if factor.variables else function
