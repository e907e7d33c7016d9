"""Trajectories that cross themselves: where states are the same and rates are not, a state is missing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scalesr.dynamics.noise import noise_of_states
from scalesr.dynamics.trajectories import Trajectories
from scalesr.dynamics.weak.smooth import smooth_runs

Floats = NDArray[np.float64]

MOST_POINTS = 4_000
ASKED = 12  # neighbours of a point, of which the nearest that is not next to it in time counts
NEXT = 10  # points of the same run that are next to a point in time
CROSSES = 0.5  # of a rate's standard deviation: the usual difference between neighbours that one law cannot have


def second_order_hint(data: Trajectories) -> tuple[str, ...]:
    """A sentence that says to try laws of second order, where no law of first order can hold; else nothing."""
    smooth = smooth_runs(data, noise_of_states(data))
    rates = [
        np.gradient(values[:, : data.n_states], run.times, axis=0)
        for values, run in zip(smooth, data.runs, strict=True)
    ]
    table, rate = np.concatenate(smooth), np.concatenate(rates)
    at = np.concatenate([k * 1e6 + np.arange(run.n_points) for k, run in enumerate(data.runs)])
    step = max(len(table) // MOST_POINTS, 1)
    table, rate, at = table[::step], rate[::step], at[::step]
    std = table.std(axis=0)
    nearest = _nearest(table / np.where(std > 0, std, 1.0), at, NEXT * step)
    known = nearest >= 0
    if known.mean() < 0.5:
        return ()
    apart = np.median(np.abs(rate[known] - rate[nearest[known]]), axis=0) / np.maximum(rate.std(axis=0), 1e-300)
    crossing = [name for name, share in zip(data.states, apart.tolist(), strict=True) if share > CROSSES]
    if not crossing:
        return ()
    return (
        f"Where the states are the same, the rate of {', '.join(crossing)} is not: no law of first order in these "
        f"columns can hold. If a rate was not measured (positions without velocities), try order=2 (--order 2); "
        f"otherwise a state or an input is missing.",
    )


def _nearest(points: Floats, at: Floats, apart: int) -> NDArray[np.int64]:
    """The nearest point that is not next to each in time; -1 where there is none among its neighbours."""
    _, found = cKDTree(points).query(points, k=min(ASKED * 4, len(points)))
    far = np.abs(at[found] - at[:, np.newaxis]) > apart
    first = far.argmax(axis=1)
    return np.where(far.any(axis=1), found[np.arange(len(points)), first], -1)
