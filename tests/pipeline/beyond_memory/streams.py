"""Streams that are made up as they are read, so that a test needs no disk and no memory for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from scalesr.tables.streams import Stream

NAMES = ("x", "z")


def made_up(law: Callable[..., np.ndarray], n_rows: int, *, noise: float = 0.0, batch: int = 10_000) -> Stream:
    """Two columns over 1 to 3 and a target; the rows depend on their place alone."""

    def read(names: Sequence[str]):
        for first in range(0, n_rows, 1000):
            rng = np.random.default_rng([7, first])
            n = min(1000, n_rows - first)
            x, z = rng.uniform(1, 3, (2, n))
            cells = {"x": x, "z": z, "y": law(x, z) + noise * rng.normal(size=n)}
            yield np.stack([cells[name] for name in names])

    def joined(names: Sequence[str]):
        waiting = []
        for part in read(names):
            waiting.append(part)
            if sum(one.shape[1] for one in waiting) >= batch:
                yield np.concatenate(waiting, axis=1)
                waiting = []
        if waiting:
            yield np.concatenate(waiting, axis=1)

    return Stream("the test's rows", (*NAMES, "y"), joined)


def whole(stream: Stream) -> np.ndarray:
    """All cells of a stream, (columns, rows)."""
    return np.concatenate(list(stream.batches(stream.names)), axis=1)
