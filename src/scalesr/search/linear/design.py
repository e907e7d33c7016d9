"""Design: the columns of a linear problem on thinned rows, and what a sum of some of them leaves and needs.

Group g has lines of its own; shorter groups are filled up with zeros, which change no sum. A
support is a tuple of terms in ascending order; terms are numbered as in the library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dtrtri

from scalesr.evidence.criterion import EXACT, constants_length, structure_length
from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.expression import Expression, apply, open_constant
from scalesr.records.sweep import Sweep
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.library import Library, has_values

Floats = NDArray[np.float64]
Support = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Terms as columns of length one in each group, the rows turned into as few as do not change any sum of squares."""

    terms: tuple[Expression, ...]  # the constant first
    degrees: NDArray[np.int64]  # (terms,) of monomials, -1 for all else
    n_variables: NDArray[np.int64]  # (terms,)
    columns: Floats  # (groups, terms, rows)
    present: Floats  # (groups, terms) 1 or, for a term that is 0 throughout a group, 0
    y: Floats  # (groups, rows)
    lengths: Floats  # (terms,) description length of a term and its coefficients
    n_rows: int  # of all groups together
    noise: float | None
    scale: float  # of y

    def data_length(self, rss: Floats | float) -> Floats:
        """As in the criterion, for many residuals at once."""
        floor = (EXACT * self.scale) ** 2
        left = np.maximum(rss, 0.0)
        if self.noise is not None and self.noise**2 > floor:
            return np.asarray(left / (2 * self.noise**2))
        smallest = np.finfo(np.float64).tiny  # the squares of y below 1e-150 vanish
        return np.asarray(0.5 * self.n_rows * np.log(np.maximum(left / self.n_rows + floor, smallest)))

    def length(self, support: Support, rss: float) -> float:
        """Description length of a sum."""
        return float(self.lengths[list(support)].sum() + self.data_length(rss))

    def skeleton(self, support: Support) -> Expression:
        """The sum with an open coefficient for every term."""
        total: Expression | None = None
        for place in sorted(support, key=lambda one: (one == 0, one)):
            term = apply("*", open_constant(), self.terms[place]) if place else open_constant()
            total = term if total is None else apply("+", total, term)
        return open_constant() if total is None else total


def make_design(sweep: Sweep, library: Library, n_rows: int | None = None) -> Design:
    """Columns on `n_rows` rows of each group, or on as many as the number of terms allows."""
    n_groups = min(sweep.n_groups, LINEAR.max_groups)
    n_rows = n_rows or max(LINEAR.design_values // (len(library.terms) * n_groups), LINEAR.min_group_rows)
    thin = sweep.thinned(n_groups, n_rows)
    values = evaluate_many(library.terms, thin.columns.T)
    kept = np.flatnonzero(has_values(values))
    terms = tuple(library.terms[place] for place in kept)
    weighed, target = thin.weighed(values[kept]), thin.weighed(thin.y)[np.newaxis]
    columns, y = _turned(_unit(_by_group(weighed, thin)), _by_group(target, thin)[:, 0])
    per_term = constants_length(1, thin)
    symbols = structure_length(apply("+", open_constant(), apply("*", open_constant(), open_constant())))
    lengths = [per_term + structure_length(term) + symbols for term in terms]
    return Design(
        terms,
        library.degrees[kept],
        library.n_variables[kept],
        columns,
        columns.any(axis=-1).astype(float),
        y,
        np.array([per_term, *lengths[1:]]),
        thin.n_rows,
        thin.noise,
        thin.scale,
    )


def _by_group(values: Floats, sweep: Sweep) -> Floats:
    """Lines (terms, rows) as (groups, terms, rows of the longest group)."""
    sizes = np.diff(sweep.row_starts)
    parts = np.zeros((sweep.n_groups, len(values), int(sizes.max())))
    for group, size in enumerate(sizes.tolist()):
        start = sweep.row_starts[group]
        parts[group, :, :size] = values[:, start : start + size]
    return parts


def _unit(columns: Floats) -> Floats:
    largest = np.abs(columns).max(axis=-1, keepdims=True)
    columns = columns / np.where(largest > 0, largest, 1.0)
    norms = np.sqrt((columns**2).sum(axis=-1, keepdims=True))
    return np.asarray(columns / np.where(norms > 0, norms, 1.0))


def _turned(columns: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The same lengths and angles in fewer rows, where there are many more rows than columns."""
    if columns.shape[2] <= 2 * columns.shape[1]:
        return columns, y
    together = np.concatenate([columns, y[:, np.newaxis]], axis=1)
    turned = np.asarray(np.linalg.qr(together.transpose(0, 2, 1), mode="r"), np.float64).transpose(0, 2, 1)
    return np.ascontiguousarray(turned[:, :-1]), turned[:, -1]


@dataclass(frozen=True, slots=True, eq=False)
class Basis:
    """The least-squares sum over a support."""

    support: Support  # without terms that the others make superfluous, the simple ones first
    q: Floats  # (groups, rows, terms) orthonormal, zero for a term that is linearly dependent in a group
    r: Floats  # (groups, terms, terms) the triangle that turns q into the columns
    along: Floats  # (groups, terms) y along q
    residual: Floats  # (groups, rows)
    rss: float


def basis(design: Design, support: Support) -> Basis:
    """Orthonormalise the columns of a support, the simple terms first: of collinear ones those stay."""
    ordered = tuple(sorted(support, key=lambda term: (design.lengths[term], term)))
    return _orthonormal(ordered, design.columns[:, ordered].transpose(0, 2, 1), design.y, 0.0)


def _orthonormal(support: Support, columns: Floats, y: Floats, rss: float) -> Basis:
    """Basis of columns (groups, rows, terms) for y (groups, rows); `rss` is what lies outside of these rows."""
    q, r = _triangular(columns)
    is_news = np.abs(np.diagonal(r, axis1=1, axis2=2)) > LINEAR.linearly_dependent
    is_needed = np.zeros(len(support), bool)
    is_needed[: is_news.shape[1]] = is_news.any(axis=0)  # there may be fewer rows than terms
    if not is_needed.all():
        return _orthonormal(tuple(np.array(support)[is_needed].tolist()), columns[:, :, is_needed], y, rss)
    q = q * is_news[:, np.newaxis]
    r = np.where(is_news[:, :, np.newaxis], r, np.eye(len(support)))
    along = _dot(q, y)
    residual = y - _combine(q, along)
    again = _dot(q, residual)  # what rounding has left
    residual = residual - _combine(q, again)
    return Basis(support, q, r, along + again, residual, rss + float((residual**2).sum()))


def _triangular(columns: Floats) -> tuple[Floats, Floats]:
    """The QR decomposition; columns that are triangular already have it for nothing."""
    height, width = columns.shape[1:]
    if height >= width and not np.tril(columns, -1).any():
        return np.broadcast_to(np.eye(height, width), columns.shape), columns[:, :width]
    q, r = np.linalg.qr(columns)
    return np.asarray(q), np.asarray(r)


def without(found: Basis, places: Sequence[int]) -> Basis:
    """The sum that is left when the terms at some places of the support are taken out."""
    kept = np.delete(np.arange(len(found.support)), places)
    support = tuple(found.support[place] for place in kept)
    return _orthonormal(support, found.r[:, :, kept], found.along, found.rss)


def gains(design: Design, found: Basis) -> Floats:
    """By how much the sum of squares falls when each term is added to a sum, (terms,)."""
    inside = design.columns @ found.q  # (groups, terms, basis)
    outside = design.present - (inside**2).sum(axis=-1)
    along = (design.columns @ found.residual[..., np.newaxis])[..., 0]
    fall = np.divide(along**2, outside, out=np.zeros_like(along), where=outside > LINEAR.linearly_dependent_square)
    return np.asarray(fall.sum(axis=0))


def losses(found: Basis) -> Floats:
    """By how much the sum of squares grows when each term of the support is taken out, (basis,)."""
    inverse = np.stack([dtrtri(triangle)[0] for triangle in found.r])  # row by row as exact as the rows' own sizes
    coefficients = _combine(inverse, found.along)
    variances = (inverse**2).sum(axis=2)
    return np.asarray((coefficients**2 / variances).sum(axis=0))


def _dot(columns: Floats, y: Floats) -> Floats:
    return np.asarray(np.einsum("gnk,gn->gk", columns, y))


def _combine(columns: Floats, coefficients: Floats) -> Floats:
    return np.asarray(np.einsum("gnk,gk->gn", columns, coefficients))
