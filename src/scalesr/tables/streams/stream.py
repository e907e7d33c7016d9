"""Stream: named columns of numbers that can be read again and again, a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.tables.table import first_double, listed, shortened

Floats = NDArray[np.float64]
Read = Callable[[Sequence[str]], Iterator[Floats]]  # names of columns -> batches (columns, rows)

BATCH = 65_536  # rows: a batch of ten columns and what is worked out of it stay within a processor's cache and a few MB


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """A table in passes. The rows come in the same order each time; NaN stands for a missing cell."""

    about: str  # for people
    names: tuple[str, ...]  # of the columns of numbers
    read: Read
    others: tuple[str, ...] = ()  # columns that hold no numbers

    def __post_init__(self) -> None:
        if (doubled := first_double([*self.names, *self.others])) is not None:
            raise DataError(f"{self.about} has two columns called {shortened(doubled)!r}; rename one.")

    def select(self, features: Sequence[str] = (), drop: Sequence[str] = (), *, keep: Sequence[str] = ()) -> Stream:
        """Some of the columns: `features`, or all but those of `drop`; `keep` stay in any case."""
        for name in (*features, *drop, *keep):
            self.require(name)
        chosen = [name for name in self.names if name in keep or (name in features if features else name not in drop)]
        return replace(self, names=tuple(chosen), others=() if features else self.others)

    def require(self, name: str) -> None:
        """Refuse a column that is not there or holds no numbers."""
        if name in self.others:
            raise DataError(f"Column {shortened(name)!r} of {self.about} holds no numbers; choose another.")
        if name not in self.names:
            raise DataError(f"{self.about} has no column {shortened(name)!r}; its columns are {listed(self.names)}.")

    def batches(self, names: Sequence[str]) -> Iterator[Floats]:  # (columns, rows)
        """All rows, a batch at a time, each as an array that is the reader's own."""
        for part in self.read(names):
            for start in range(0, part.shape[1], BATCH):
                yield np.ascontiguousarray(part[:, start : start + BATCH], np.float64)
