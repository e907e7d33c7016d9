"""Segments: stretches of trajectories that a system is run along side by side, each from a start of its own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from scalesr.dynamics.trajectories import Trajectories, Trajectory

Floats = NDArray[np.float64]

FEWEST = 3  # points of a segment


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """Equally long stretches; short ones are padded with points that do not count and steps of length 0."""

    times: Floats  # (segments, points)
    states: Floats  # (segments, points, states), as measured
    counts: NDArray[np.bool_]  # (segments, points) which points are real
    inputs: tuple[PchipInterpolator | None, ...]  # per segment, of time; None where there are none
    n_inputs: int
    n_hidden: int = 0  # of the states, the last ones, that were not measured

    @property
    def n_segments(self) -> int:
        return len(self.times)

    @property
    def n_counted(self) -> int:
        """Measured points."""
        return int(self.counts.sum())

    def some(self, chosen: NDArray[np.bool_]) -> Segments:
        """Some of the segments."""
        curves = tuple(curve for curve, is_chosen in zip(self.inputs, chosen.tolist(), strict=True) if is_chosen)
        return Segments(
            self.times[chosen], self.states[chosen], self.counts[chosen], curves, self.n_inputs, self.n_hidden
        )

    def counted(self, values: Floats) -> Floats:
        """Values (segments, points, states, ...) with 0 in the place of what was not measured."""
        more = (1,) * (values.ndim - 3)
        seen = np.arange(values.shape[2]) < values.shape[2] - self.n_hidden
        counts = self.counts.reshape(*self.counts.shape, 1, *more) & seen.reshape(1, 1, -1, *more)
        return np.asarray(np.where(counts, values, 0.0))

    def inputs_at(self, times: Floats) -> Floats:
        """Known inputs at times (segments, ...), (segments, ..., inputs)."""
        values = np.empty((*times.shape, self.n_inputs))
        if self.n_inputs:
            for place, curve in enumerate(self.inputs):
                if curve is not None:
                    values[place] = curve(times[place])
        return values


def cut(
    data: Trajectories, n_points: int, n_most: int, *, rng: np.random.Generator, n_kept: int | None = None
) -> Segments:
    """At most `n_most` segments of at most `n_points` points, from all over the data; `n_kept` points of each."""
    pieces: list[tuple[Trajectory, Trajectory]] = []
    for run in data.runs:
        n_parts = max(-(-run.n_points // n_points), 1)
        edges = np.linspace(0, run.n_points, n_parts + 1).round().astype(int)
        pieces += [(run.part(a, b), run) for a, b in pairwise(edges.tolist()) if b - a >= min(FEWEST, n_points)]
    if len(pieces) > n_most:
        pieces = [pieces[place] for place in sorted(rng.permutation(len(pieces))[:n_most].tolist())]
    if n_kept is not None:
        pieces = [(piece.thinned(n_kept), run) for piece, run in pieces]
    longest = max(piece.n_points for piece, _ in pieces)
    times = np.stack([_padded(piece.times, longest) for piece, _ in pieces])
    states = np.stack([_padded(piece.states, longest) for piece, _ in pieces])
    counts = np.stack([np.arange(longest) < piece.n_points for piece, _ in pieces])
    has_inputs = bool(data.inputs)
    curves = tuple(PchipInterpolator(run.times, run.inputs) if has_inputs else None for _, run in pieces)
    return Segments(times, states, counts, curves, len(data.inputs), data.n_hidden)


def _padded(values: Floats, length: int) -> Floats:
    """The values with the last one repeated."""
    return np.concatenate([values, np.repeat(values[-1:], length - len(values), axis=0)])
