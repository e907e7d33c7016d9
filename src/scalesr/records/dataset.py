"""Dataset: a table of numbers, its target and their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import DataError
from scalesr.masks import require_unmasked
from scalesr.records.dimensions import Dimensions
from scalesr.records.noise import GivenNoise
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Rows of finite numbers; make one with `from_table`, which checks them."""

    columns: Floats  # (variables, rows), contiguous
    y: Floats  # (rows,)
    names: tuple[str, ...]  # of the variables
    target: str = "y"
    weights: Floats | None = None  # (rows,) of the squared errors; None: all equal
    dimensions: Dimensions | None = None  # of columns and target, where their units are known
    given_noise: GivenNoise | None = None  # what the user knows of the target's errors

    @classmethod
    def from_table(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        *,
        names: Sequence[str] | None = None,
        target: str = "y",
        weights: ArrayLike | None = None,
    ) -> Dataset:
        """A table (rows, variables) and its target (rows,)."""
        for values, what in ((X, "the table X"), (y, "the target y"), (weights, "weights")):
            require_unmasked(values, what)
        table, goal = np.asarray(X, np.float64), np.asarray(y, np.float64).ravel()
        if table.ndim != 2 or len(table) != len(goal) or len(goal) == 0:
            raise DataError(f"A table of shape {table.shape} does not match a target of {len(goal)} rows.")
        given = tuple(names) if names is not None else tuple(f"x{j}" for j in range(table.shape[1]))
        if len(given) != table.shape[1]:
            raise DataError(f"{table.shape[1]} columns need as many names; got {', '.join(given)}.")
        if not (np.isfinite(table).all() and np.isfinite(goal).all()):
            raise DataError("The table or the target holds NaN or infinite numbers; drop those rows first.")
        shares = None if weights is None else np.asarray(weights, np.float64).ravel()
        if shares is not None and len(shares) != len(goal):
            raise DataError(f"{len(goal)} rows need as many weights; got {len(shares)}.")
        return cls(np.ascontiguousarray(table.T), goal, given, target, shares)

    @property
    def table(self) -> Floats:
        """The table, (rows, variables)."""
        return self.columns.T

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def n_variables(self) -> int:
        return len(self.columns)

    @property
    def std(self) -> float:
        """Standard deviation of the target."""
        return float(self.y.std())

    def rows(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Dataset:
        """Some of the rows."""
        weights = None if self.weights is None else self.weights[chosen]
        return replace(
            self, columns=np.ascontiguousarray(self.columns[:, chosen]), y=self.y[chosen], weights=weights
        )  # fmt: skip

    def select(self, variables: Sequence[int]) -> Dataset:
        """Some of the variables, in the order given."""
        chosen = list(variables)
        dimensions = None if self.dimensions is None else self.dimensions.select(chosen)
        return replace(
            self, columns=np.ascontiguousarray(self.columns[chosen]), names=tuple(self.names[j] for j in chosen),
            dimensions=dimensions,
        )  # fmt: skip

    def with_target(self, y: Floats, target: str) -> Dataset:
        """The same rows with another target."""
        return replace(self, y=y, target=target, dimensions=None, given_noise=None)

    def thinned(self, n_rows: int) -> Dataset:
        """At most this many rows, evenly spaced in the order they have."""
        if self.n_rows <= n_rows:
            return self
        return self.rows((np.arange(n_rows) * self.n_rows) // n_rows)

    def split(self, n_held: int, *, rng: np.random.Generator) -> tuple[Dataset, Dataset]:
        """A random part of `n_held` rows as the second dataset, the others as the first."""
        order = rng.permutation(self.n_rows)
        return self.rows(np.sort(order[n_held:])), self.rows(np.sort(order[:n_held]))

    def sweep(self, noise: float | None = None) -> Sweep:
        """All rows of some weight as one group: what a search over all variables works on.

        `noise` is that of a row of average weight.
        """
        rows = Sweep(self.columns, self.y, np.array([0, self.n_rows]), self.names, noise)
        return rows if self.weights is None else rows.weighted(self.weights)
