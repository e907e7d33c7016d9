"""Smoothed states: where a term of a law is evaluated, so that noise does not bias what is not linear in the states.

A penalty on third differences, as strong as generalised cross-validation finds best for each state and run.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.trajectories import Trajectories, Trajectory

Floats = NDArray[np.float64]

ORDER = 3  # of the differences: curves are parabolas where the penalty is strong
LONGEST = 300  # points of a piece that is smoothed at once
STRENGTHS = np.logspace(-6, 10, 65)  # of the penalty, in units of the step
CLEAN = 1e-6  # of the standard deviation: noise below is not smoothed


def smooth_runs(data: Trajectories, noise: Floats) -> list[Floats]:
    """Smoothed states and the inputs beside them, (points, columns) per run."""
    known: dict[bytes, tuple[Floats, Floats]] = {}
    return [np.hstack([_smoothed(run, noise, known), run.inputs]) for run in data.runs]


def _smoothed(run: Trajectory, noise: Floats, known: dict[bytes, tuple[Floats, Floats]]) -> Floats:
    """States (points, states), smoothed where they have noise."""
    states = run.states.copy()
    noisy = np.flatnonzero(noise > CLEAN * run.states.std(axis=0))
    edges = np.linspace(0, run.n_points, -(-run.n_points // LONGEST) + 1).round().astype(int)
    for a, b in pairwise(edges.tolist()):
        if b - a > ORDER + 1 and len(noisy):
            times = run.times[a:b] - run.times[a]
            key = times.tobytes()
            if key not in known:
                known[key] = _roughness(times)
            for place in noisy:
                states[a:b, place] = _smooth(run.states[a:b, place], *known[key])
    return states


def _roughness(times: Floats) -> tuple[Floats, Floats]:
    """Curves along times in ascending order of their squared third differences, and these."""
    steps = (times - times[0]) / (times[-1] - times[0]) * (len(times) - 1)
    differences = np.eye(len(times))
    for order in range(1, ORDER + 1):
        differences = order * np.diff(differences, axis=0) / (steps[order:] - steps[:-order])[:, np.newaxis]
    sizes, curves = np.linalg.eigh(differences.T @ differences)
    return curves, np.maximum(sizes, 0.0)


def _smooth(values: Floats, curves: Floats, sizes: Floats) -> Floats:
    shares = curves.T @ values
    kept = 1 / (1 + STRENGTHS[:, np.newaxis] * sizes)  # (strengths, curves)
    left = (((1 - kept) * shares) ** 2).sum(axis=1)
    freedom = len(values) - kept.sum(axis=1)
    best = int(np.argmin(left / np.maximum(freedom, 1e-9) ** 2))
    return np.asarray(curves @ (kept[best] * shares))
