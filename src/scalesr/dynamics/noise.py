"""Noise of measured states, from how badly a point is predicted by those around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.local_polynomial import rules_at
from scalesr.dynamics.trajectories import Trajectories

Floats = NDArray[np.float64]

ORDERS = (1, 2, 3, 4, 5)  # points on each side that a point is predicted from
ENOUGH = 30  # predicted points for an estimate
TYPICAL = 1.4826  # standard deviations per median size: a few places where curves are steep do not decide
SIGMAS = 3.0  # times the relative error of a median size, 1/sqrt(points): estimates that are no further apart agree
MOST_RUNS = 100  # that are looked at


def noise_of_states(data: Trajectories) -> Floats:  # (states,)
    """Standard deviation of the errors of each state.

    A smooth curve is predicted the better the more neighbours take part, noise is not: the least of
    the estimates is the one with the least of the curve in it. By chance it is too small where points
    are few, so that those which are not clearly larger count as much.
    """
    runs = data.runs[:: max(len(data.runs) // MOST_RUNS, 1)]
    estimates = []
    for order in ORDERS:
        errors = [_errors(run.times, run.states, order) for run in runs if run.n_points > 2 * order]
        joined = np.concatenate(errors) if errors else np.empty((0, data.n_states))
        if len(joined) >= ENOUGH or (order == 1 and len(joined)):
            estimates.append(TYPICAL * np.median(np.abs(joined), axis=0))
    if not estimates:
        return np.zeros(data.n_states)
    found, n_points = np.array(estimates), sum(run.n_points for run in runs)
    alike = found <= (1 + SIGMAS / np.sqrt(n_points)) * found.min(axis=0)
    return np.asarray((found * alike).sum(axis=0) / alike.sum(axis=0))


def _errors(times: Floats, states: Floats, order: int) -> Floats:
    """Errors of predicting each point from `order` points on each side, scaled to those of one measurement."""
    around = np.delete(np.arange(-order, order + 1), order)
    places = np.arange(order, len(times) - order)
    neighbours = places[:, np.newaxis] + around
    weights, _ = rules_at(times[neighbours], times[places], 2 * order - 1)
    predicted = np.einsum("kw,kwc->kc", weights, states[neighbours])
    scale = np.sqrt(1 + (weights**2).sum(axis=1, keepdims=True))
    return np.asarray((states[places] - predicted) / scale)
