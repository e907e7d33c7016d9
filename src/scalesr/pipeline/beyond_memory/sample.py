"""The first pass: a sample of the rows that a search can hold, and what is said of the table.

Most of the sample are rows as they come, chosen by random numbers that depend on their place alone; besides there are
the rows in which a column, or the target, is smallest or largest, so that the sample covers the box and its tails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.pipeline.beyond_memory.rows import Keys, Smallest, StreamRows, Tell
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

EXTREMES: Final = 8  # rows at each end of each column: enough to see a tail, and too few to bend a law
SMALLEST_SAMPLE: Final = 100  # rows of a sample, with which a law can be checked


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Rows that the search sees, and what the first pass has counted."""

    data: Dataset
    keys: Keys  # (rows,)
    n_rows: int  # in all, with a value in every column
    n_left_out: int
    mean: float  # of the target, over all rows
    std: float  # standard deviation of the target over all rows
    n_extremes: int
    n_added: int = 0  # since, where all rows contradicted a law

    @property
    def is_all(self) -> bool:
        """Whether there are no other rows."""
        return self.data.n_rows == self.n_rows

    @property
    def sentence(self) -> str:
        """What was sampled, as a sentence."""
        missing = f" {self.n_left_out:,} rows with a missing cell were left out." if self.n_left_out else ""
        if self.is_all:
            return f"The search saw all {self.n_rows:,} rows.{missing}"
        added = f", and {self.n_added:,} where a law had failed" if self.n_added else ""
        return (
            f"The search saw {self.data.n_rows:,} of {self.n_rows:,} rows: a random choice, {self.n_extremes:,} in "
            f"which a column or the target is smallest or largest{added}.{missing}"
        )

    def with_rows(self, keys: Keys, cells: Floats) -> Sample:
        """The sample with more rows."""
        new = ~np.isin(keys, self.keys)
        both = np.concatenate([np.vstack([self.data.columns, self.data.y]), cells[:, new]], axis=1)
        data = Dataset(
            np.ascontiguousarray(both[:-1]), both[-1].copy(), self.data.names, self.data.target,
            dimensions=self.data.dimensions, given_noise=self.data.given_noise,
        )  # fmt: skip
        return Sample(
            data, np.concatenate([self.keys, keys[new]]), self.n_rows, self.n_left_out, self.mean, self.std,
            self.n_extremes, self.n_added + int(new.sum()),
        )  # fmt: skip


def draw_sample(rows: StreamRows, n_wanted: int, tell: Tell) -> Sample:
    """Read all rows once."""
    chosen = Smallest(n_wanted)
    ends = [Smallest(EXTREMES) for _ in range(2 * (len(rows.names) + 1))]
    n_rows = n_left_out = 0
    moments: list[tuple[int, float, float]] = []  # rows, mean and squares about it, of each part
    everything = Smallest(n_wanted)
    for part in rows.parts(tell, "choosing rows for the search"):
        n_left_out += part.n_left_out
        if part.cells.shape[1] == 0:
            continue
        n_rows += len(part.y)
        moments.append((len(part.y), float(part.y.mean()), float(((part.y - part.y.mean()) ** 2).sum())))
        if n_rows <= n_wanted:
            everything.offer(part.keys, part)
        seen = ~part.held
        chosen.offer(part.keys, part, seen)
        for place, column in enumerate(part.cells):
            ends[2 * place].offer(column, part, seen)
            ends[2 * place + 1].offer(-column, part, seen)
    if n_rows == 0:
        raise DataError(f"{rows.stream.about} has no row with a number in every column; leave the emptiest ones out.")
    if n_rows <= n_wanted:
        keys, cells = everything.rows()
        return _sample(rows, keys, cells, (n_rows, n_left_out), moments, 0)
    keys, cells = chosen.rows()
    extremes = [end.rows() for end in ends]
    end_keys = np.concatenate([one for one, _ in extremes])
    end_cells = np.concatenate([one for _, one in extremes], axis=1)
    _, first = np.unique(end_keys, return_index=True)
    new = first[~np.isin(end_keys[first], keys)]
    return _sample(
        rows, np.concatenate([keys, end_keys[new]]), np.concatenate([cells, end_cells[:, new]], axis=1),
        (n_rows, n_left_out), moments, len(first),
    )  # fmt: skip


def _sample(
    rows: StreamRows, keys: Keys, cells: Floats, counts: tuple[int, int], moments: list[tuple[int, float, float]],
    n_extremes: int,
) -> Sample:  # fmt: skip
    order = np.argsort(keys)  # by random numbers: no order of the file is left
    data = Dataset(np.ascontiguousarray(cells[:-1, order]), cells[-1, order].copy(), rows.names, rows.target)
    sizes, means, squares = (np.array(one, np.float64) for one in zip(*moments, strict=True))
    mean = float(sizes @ means / sizes.sum())
    variance = float((squares + sizes * (means - mean) ** 2).sum() / sizes.sum())
    return Sample(data, keys[order], *counts, mean, variance**0.5, n_extremes)
