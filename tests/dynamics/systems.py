"""Trajectories of known laws for tests."""

import numpy as np
from scipy.integrate import solve_ivp

from scalesr.dynamics.trajectories import Trajectories, Trajectory, whole_trajectories
from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse


def runs_of(laws, names, *, starts, duration, noise=0.0, n_runs=6, n_points=120, seed=0) -> Trajectories:
    """Runs from random starts within ranges, with a share of each state's standard deviation as noise."""
    rng = np.random.default_rng(seed)
    parsed = [parse(law, names) for law in laws]
    times = np.linspace(0, duration, n_points)
    low, high = np.array(starts, float).T

    def rates(_, x):
        return [evaluate(law, x[np.newaxis])[0] for law in parsed]

    solved = [
        solve_ivp(rates, (0, duration), rng.uniform(low, high), t_eval=times, rtol=1e-9, atol=1e-10).y.T
        for _ in range(n_runs)
    ]
    level = noise * np.std(np.concatenate(solved), axis=0)
    noisy = [states + level * rng.normal(size=states.shape) for states in solved]
    return whole_trajectories([Trajectory(times, states, np.empty((n_points, 0))) for states in noisy], names)
