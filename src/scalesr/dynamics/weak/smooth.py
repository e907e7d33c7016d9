"""Smoothed states: where a term of a law is evaluated, so that noise does not bias what is not linear in the states."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import make_smoothing_spline

from scalesr.dynamics.trajectories import Trajectories, Trajectory

Floats = NDArray[np.float64]

FEWEST = 6  # points that a smoothing spline needs
CLEAN = 1e-6  # of the spread: noise below is not smoothed


def smoothed(run: Trajectory, noise: Floats) -> Floats:
    """States (points, states) by splines, as smooth as generalised cross-validation finds best."""
    states = run.states.copy()
    for place in np.flatnonzero(noise > CLEAN * run.states.std(axis=0)):
        if run.n_points >= FEWEST:
            states[:, place] = _spline(run.times, run.states[:, place])
    return states


def _spline(times: Floats, values: Floats) -> Floats:
    step = (times[-1] - times[0]) / (len(times) - 1)
    size = float(values.std()) or 1.0
    try:
        curve = make_smoothing_spline(times / step, values / size)
    except (ValueError, np.linalg.LinAlgError):  # times that lie too close together
        return values
    found = size * curve(times / step)
    return np.asarray(found) if np.isfinite(found).all() else values


def smooth_runs(data: Trajectories, noise: Floats) -> list[Floats]:
    """Smoothed states and the inputs beside them, (points, columns) per run."""
    return [np.hstack([smoothed(run, noise), run.inputs]) for run in data.runs]
