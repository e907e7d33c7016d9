"""Polynomials in the columns of a table: what a smooth function of them may be, at no cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from scalesr.reduce.config import REDUCE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Polynomials:
    """Polynomials in the columns, by degree; columns are brought to -1 to 1."""

    columns: Floats  # (variables, rows)
    _powers: list[Floats] = field(init=False)  # (rows, max_degree + 1) per variable

    def __post_init__(self) -> None:
        low, high = self.columns.min(axis=1, keepdims=True), self.columns.max(axis=1, keepdims=True)
        scaled = 2 * (self.columns - low) / np.where(high > low, high - low, 1.0) - 1
        object.__setattr__(self, "_powers", [legvander(column, REDUCE.max_degree) for column in scaled])

    def upto(self, degree: int, variables: Sequence[int] | None = None) -> Floats:
        """All products of total degree up to `degree` in some of the variables, (rows, functions)."""
        chosen = range(len(self.columns)) if variables is None else variables
        parts = [np.ones(self.columns.shape[1])]
        for height in range(1, degree + 1):
            parts += [self._product(places) for places in combinations_with_replacement(chosen, height)]
        return np.column_stack(parts)

    def _product(self, places: tuple[int, ...]) -> Floats:
        """A product with one factor for each variable, of the degree of how often it is named."""
        return np.asarray(np.prod([self._powers[j][:, places.count(j)] for j in set(places)], axis=0))

    def largest_degree(self, n_functions: float) -> int:
        """The degree with at most this many functions; at least 0."""
        n = len(self.columns)
        return max((d for d in range(REDUCE.max_degree + 1) if comb(n + d, d) <= n_functions), default=0)
