"""Sweep: curves over one or more free variables, one per group of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import DataError
from scalesr.masks import require_unmasked
from scalesr.records.mean_squares import root_mean_square

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Rows in groups; a skeleton's constants are free in each group.

    One group is ordinary regression. `noise` is the standard deviation of the error of y in a row of
    average weight: 0 for exact data, None where it is not known. A row of weight w has an error of
    noise / sqrt(w). Make one with `from_groups`.
    """

    columns: Floats  # (variables, rows), contiguous
    y: Floats  # (rows,)
    row_starts: NDArray[np.int64]  # (groups + 1,) group g has rows row_starts[g] to row_starts[g + 1]
    names: tuple[str, ...]  # of the variables
    noise: float | None = None
    weights: Floats | None = None  # (rows,) of the squared residuals, above 0 and 1 on average; None: all are equal
    roots: Floats = field(init=False, repr=False)  # (rows,) of the weights, empty where these are None: for fits
    scale: float = field(init=False, repr=False)  # typical size of y: the root of its mean square, or 1 where y is 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "roots", np.empty(0) if self.weights is None else np.sqrt(self.weights))
        # once: it is asked for with every fit
        object.__setattr__(self, "scale", root_mean_square(self.weighed(self.y)) or 1.0)

    @classmethod
    def from_groups(
        cls,
        X: Sequence[ArrayLike] | Floats,
        y: Sequence[ArrayLike] | Floats,
        *,
        noise: float | None = None,
        names: Sequence[str] | None = None,
        weights: Sequence[ArrayLike] | None = None,
    ) -> Sweep:
        """Join tables (rows, variables), targets and weights, if there are any, one of each per group."""
        if len(X) != len(y) or len(X) == 0:
            raise DataError(f"A sweep needs a table and a target per group; got {len(X)} tables, {len(y)} targets.")
        require_unmasked(list(y), "the target y")
        require_unmasked(() if weights is None else list(weights), "weights")
        tables = [_table(table, group) for group, table in enumerate(X)]
        targets = [np.asarray(target, np.float64).ravel() for target in y]
        for group, (table, target) in enumerate(zip(tables, targets, strict=True)):
            _check_group(table, target, group, tables[0].shape[1])
        if noise is not None and not 0 <= noise < np.inf:
            raise DataError(f"A noise level is a finite number, 0 or more, or None for unknown; not {noise}.")
        given = tuple(names) if names is not None else tuple(f"x{j}" for j in range(tables[0].shape[1]))
        if len(given) != tables[0].shape[1]:
            raise DataError(f"{tables[0].shape[1]} variables need as many names; got {', '.join(given)}.")
        starts = np.concatenate([[0], np.cumsum([len(target) for target in targets])])
        columns = np.ascontiguousarray(np.concatenate(tables).T)
        joined = cls(columns, np.concatenate(targets), starts, given, noise)
        return joined if weights is None else joined.weighted(np.concatenate([np.ravel(part) for part in weights]))

    def weighted(self, weights: Floats) -> Sweep:
        """The same rows with weights (rows,), of which only the ratios count; rows of weight 0 are left out."""
        if len(weights) != self.n_rows or not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise DataError(f"Weights are finite numbers, none negative; {self.n_rows} rows need as many.")
        shares = np.asarray(weights / (float(np.max(weights)) or 1.0), np.float64)
        counted = shares > 0
        sizes = np.add.reduceat(counted.astype(np.int64), self.row_starts[:-1])
        if not sizes.all():
            raise DataError(f"Group {int(np.argmin(sizes))} has no row with a weight above 0; leave it out.")
        part = self if counted.all() else self._rows(np.flatnonzero(counted), sizes)
        own = shares[counted]
        return replace(part, weights=None if own.min() == own.max() else own / own.mean())

    @property
    def n_groups(self) -> int:
        return len(self.row_starts) - 1

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def n_variables(self) -> int:
        return len(self.columns)

    @property
    def std(self) -> float:
        """Standard deviation of y about the mean of its group, or the scale where every group is constant."""
        groups = [slice(*ends) for ends in pairwise(self.row_starts.tolist())]
        about = np.concatenate([self.y[rows] - self._mean(rows) for rows in groups])
        within = root_mean_square(self.weighed(about))
        return within if within > 1e-14 * self.scale else self.scale

    def _mean(self, rows: slice) -> float:
        """Of y."""
        return float(
            self.y[rows].mean() if self.weights is None else np.average(self.y[rows], weights=self.weights[rows])
        )

    def weighed(self, values: Floats) -> Floats:
        """Values (..., rows) times the roots of the weights: what a sum of squares is taken of."""
        return values if self.weights is None else values * self.roots

    def group(self, index: int) -> tuple[Floats, Floats]:
        """Table (rows, variables) and target of one group."""
        rows = slice(self.row_starts[index], self.row_starts[index + 1])
        return self.columns[:, rows].T, self.y[rows]

    def roots_of(self, index: int) -> Floats | None:
        """Roots of the weights of one group; None where there are no weights."""
        rows = slice(self.row_starts[index], self.row_starts[index + 1])
        return None if self.weights is None else self.roots[rows]

    def averaged(self, n_rows: int) -> Sweep:
        """Averages of neighbours along the one variable, at most this many per group, with weights and noise to match.

        They keep what noisy rows say of a smooth curve. Rows of equal value stay together where there are few values.
        """
        weights = np.ones(self.n_rows) if self.weights is None else self.weights
        parts = [
            _averages(self.columns[0, rows], self.y[rows], weights[rows], n_rows)
            for rows in (slice(*ends) for ends in pairwise(self.row_starts.tolist()))
        ]
        totals = np.concatenate([total for _, _, total in parts])
        noise = None if self.noise is None else self.noise / float(np.sqrt(totals.mean()))
        return Sweep.from_groups(
            [x for x, _, _ in parts], [y for _, y, _ in parts], noise=noise, names=self.names,
            weights=[total for _, _, total in parts],
        )  # fmt: skip

    def thinned(self, n_groups: int, n_rows: int) -> Sweep:
        """At most this many groups and rows per group, evenly spaced in the order they have."""
        keep = np.unique(np.linspace(0, self.n_groups - 1, min(n_groups, self.n_groups)).round().astype(int))
        sizes = np.diff(self.row_starts)[keep]
        chosen = [start + _evenly(int(n), n_rows) for start, n in zip(self.row_starts[keep], sizes, strict=True)]
        rows = np.concatenate(chosen)
        part = self._rows(rows, np.array([len(some) for some in chosen]))
        if self.weights is None:
            return part
        own = self.weights[rows]
        noise = None if self.noise is None else self.noise / float(np.sqrt(own.mean()))  # of their average weight
        return replace(part, noise=noise).weighted(own)

    def _rows(self, chosen: NDArray[np.int64], sizes: NDArray[np.int64]) -> Sweep:
        """Some of the rows, in groups of these sizes, without weights."""
        starts = np.concatenate([[0], np.cumsum(sizes)])
        columns = np.ascontiguousarray(self.columns[:, chosen])
        return replace(self, columns=columns, y=self.y[chosen], row_starts=starts, weights=None)


def _averages(x: Floats, y: Floats, weights: Floats, n_rows: int) -> tuple[Floats, Floats, Floats]:
    """Weighted means of x and y in runs of neighbours, and the weights of these."""
    order = np.argsort(x, kind="stable")
    values, place = np.unique(x[order], return_inverse=True)
    if len(values) > n_rows:
        place = (np.arange(len(x)) * n_rows) // len(x)
    share = weights[order]
    total = np.asarray(np.bincount(place, share), np.float64)
    means = [np.asarray(np.bincount(place, share * part[order]) / total, np.float64) for part in (x, y)]
    return means[0], means[1], total


def _table(X: ArrayLike, group: int) -> Floats:
    require_unmasked(X, f"the table of group {group}")
    table = np.asarray(X, np.float64)
    table = table[:, np.newaxis] if table.ndim == 1 else table
    if table.ndim != 2:
        raise DataError(f"The table of group {group} has {table.ndim} dimensions; give rows and columns.")
    return table


def _check_group(table: Floats, target: Floats, group: int, n_variables: int) -> None:
    if len(table) != len(target) or len(target) == 0:
        raise DataError(
            f"Group {group} has {len(table)} rows and {len(target)} targets; give both the same, 1 or more."
        )
    if table.shape[1] != n_variables:
        raise DataError(f"Group {group} has {table.shape[1]} variables and group 0 has {n_variables}.")
    if not (np.isfinite(table).all() and np.isfinite(target).all()):
        raise DataError(f"Group {group} holds NaN or infinite numbers; drop those rows first.")


def _evenly(n: int, most: int) -> NDArray[np.int64]:
    return (np.arange(min(n, most)) * n) // min(n, most)
