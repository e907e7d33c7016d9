"""A target as a sum of functions of one and of two columns, by least squares over products of polynomials.

First all pairs with few functions each, to see which of them matter; then those that do with more. The part of a pair
is a matrix of coefficients, and its singular vectors are the functions whose products it is the sum of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.stats import chi2

from scalesr.reduce.anova.config import ANOVA

Floats = NDArray[np.float64]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A function of one column, as a sum of Legendre polynomials."""

    column: int
    coefficients: Floats  # (degrees,) from the first on

    def values(self, z: Floats) -> Floats:
        """At points from -1 to 1, the ends of the column's range."""
        return curve_functions(z, len(self.coefficients)) @ self.coefficients


@dataclass(frozen=True, slots=True, eq=False)
class Decomposition:
    """Curves of single columns, and products of two curves of interacting ones."""

    singles: tuple[Curve, ...]
    products: tuple[tuple[Curve, Curve], ...]
    unexplained: float  # share of the variance


def decomposed(columns: Floats, y: Floats) -> Decomposition | None:
    """The decomposition of a target (rows,) over columns (variables, rows); None where rows are too few for it."""
    low, high = columns.min(axis=1, keepdims=True), columns.max(axis=1, keepdims=True)
    z = 2 * (columns - low) / np.where(high > low, high - low, 1.0) - 1
    every = list(combinations(range(len(columns)), 2))
    n_most = len(y) / ANOVA.rows_per_function
    if len(columns) * ANOVA.first_singles + comb(len(columns), 2) * ANOVA.first_pairs**2 > n_most:
        return None
    first = _Solved.of(z, y, every, ANOVA.first_singles, ANOVA.first_pairs)
    ranked = sorted(first.significant(), key=lambda pair: -first.strength[pair])
    n_bearable = int((n_most - ANOVA.singles * len(columns)) / ANOVA.pairs**2)
    second = _Solved.of(z, y, ranked[: max(n_bearable, 0)], ANOVA.singles, ANOVA.pairs)
    singles = tuple(Curve(j, second.single(j)) for j in range(len(columns)))
    products = tuple(product for pair in second.significant() for product in second.products(pair))
    return Decomposition(singles, products, second.unexplained)


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """Coefficients of polynomials of single columns and of products of pairs."""

    n_columns: int
    pairs: Sequence[Pair]
    n_single: int
    n_pair: int
    coefficients: Floats
    strength: dict[Pair, float]  # chi-square statistic of each pair's coefficients
    unexplained: float

    @classmethod
    def of(cls, z: Floats, y: Floats, pairs: Sequence[Pair], n_single: int, n_pair: int) -> _Solved:
        functions = [curve_functions(column, n_single) for column in z]
        parts = [np.ones((len(y), 1)), *functions]
        for i, j in pairs:
            both = functions[i][:, :n_pair, np.newaxis] * functions[j][:, np.newaxis, :n_pair]
            parts.append(both.reshape(len(y), -1))
        design = np.hstack(parts)
        goal = (y - y.mean()) / (float(y.std()) or 1.0)
        products = design.T @ design
        products[np.diag_indices(len(products))] += ANOVA.ridge * len(y)
        factor = cho_factor(products, lower=True, check_finite=False)
        found = cho_solve(factor, design.T @ goal, check_finite=False)
        left = goal - design @ found
        variance = float(left @ left) / max(len(y) - design.shape[1], 1)
        inverse = cho_solve(factor, np.eye(len(products)), check_finite=False)
        strength = {}
        for place, pair in enumerate(pairs):
            own = _places(place, len(z) * n_single, n_pair)
            strength[pair] = float(found[own] @ np.linalg.solve(inverse[own, own], found[own])) / variance
        return cls(len(z), pairs, n_single, n_pair, found, strength, float(left @ left) / len(y))

    def significant(self) -> list[Pair]:
        """Pairs whose coefficients are significant by the chi-square test."""
        bar = float(chi2.isf(ANOVA.unlikely_pair / max(len(self.pairs), 1), self.n_pair**2))
        return [pair for pair in self.pairs if self.strength[pair] > bar]

    def single(self, column: int) -> Floats:
        start = 1 + column * self.n_single
        return self.coefficients[start : start + self.n_single]

    def products(self, pair: Pair) -> list[tuple[Curve, Curve]]:
        """Curves whose products make up the part of a pair."""
        own = _places(list(self.pairs).index(pair), self.n_columns * self.n_single, self.n_pair)
        left, sizes, right = np.linalg.svd(self.coefficients[own].reshape(self.n_pair, self.n_pair))
        kept = np.flatnonzero(sizes > ANOVA.faint_product * sizes[0])
        return [(Curve(pair[0], left[:, k]), Curve(pair[1], right[k])) for k in kept.tolist()]


def _places(place: int, n_singles: int, n_pair: int) -> slice:
    """Where the coefficients of a pair stand."""
    start = 1 + n_singles + place * n_pair**2
    return slice(start, start + n_pair**2)


def curve_functions(z: Floats, degree: int) -> Floats:
    """Legendre polynomials without the constant, of mean square 1 over the range, (rows, degree)."""
    return np.asarray(legvander(z, degree)[:, 1:] * np.sqrt(2 * np.arange(1, degree + 1) + 1))
