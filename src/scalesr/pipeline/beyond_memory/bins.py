"""Bins of each column and of pairs of columns, and whether a law's residual is zero on average in each of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.residual_tests import trend_by_chance
from scalesr.pipeline.beyond_memory.rows import Flags

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

N_BINS: Final = 32  # of a column, with equal numbers of the sample's rows
N_COARSE: Final = 8  # bins of a column in a pair: 64 in a pair
MOST_PAIRS: Final = 45  # those of ten columns; of more, the pairs of the first columns that a law uses
OFF: Final = 4.0  # standard errors: a bin that is further off shows where a law fails


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """Edges of bins, and which columns go together in pairs."""

    edges: tuple[Floats, ...]  # (bins of a column - 1,)
    names: tuple[str, ...]
    pairs: tuple[tuple[int, int], ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """Where each family of bins looks, as a phrase."""
        pairs = tuple(f"{self.names[i]} and {self.names[j]} together" for i, j in self.pairs)
        return (*(f"along {name}" for name in self.names), *pairs)

    def places(self, columns: Floats) -> list[Places]:
        """The bin of each row, in each family."""
        fine = [_count_below(edges, column) for edges, column in zip(self.edges, columns, strict=True)]
        coarse = [place * N_COARSE // (len(edges) + 1) for place, edges in zip(fine, self.edges, strict=True)]
        return [*fine, *(coarse[i] * N_COARSE + coarse[j] for i, j in self.pairs)]


def _count_below(edges: Floats, column: Floats) -> Places:
    """How many edges lie below each value; comparisons without branches are some times faster than a binary search."""
    place = np.zeros(len(column), np.uint8)
    for edge in edges:
        place += column > edge
    return place.astype(np.int64)


def bins_of(columns: Floats, names: tuple[str, ...], used: tuple[int, ...]) -> Bins:
    """Bins in which a sample has about equal numbers of rows; equal values stay together."""
    levels = np.arange(1, N_BINS) / N_BINS
    edges = tuple(np.unique(np.quantile(column, levels)) for column in columns)
    order = [*used, *(j for j in range(len(columns)) if j not in used)]
    pairs = [(min(pair), max(pair)) for pair in combinations(order, 2)]
    return Bins(edges, names, tuple(pairs[:MOST_PAIRS]))


class BinnedResidual:
    """Sums of a residual in each bin, and of its squares."""

    def __init__(self, bins: Bins) -> None:
        self._bins = bins
        sizes = [*(len(edges) + 1 for edges in bins.edges), *(N_COARSE**2 for _ in bins.pairs)]
        self._counts = [np.zeros(size) for size in sizes]
        self._sums = [np.zeros(size) for size in sizes]
        self._total = self._squares = self._n_rows = 0.0

    def add(self, residual: Floats, places: list[Places]) -> None:
        """Add rows, with the bins that they are in."""
        self._total += float(residual.sum())
        self._squares += float(residual @ residual)
        self._n_rows += len(residual)
        for family, place in enumerate(places):
            size = len(self._counts[family])
            self._counts[family] += np.bincount(place, minlength=size)
            self._sums[family] += np.bincount(place, weights=residual, minlength=size)

    def structure(self, n_constants: int) -> tuple[float, str]:
        """Probability that noise alone leaves such means in the bins, and where they are, as a phrase."""
        found = [
            (self._by_chance(family, n_constants), f"in the means {label}")
            for family, label in enumerate(self._bins.labels)
        ]
        smallest, where = min(found, default=(1.0, "nothing"))
        return min(1.0, smallest * max(len(found), 1)), where

    def off(self) -> list[Flags]:
        """The bins of each family in which the mean is off, and those that are furthest off where no single one is."""
        variance = self._variance
        found = []
        for counts, sums in zip(self._counts, self._sums, strict=True):
            errors = np.sqrt(np.maximum(counts, 1.0) * variance)
            far = np.abs(sums - counts * self._mean) / np.maximum(errors, np.finfo(float).tiny)
            found.append((far > OFF) & (counts > 0))
        return found

    @property
    def _mean(self) -> float:
        return self._total / max(self._n_rows, 1.0)

    @property
    def _variance(self) -> float:
        return max(self._squares / max(self._n_rows, 1.0) - self._mean**2, 0.0)

    def _by_chance(self, family: int, n_constants: int) -> float:
        """F-test of the means of bins against the rest."""
        counts, sums = self._counts[family], self._sums[family]
        filled = counts > 0
        inside = float(((sums[filled] - counts[filled] * self._mean) ** 2 / counts[filled]).sum())
        n_inside = int(filled.sum()) - 1
        n_rest = int(self._n_rows) - n_inside - 1 - n_constants
        return trend_by_chance(inside, n_inside, self._variance * self._n_rows, n_rest)
