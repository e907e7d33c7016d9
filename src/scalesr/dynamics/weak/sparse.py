"""Sparse regression on normal equations: the subsets of terms with the shortest description.

A subset costs half its chi-square and a price per term. Terms go in and out one at a time, and change
places, until no such step makes the description shorter; from the empty subset, from the full one and
from the best of every size on the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Subset = frozenset[int]

RIDGE = 1e-11  # of each term's own square: what keeps terms that are nearly the same apart
MOST_TERMS = 14  # of a law that is grown term by term
MOST_SWAPS = 4  # rounds of exchanging one term for another


@dataclass(frozen=True, slots=True, eq=False)
class Normal:
    """Normal equations in units of the noise: chi-square of coefficients c is c'Gc - 2 g'c + total."""

    matrix: Floats  # G, (terms, terms)
    side: Floats  # g, (terms,)
    total: float
    prices: Floats  # (terms,) of having each term, in nats
    fixed: Subset = frozenset()  # terms that every subset has

    @classmethod
    def of(cls, columns: Floats, left: Floats, prices: Floats, fixed: Subset = frozenset()) -> Normal:
        """The equations of columns (rows, terms) and a left side (rows,), both in units of the noise."""
        return cls(columns.T @ columns, columns.T @ left, float(left @ left), prices, fixed)

    @property
    def n_terms(self) -> int:
        return len(self.side)

    def coefficients(self, subset: Iterable[int]) -> Floats:
        """Of a subset, in ascending order of its terms."""
        return self._solved(sorted(subset))[0]

    def chi_square(self, subset: Iterable[int]) -> float:
        places = sorted(subset)
        if not places:
            return self.total
        return max(self.total - float(self.side[places] @ self._solved(places)[0]), 0.0)

    def length(self, subset: Iterable[int]) -> float:
        """Description length in nats, up to what all subsets share."""
        places = sorted(subset)
        return self.chi_square(places) / 2 + float(self.prices[places].sum())

    def _solved(self, places: list[int]) -> tuple[Floats, Floats]:
        """Coefficients of a subset, and the inverse of its part of the matrix."""
        part = self.matrix[np.ix_(places, places)]
        scale = np.sqrt(np.maximum(np.diag(part), 1e-300))
        shaped = part / np.outer(scale, scale) + RIDGE * np.eye(len(places))
        inverse = np.linalg.inv(shaped) / np.outer(scale, scale)
        return inverse @ self.side[places], inverse

    def losses(self, places: list[int]) -> Floats:
        """How much chi-square grows without each term of a subset."""
        found, inverse = self._solved(places)
        return np.asarray(found**2 / np.maximum(np.diag(inverse), 1e-300))

    def gains(self, places: list[int]) -> Floats:
        """How much chi-square falls with each term besides a subset, (terms,); 0 for its own."""
        left, own = self.side.copy(), np.diag(self.matrix).copy()
        scale = own.copy()
        if places:
            found, inverse = self._solved(places)
            cross = self.matrix[:, places]
            left -= cross @ found
            own -= np.einsum("ij,jk,ik->i", cross, inverse, cross, optimize=True)
        alike = own <= 1e-9 * scale  # what the subset can say already
        gained = np.where(alike, 0.0, left**2 / np.where(alike, 1.0, own))
        gained[places] = 0.0
        return np.asarray(gained)


def best_subsets(normal: Normal, n_most: int) -> list[Subset]:
    """Subsets with the shortest descriptions, the best first."""
    tried: dict[Subset, float] = {}
    for subset in (*_grown(normal), *shrunk(normal)):
        tried[subset] = normal.length(subset)
    for start in sorted(tried, key=lambda one: tried[one])[:3]:
        improved = _improved(start, normal)
        tried[improved] = normal.length(improved)
    return sorted(tried, key=lambda one: (tried[one], len(one)))[:n_most]


def shortest(normal: Normal) -> Subset:
    """The best subset on the way from the full one to the empty one: quicker, and often the same."""
    return min([frozenset(range(normal.n_terms)), *shrunk(normal)], key=normal.length)


def _grown(normal: Normal) -> list[Subset]:
    """Subsets of all sizes, each with the term that helps most besides, bad ones of before left out."""
    current, found = set(normal.fixed), []
    for _ in range(min(MOST_TERMS, normal.n_terms - len(current))):
        gains = normal.gains(sorted(current))
        current.add(int(np.argmax(gains - 2 * normal.prices)))
        current = set(_without_idle(frozenset(current), normal))
        found.append(frozenset(current))
    return list(dict.fromkeys(found))


def shrunk(normal: Normal) -> list[Subset]:
    """Subsets of all sizes from the full one, each without the term that is missed least."""
    current, found = sorted(range(normal.n_terms)), []
    while len(current) > max(len(normal.fixed), 1):
        losses = normal.losses(current) - 2 * normal.prices[current]
        losses[[current.index(k) for k in normal.fixed]] = np.inf
        current.pop(int(np.argmin(losses)))
        if len(current) <= MOST_TERMS + len(normal.fixed):
            found.append(frozenset(current))
    return found


def _without_idle(subset: Subset, normal: Normal) -> Subset:
    """The subset without terms that cost more than they explain."""
    current = sorted(subset)
    while len(current) > max(len(normal.fixed), 1):
        losses = normal.losses(current) - 2 * normal.prices[current]
        losses[[current.index(k) for k in normal.fixed]] = np.inf
        if losses.min() >= 0:
            break
        current.pop(int(np.argmin(losses)))
    return frozenset(current)


def _improved(subset: Subset, normal: Normal) -> Subset:
    """The subset after steps that add, leave out or exchange a term, each of which makes the description shorter."""
    best = normal.length(subset)
    for _ in range(MOST_SWAPS * MOST_TERMS):
        trials = [_without_idle(subset, normal)]
        trials.append(subset | {int(np.argmax(normal.gains(sorted(subset)) - 2 * normal.prices))})
        for out in sorted(subset - normal.fixed):
            rest = subset - {out}
            gains = normal.gains(sorted(rest)) - 2 * normal.prices
            gains[out] = -np.inf
            trials.append(rest | {int(np.argmax(gains))})
        lengths = [normal.length(one) for one in trials]
        least = int(np.argmin(lengths))
        if lengths[least] >= best - 1e-9:
            return subset
        subset, best = trials[least], lengths[least]
    return subset
