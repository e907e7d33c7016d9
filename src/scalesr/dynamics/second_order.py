"""Laws of second order: states whose rates were not measured, seen as a system of twice as many states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from scalesr.dynamics.noise import noise_of_states
from scalesr.dynamics.trajectories import Trajectories, Trajectory
from scalesr.dynamics.weak.smooth import smooth_runs
from scalesr.errors import DataError

Floats = NDArray[np.float64]

ENDING = "_dot"  # of the names of rates


def with_rates(data: Trajectories) -> Trajectories:
    """The trajectories with a state for the rate of each that was measured.

    The values of these states are where terms are evaluated and where shooting begins; they do not count
    as measurements.
    """
    names = tuple(f"{name}{ENDING}" for name in data.states)
    if taken := {*names} & {*data.names}:
        raise DataError(f"The name {min(taken)!r} is needed for a rate; rename that column.")
    smooth = smooth_runs(data, noise_of_states(data))
    runs = tuple(_with_rates(run, values[:, : data.n_states]) for run, values in zip(data.runs, smooth, strict=True))
    return replace(data, runs=runs, states=(*data.states, *names), n_hidden=data.n_states)


def _with_rates(run: Trajectory, values: Floats) -> Trajectory:
    rates = CubicSpline(run.times, values)(run.times, 1)
    return replace(run, states=np.hstack([run.states, rates]))


def noise_with_rates(data: Trajectories, noise: Floats) -> Floats:
    """The noise of measured states, and of the others as much in their own units."""
    if not data.n_hidden:
        return noise
    n, std = data.n_hidden, data.all_states.std(axis=0)
    return np.concatenate([noise[:n], noise[:n] / std[:n] * std[n:]])
