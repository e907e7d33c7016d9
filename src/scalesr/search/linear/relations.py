"""Exact relations y sum b_j m_j = sum a_i m_i between monomials: the null vectors of one matrix.

The columns m and y m are taken in order of simplicity. One that lies in the span of those before it
ends a relation, and the first such relation is as simple as can be: its multiples need later columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dtrtri

from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.monomials import Exponents, monomial_values

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Term:
    """A monomial with its coefficient, and the length of its column in the relation."""

    exponents: Exponents
    coefficient: float
    length: float


@dataclass(frozen=True, slots=True)
class LinearRelation:
    """y times the sum below is the sum above."""

    above: tuple[Term, ...]
    below: tuple[Term, ...]

    @property
    def is_law(self) -> bool:
        """Whether it says what y is."""
        return bool(self.above) and bool(self.below)

    def shorter(self) -> Iterator[LinearRelation]:
        """The relation without each of its terms."""
        for term in self.above:
            yield LinearRelation(tuple(one for one in self.above if one is not term), self.below)
        for term in self.below:
            yield LinearRelation(self.above, tuple(one for one in self.below if one is not term))


def exact_relations(exponents: tuple[Exponents, ...], columns: Floats, y: Floats) -> Iterator[LinearRelation]:
    """Relations that hold up to rounding; there have to be more rows than twice the monomials."""
    monomials = monomial_values(exponents, columns)
    with np.errstate(all="ignore"):
        table = np.stack([monomials, monomials * y], axis=1).reshape(-1, len(y))  # m, y m, m, y m, ...
        sizes = np.sqrt((table**2).sum(axis=1))
    usable = np.flatnonzero(np.isfinite(sizes) & (sizes > 0))
    triangle = np.asarray(np.linalg.qr((table[usable] / sizes[usable, np.newaxis]).T, mode="r"), np.float64)
    is_end = np.abs(np.diag(triangle)) < LINEAR.rounding_rest
    n_looks = 0
    for end in np.flatnonzero(is_end).tolist():
        before = np.flatnonzero(~is_end[:end])
        terms, weights = _sparse(triangle, before, end)
        originals = usable[[*terms, end]]
        if not (originals % 2).any():
            continue  # the monomials themselves depend on each other on these rows
        n_looks += 1
        if 0 < len(terms) <= LINEAR.relation_terms:
            yield _relation(exponents, originals, np.array([*weights, -1.0]), sizes[originals])
        if n_looks == LINEAR.max_ends:
            return


def _sparse(triangle: Floats, terms: Integers, end: int) -> tuple[Integers, Floats]:
    """The columns that a dependent one needs, and their weights; none if it needs many small ones together."""
    goal = triangle[: end + 1, end]
    for _ in range(LINEAR.relation_rounds):
        q, r = np.linalg.qr(triangle[: end + 1, terms])
        inverse = dtrtri(r)[0]
        weights = inverse @ (q.T @ goal)
        left = goal - triangle[: end + 1, terms] @ weights
        if np.sqrt(left @ left) > 10 * LINEAR.rounding_rest:
            return terms[:0], weights[:0]
        worth = np.abs(weights) / np.sqrt((inverse**2).sum(axis=1))
        if worth.min(initial=1.0) >= LINEAR.relation_share:
            return terms, weights
        terms = terms[worth >= LINEAR.relation_share]
        if len(terms) == 0:
            break
    return terms[:0], np.empty(0)


def _relation(exponents: tuple[Exponents, ...], places: Integers, weights: Floats, sizes: Floats) -> LinearRelation:
    """The relation between columns of given sizes; `weights` belong to columns of size one."""
    signs = np.where(places % 2, 1.0, -1.0)
    numbers = zip(places.tolist(), (signs * weights / sizes).tolist(), np.abs(weights).tolist(), strict=True)
    terms = [(place % 2, Term(exponents[place // 2], weight, length)) for place, weight, length in numbers]
    return LinearRelation(tuple(term for is_y, term in terms if not is_y), tuple(term for is_y, term in terms if is_y))
