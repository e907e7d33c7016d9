"""The rows of a stream as passes see them: numbered, finite, a part of them held back from the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.pipeline.config import PIPELINE
from scalesr.tables.streams import Stream

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Keys = NDArray[np.uint64]

Tell = Callable[[str, int], None]  # which pass, rows so far


@dataclass(frozen=True, slots=True, eq=False)
class RowBlock:
    """Some rows next to each other, without those that have a missing cell."""

    cells: Floats  # (variables and the target, rows)
    keys: Keys  # (rows,) random numbers that depend on the place of a row alone
    n_left_out: int

    @property
    def columns(self) -> Floats:
        return self.cells[:-1]

    @property
    def y(self) -> Floats:
        return np.asarray(self.cells[-1])

    @property
    def held(self) -> Flags:
        """Rows that no search sees."""
        return np.asarray(self.keys < np.uint64(int(PIPELINE.held_share * 2**64)))


@dataclass(frozen=True, slots=True, eq=False)
class StreamRows:
    """Features and target of a stream."""

    stream: Stream
    names: tuple[str, ...]
    target: str
    seed: int = 0

    def parts(self, tell: Tell, what: str) -> Iterator[RowBlock]:
        """One pass over all rows."""
        first = 0
        for batch in self.stream.batches([*self.names, self.target]):
            places = np.arange(first, first + batch.shape[1], dtype=np.uint64)
            first += batch.shape[1]
            whole = np.isfinite(batch).all(axis=0)
            cells, keys = batch, random_keys(places, self.seed)
            if not whole.all():
                cells, keys = np.ascontiguousarray(batch[:, whole]), keys[whole]
            yield RowBlock(cells, keys, int(np.count_nonzero(~whole)))
            tell(what, first)


def random_keys(places: Keys, seed: int) -> Keys:
    """A well mixed number for each place (SplitMix64): the same however the rows come in batches."""
    with np.errstate(over="ignore"):
        mixed = (places + np.uint64(seed)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


class Smallest:
    """The rows with the smallest of some numbers, of all that were offered: a sample, extremes, the worst rows."""

    def __init__(self, n_kept: int) -> None:
        self._n_kept = n_kept
        self._most: Any = np.inf  # offers beyond it are of no use
        self._order: list[NDArray[Any]] = []
        self._cells: list[Floats] = []
        self._keys: list[Keys] = []
        self._n_held = 0

    def offer(self, order: NDArray[Any], part: RowBlock, chosen: Flags | None = None) -> None:
        """Offer rows by the numbers that order them, (rows,)."""
        useful = order < self._most
        if chosen is not None:
            useful &= chosen
        if not useful.any():
            return
        self._order.append(order[useful])
        self._cells.append(part.cells[:, useful])
        self._keys.append(part.keys[useful])
        self._n_held += int(np.count_nonzero(useful))
        if self._n_held > 2 * self._n_kept:
            self._thin()

    def _thin(self) -> None:
        order, cells, keys = (np.concatenate(one, axis=-1) for one in (self._order, self._cells, self._keys))
        kept = np.argsort(order, kind="stable")[: self._n_kept]
        self._order, self._cells, self._keys = [order[kept]], [cells[:, kept]], [keys[kept]]
        self._n_held = len(kept)
        if len(kept) == self._n_kept:
            self._most = order[kept[-1]]

    def rows(self) -> tuple[Keys, Floats]:
        """Keys and cells of the rows that are kept."""
        if not self._order:
            return np.empty(0, np.uint64), np.empty((0, 0))
        self._thin()
        return self._keys[0], self._cells[0]
