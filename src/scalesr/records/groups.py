"""Groups: rows that belong together, and constants of a law that each group has a value of its own for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]
Label = str | int | float


@dataclass(frozen=True, slots=True)
class Labels:
    """The group of each row, and what tells the groups apart."""

    of_rows: tuple[Label, ...]
    by: str = "group"


@dataclass(frozen=True, slots=True, eq=False)
class GroupedData:
    """A dataset whose rows stand together by group."""

    data: Dataset
    row_starts: NDArray[np.int64]  # (groups + 1,) group g has rows row_starts[g] to row_starts[g + 1]
    labels: tuple[Label, ...]  # of the groups
    by: str = "group"  # what tells the groups apart: the name of a column, for example
    sizes: NDArray[np.int64] = field(init=False, repr=False)  # (groups,) rows of each
    roots: Floats | None = field(init=False, repr=False)  # (rows,) of the weights, whose mean is 1; None: all equal

    def __post_init__(self) -> None:
        weights = self.data.weights
        object.__setattr__(self, "sizes", np.diff(self.row_starts))  # once: they are asked for with every step of a fit
        object.__setattr__(self, "roots", None if weights is None else np.sqrt(weights / weights.mean()))

    @classmethod
    def from_labels(cls, data: Dataset, labels: tuple[Label, ...], by: str = "group") -> GroupedData:
        """Rows in any order with a label each; groups come in the order in which they first appear."""
        if len(labels) != data.n_rows:
            raise DataError(f"{data.n_rows} rows need a group each; there are {len(labels)} labels.")
        places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
        group = np.array([places[label] for label in labels], np.int64)
        starts = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(places)))])
        return cls(data.rows(np.argsort(group, kind="stable")), starts.astype(np.int64), tuple(places), by)

    def counting_by(self, weights: Floats) -> GroupedData:
        """The same rows, which count in fits by these weights besides their own; laws are compared as before."""
        own = weights if self.data.weights is None else weights * self.data.weights
        other = replace(self)
        object.__setattr__(other, "roots", np.sqrt(own / own.mean()))
        return other

    @property
    def n_groups(self) -> int:
        return len(self.labels)

    @property
    def group_of_rows(self) -> NDArray[np.int64]:
        """The place of each row's group, (rows,)."""
        return np.repeat(np.arange(self.n_groups), self.sizes)

    def group(self, place: int) -> Dataset:
        """The rows of one group."""
        return self.data.rows(np.arange(self.row_starts[place], self.row_starts[place + 1]))


@dataclass(frozen=True, slots=True, eq=False)
class GroupConstants:
    """The constants of a law that differ between groups, called by letters that no column has.

    In the law's equation the letters stand after the columns, as variables do.
    """

    by: str
    labels: tuple[Label, ...]
    letters: tuple[str, ...]
    values: Floats  # (groups, letters)
    covariance: Floats  # (groups, letters, letters), NaN where a group's rows do not determine a constant
    noise: float = 0.0  # standard deviation of a row of average weight about the law

    def __post_init__(self) -> None:
        size = len(self.labels), len(self.letters)
        if self.values.shape != size or self.covariance.shape != (*size, size[1]):
            raise DataError(
                f"{size[0]} groups with {size[1]} constants each need values of that shape and a covariance for each "
                f"group; theirs are {self.values.shape} and {self.covariance.shape}."
            )

    @property
    def standard_errors(self) -> Floats:
        """One for each constant of each group, (groups, letters)."""
        return np.sqrt(np.diagonal(self.covariance, axis1=1, axis2=2))

    def places_of(self, labels: tuple[Label, ...]) -> NDArray[np.int64]:
        """The place of the group of each label."""
        known = {label: place for place, label in enumerate(self.labels)}
        for label in labels:
            if label not in known:
                raise DataError(
                    f"There is no {self.by} {label!r} among the {len(self.labels)} groups of the fit. "
                    f"Give some rows of it to calibrate(X, y, group={label!r}) first."
                )
        return np.array([known[label] for label in labels], np.int64)

    def with_letters(self, table: Floats, labels: tuple[Label, ...]) -> Floats:
        """A table (rows, columns) with each row's constants as further columns, as the law's equation takes it."""
        return np.column_stack([table, self.values[self.places_of(labels)]])

    def with_group(self, label: Label, values: Floats, covariance: Floats) -> GroupConstants:
        """The same with one more group, or with other constants for a known one."""
        kept = [place for place, known in enumerate(self.labels) if known != label]
        return GroupConstants(
            self.by, (*(self.labels[place] for place in kept), label), self.letters,
            np.concatenate([self.values[kept], values[np.newaxis]]),
            np.concatenate([self.covariance[kept], covariance[np.newaxis]]), self.noise,
        )  # fmt: skip
