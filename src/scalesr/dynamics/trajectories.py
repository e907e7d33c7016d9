"""Trajectories: states measured over time, with known inputs beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError

Floats = NDArray[np.float64]

SHORTEST = 5  # points of a piece that says anything about rates
STILL = 1e-12  # of a state's size: what moves less does not move


@dataclass(frozen=True, slots=True, eq=False)
class Trajectory:
    """One run of a system; times increase strictly and every number is finite."""

    times: Floats  # (points,)
    states: Floats  # (points, states)
    inputs: Floats  # (points, inputs), none: (points, 0)

    @property
    def n_points(self) -> int:
        return len(self.times)

    @property
    def table(self) -> Floats:
        """States and inputs beside each other, (points, columns)."""
        return np.hstack([self.states, self.inputs])

    def part(self, first: int, end: int) -> Trajectory:
        """The points from `first` up to, not including, `end`."""
        return Trajectory(self.times[first:end], self.states[first:end], self.inputs[first:end])

    def thinned(self, n_points: int) -> Trajectory:
        """At most this many points, evenly spaced, the first and the last among them."""
        if self.n_points <= n_points:
            return self
        kept = np.linspace(0, self.n_points - 1, n_points).round().astype(int)
        return Trajectory(self.times[kept], self.states[kept], self.inputs[kept])


@dataclass(frozen=True, slots=True, eq=False)
class Trajectories:
    """Runs of one system; `notes` say in sentences what was left out of the data."""

    runs: tuple[Trajectory, ...]
    states: tuple[str, ...]  # names
    inputs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    n_hidden: int = 0  # of the states, the last ones, were not measured: they are the rates of as many before them

    @property
    def given(self) -> dict[int, int]:
        """States whose rate is another state by definition, and which."""
        return {place: self.n_states - self.n_hidden + place for place in range(self.n_hidden)}

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns that a law may use."""
        return (*self.states, *self.inputs)

    @property
    def n_states(self) -> int:
        return len(self.states)

    @property
    def n_points(self) -> int:
        return sum(run.n_points for run in self.runs)

    @property
    def all_states(self) -> Floats:
        """The states of all runs, (points, states)."""
        return np.concatenate([run.states for run in self.runs])

    def some(self, places: Sequence[int] | NDArray[np.int64]) -> Trajectories:
        """Some of the runs."""
        return replace(self, runs=tuple(self.runs[int(place)] for place in places))


def whole_trajectories(
    runs: Sequence[Trajectory], states: Sequence[str], inputs: Sequence[str] = (), *, is_map: bool = False
) -> Trajectories:
    """Checked runs, split where numbers are missing; pieces that are too short for a rate are left out."""
    if not runs:
        raise DataError("There are no trajectories; give at least one.")
    shortest = 2 if is_map else SHORTEST
    pieces: list[Trajectory] = []
    n_missing = n_short = 0
    for place, run in enumerate(runs):
        _check_times(run, place)
        found = _without_gaps(run)
        n_missing += run.n_points - sum(piece.n_points for piece in found)
        kept = [piece for piece in found if piece.n_points >= shortest]
        n_short += len(found) - len(kept)
        pieces += kept
    if not pieces:
        longest = max(run.n_points for run in runs)
        raise DataError(
            f"No trajectory has {shortest} points in a row without a gap (the longest has {longest} in all); "
            f"a law of motion needs more. Measure longer or more often."
        )
    notes = []
    if n_missing:
        notes.append(f"{n_missing} points with missing numbers were left out, and trajectories split there.")
    if n_short:
        notes.append(f"{n_short} pieces of fewer than {shortest} points were left out.")
    together = Trajectories(tuple(pieces), tuple(states), tuple(inputs), tuple(notes))
    _check_motion(together)
    return together


def _check_times(run: Trajectory, place: int) -> None:
    if not np.isfinite(run.times).all():
        raise DataError(f"Trajectory {place} (from 0) has times that are NaN or infinite; drop those points.")
    steps = np.diff(run.times)
    if (steps == 0).any():
        time = run.times[int((steps == 0).argmax())]
        raise DataError(
            f"Trajectory {place} (from 0) has the time {time:g} twice; keep one point for each time, or mark several "
            f"runs as trajectories of their own."
        )
    if (steps < 0).any():
        at = int((steps < 0).argmax())
        raise DataError(
            f"Times of trajectory {place} (from 0) do not increase: {run.times[at]:g} is followed by "
            f"{run.times[at + 1]:g}. Sort its points, or mark several runs as trajectories of their own."
        )


def _without_gaps(run: Trajectory) -> list[Trajectory]:
    """The pieces between points with missing or infinite numbers."""
    good = np.isfinite(run.table).all(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], good.view(np.int8), [0]])))
    return [run.part(int(first), int(end)) for first, end in zip(edges[::2], edges[1::2], strict=True)]


def _check_motion(data: Trajectories) -> None:
    values = data.all_states
    for name, column in zip(data.states, values.T, strict=True):
        if np.ptp(column) <= STILL * np.abs(column).max():
            raise DataError(
                f"State {name!r} never changes (it is {column[0]:g} throughout), so that its law is zero and its part "
                f"in other laws cannot be seen. Leave it out, or give it as a parameter if it differs between runs."
            )
