"""Pursuit: which of many columns a target needs, by plain functions of one column and products of two.

Function after function is taken in, each time the one that the residual asks for most, as long as
that is far more than the best of so many would get by chance. It costs a few products of matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.reduce.config import REDUCE

Floats = NDArray[np.float64]

FUNCTIONS: tuple[Callable[[Floats], Floats], ...] = (
    np.asarray, np.square, np.reciprocal, lambda x: np.log(np.abs(x)), np.sin, np.cos, np.exp,
)  # fmt: skip


class CandidateColumns:
    """Functions of the columns as lines of mean 0 and length 1, under weights; those without values are 0."""

    def __init__(self, columns: Floats, roots: Floats) -> None:
        self.roots = roots / np.sqrt(np.mean(roots**2))  # (rows,) of the weights
        with np.errstate(all="ignore"):
            plain = [self.united(function(columns)) for function in FUNCTIONS]
        ranks = np.argsort(np.argsort(columns, axis=1, kind="stable"), axis=1) / max(columns.shape[1] - 1, 1) * 2 - 1
        bent = [np.polynomial.legendre.legval(ranks, np.eye(REDUCE.n_bent + 1)[k]) for k in range(1, REDUCE.n_bent + 1)]
        self.values = np.concatenate([*plain, *(self.united(lines) for lines in bent)])  # (lines, rows)
        self.owners = np.tile(np.arange(len(columns)), len(FUNCTIONS) + REDUCE.n_bent)  # (lines,) columns
        self.single = plain[0]  # (columns, rows)

    def united(self, lines: Floats) -> Floats:
        """Lines about their means, times the roots of the weights, of length 1."""
        squares = self.roots**2
        with np.errstate(all="ignore"):
            about = (lines - (lines @ squares / squares.sum())[..., np.newaxis]) * self.roots
            sizes = np.sqrt((about**2).sum(axis=-1, keepdims=True))
            units = about / sizes
        return np.where(np.isfinite(units).all(axis=-1, keepdims=True) & (sizes > 1e-12), units, 0.0)


class Pursuit:
    """What is left of a target, and the columns that were needed to explain the rest."""

    def __init__(self, lines: CandidateColumns, target: Floats) -> None:
        self._lines = lines
        squares = lines.roots**2
        self.residual = (target - target @ squares / squares.sum()) * lines.roots
        self.columns: list[int] = []
        self.nats = np.full(int(lines.owners.max()) + 1, -np.inf)  # (columns,) the best that a function of each came to
        self._basis = np.zeros((0, len(target)))
        self._outside = (lines.values**2).sum(axis=1)
        self._total = float(self.residual @ self.residual)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to be explained, or the rows bear no more."""
        rest = float(self.residual @ self.residual)
        return rest <= REDUCE.nothing_left * self._total or len(self.residual) < REDUCE.rows_per_term * (
            len(self._basis) + 1
        )

    def take_singles(self, most: int) -> None:
        """Take in functions of one column as long as they are needed, of at most this many columns."""
        lines = self._lines
        while not self.is_done and len(self.columns) < most:
            along = lines.values @ self.residual
            is_news = self._outside > REDUCE.linearly_dependent
            gains = np.divide(along**2, self._outside, out=np.zeros_like(along), where=is_news)
            nats = self._nats(gains / float(self.residual @ self.residual))
            np.maximum.at(self.nats, lines.owners, nats)
            likely = np.argsort(-nats, kind="stable")[: REDUCE.n_likely_functions]
            best = next((int(k) for k in likely if self._is_sure(lines.values[k], len(nats))), None)
            if best is None or not self._take(lines.values[best : best + 1]):
                return
            self._note([int(lines.owners[best])])

    def take_pair(self, products: Products) -> bool:
        """Take in the product of the two columns that is needed most; False where none is."""
        if self.is_done:
            return False
        first, second = products.best(self.residual)
        new = self._lines.united(products.powers(first, second))
        if not self._is_sure(new[0], products.number) or not self._take(new):
            return False
        self._note([first, second])
        return True

    def _is_sure(self, line: Floats, number: int) -> bool:
        """Whether a line, the best of so many, is needed by more rows than those few on which it is largest."""
        outside = line - (self._basis @ line) @ self._basis
        together = outside * self.residual
        rows = np.argsort(np.abs(together), kind="stable")[: -max(round(REDUCE.extreme_rows * len(line)), 1)]
        share = min(_share(outside, self.residual), _share(outside[rows], self.residual[rows]))
        return float(self._nats(share)) > math.log(number) + REDUCE.sure_nats

    def _nats(self, shares: Floats | float) -> Floats:
        """Log likelihood ratios of terms that explain such shares of the residual."""
        freedom = len(self.residual) - len(self._basis) - 2
        return np.asarray(-0.5 * max(freedom, 1) * np.log(np.maximum(1 - np.asarray(shares), 1e-30)))

    def _note(self, columns: Sequence[int]) -> None:
        self.columns += [column for column in dict.fromkeys(columns) if column not in self.columns]

    def _take(self, new: Floats) -> bool:
        """Add lines to the model; False where they are linearly dependent."""
        for line in new[: len(self.residual) // REDUCE.rows_per_term - len(self._basis)]:
            rest = line
            for _ in range(2):  # once more for what rounding leaves
                rest = rest - (self._basis @ rest) @ self._basis
            size = float(np.sqrt(rest @ rest))
            if size**2 > REDUCE.linearly_dependent:
                unit = rest / size
                self._basis = np.vstack([self._basis, unit])
                self._outside -= (self._lines.values @ unit) ** 2
        before = float(self.residual @ self.residual)
        self.residual = self.residual - (self._basis @ self.residual) @ self._basis
        return float(self.residual @ self.residual) < before


class Products:
    """Products of two columns each, about their means."""

    def __init__(self, lines: CandidateColumns, columns: Sequence[int]) -> None:
        self._columns = np.asarray(columns)
        self._units = lines.single[self._columns]
        squares = self._units**2
        self._sizes = np.maximum(squares @ squares.T, 1e-300)
        self.number = max(len(self._units) * (len(self._units) - 1) // 2, 1)
        self._single = lines.single

    def best(self, residual: Floats) -> tuple[int, int]:
        """The two columns whose product lessens the sum of squares of a residual most, about."""
        gains = ((self._units * residual) @ self._units.T) ** 2 / self._sizes
        np.fill_diagonal(gains, 0.0)
        first, second = divmod(int(np.argmax(gains)), len(gains))
        return int(self._columns[first]), int(self._columns[second])

    def powers(self, first: int, second: int) -> Floats:
        """Products of low powers of two columns, the lowest first, (products, rows)."""
        pair = self._single[[first, second]] * math.sqrt(self._single.shape[1])
        exponents = sorted(
            ((i, j) for i in range(1, REDUCE.product_degree + 1) for j in range(1, REDUCE.product_degree + 1)), key=sum
        )
        return np.array([pair[0] ** i * pair[1] ** j for i, j in exponents])


def _share(line: Floats, target: Floats) -> float:
    """Squared correlation; 0 where one is constant."""
    first, second = line - line.mean(), target - target.mean()
    size = float((first @ first) * (second @ second))
    return float(first @ second) ** 2 / size if size > 0 else 0.0
