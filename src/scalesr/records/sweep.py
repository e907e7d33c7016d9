"""Sweep: curves over one or more free variables, one per group of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import DataError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Rows in groups; a skeleton's constants are free in each group.

    One group is ordinary regression. `noise` is the standard deviation of the error of y: 0 for
    exact data, None where it is not known. Make one with `from_groups`.
    """

    columns: Floats  # (variables, rows), contiguous
    y: Floats  # (rows,)
    row_starts: NDArray[np.int64]  # (groups + 1,) group g has rows row_starts[g] to row_starts[g + 1]
    names: tuple[str, ...]  # of the variables
    noise: float | None = None
    scale: float = field(init=False, repr=False)  # typical size of y: the root of its mean square, or 1 where y is 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", _root_mean_square(self.y) or 1.0)  # once: it is asked for with every fit

    @classmethod
    def from_groups(
        cls,
        X: Sequence[ArrayLike] | Floats,
        y: Sequence[ArrayLike] | Floats,
        *,
        noise: float | None = None,
        names: Sequence[str] | None = None,
    ) -> Sweep:
        """Join tables (rows, variables) and targets, one of each per group."""
        if len(X) != len(y) or len(X) == 0:
            raise DataError(f"A sweep needs a table and a target per group; got {len(X)} tables, {len(y)} targets.")
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
        return cls(columns, np.concatenate(targets), starts, given, noise)

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
    def spread(self) -> float:
        """Standard deviation of y about the mean of its group, or the scale where every group is constant."""
        about = [part - part.mean() for part in np.split(self.y, self.row_starts[1:-1])]
        within = _root_mean_square(np.concatenate(about))
        return within if within > 1e-14 * self.scale else self.scale

    def group(self, index: int) -> tuple[Floats, Floats]:
        """Table (rows, variables) and target of one group."""
        rows = slice(self.row_starts[index], self.row_starts[index + 1])
        return self.columns[:, rows].T, self.y[rows]

    def thinned(self, n_groups: int, n_rows: int) -> Sweep:
        """At most so many groups and rows per group, evenly spaced in the order they have."""
        keep = np.unique(np.linspace(0, self.n_groups - 1, min(n_groups, self.n_groups)).round().astype(int))
        parts = [self.group(int(g)) for g in keep]
        chosen = [_evenly(len(y), n_rows) for _, y in parts]
        tables = [X[rows] for (X, _), rows in zip(parts, chosen, strict=True)]
        targets = [y[rows] for (_, y), rows in zip(parts, chosen, strict=True)]
        return Sweep.from_groups(tables, targets, noise=self.noise, names=self.names)


def _root_mean_square(values: Floats) -> float:
    """The root of the mean square, of numbers of any size."""
    largest = float(np.abs(values).max())
    return largest * float(np.sqrt(np.mean((values / largest) ** 2))) if largest else 0.0


def _table(X: ArrayLike, group: int) -> Floats:
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
