"""Trajectories of a system from random starts, by a solver with tight tolerances."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from scalesr.errors import DataError
from scalesr.expr.evaluate import evaluate
from scalesr_bench.dynamics.problem import SystemProblem
from scalesr_bench.samplers import uniform_rows

Floats = NDArray[np.float64]

AT_ONCE = 100  # runs that one call of the solver advances together
RELATIVE, ABSOLUTE = 1e-11, 1e-12
MOST_CALLS = 60_000  # of the right-hand side, from which on a run has met a singularity
FARTHEST = 100.0  # widths of the box of starts: runs that go beyond are drawn again
TRIES = 20


@dataclass(frozen=True, slots=True, eq=False)
class DrawnRuns:
    """Trajectories to find laws in, and others to judge them by."""

    system: SystemProblem
    times: Floats  # (points,)
    measured: Floats  # (runs, points, states), with noise
    clean: Floats  # (runs, points, states), the same without
    held: Floats  # (runs, points, states), others, without


class _Stuck(Exception):
    """A run has met a singularity."""


def draw_runs(system: SystemProblem, *, seed: int, noise: float, n_trajectories: int | None = None) -> DrawnRuns:
    """Runs of a system; `noise` is a share of each state's standard deviation."""
    rng = np.random.default_rng([zlib.crc32(system.name.encode()), seed])
    n_known = n_trajectories or system.n_trajectories
    times = np.asarray(system.step * np.arange(system.n_points), np.float64)
    runs = _runs(system, times, n_known + system.n_held, rng)
    known, held = runs[:n_known], runs[n_known:]
    level = noise * known.std(axis=(0, 1))
    return DrawnRuns(system, times, known + level * rng.normal(size=known.shape), known, held)


def _runs(system: SystemProblem, times: Floats, n_runs: int, rng: np.random.Generator) -> Floats:
    at_once = AT_ONCE if n_runs > AT_ONCE else 1
    found: list[Floats] = []
    for _ in range(TRIES * max(n_runs // at_once, 1)):
        missing = n_runs - sum(map(len, found))
        if missing <= 0:
            return np.concatenate(found)
        starts = uniform_rows(system.starts, min(at_once, missing), rng=rng)
        states = _solved(system, starts, times)
        if states is not None:
            found.append(states)
    if sum(map(len, found)) >= n_runs:
        return np.concatenate(found)
    raise DataError(f"{system.name} has too few starts from which it can be followed.")


def _solved(system: SystemProblem, starts: Floats, times: Floats) -> Floats | None:  # (runs, points, states)
    """Runs side by side, None where one of them cannot be followed."""
    laws = [law.expression for law in system.laws]
    n_calls = 0

    def rates(_: float, x: Floats) -> Floats:
        nonlocal n_calls
        n_calls += 1
        if n_calls > MOST_CALLS:
            raise _Stuck
        table = x.reshape(starts.shape)
        return np.stack([evaluate(law, table) for law in laws], axis=1).ravel()

    with np.errstate(all="ignore"):
        try:
            done = solve_ivp(
                rates, (times[0], times[-1]), starts.ravel(), method="DOP853", t_eval=times, rtol=RELATIVE,
                atol=ABSOLUTE,
            )  # fmt: skip
        except (_Stuck, ValueError):
            return None
    if done.status != 0 or not np.isfinite(done.y).all():
        return None
    states = done.y.T.reshape(len(times), *starts.shape).transpose(1, 0, 2)
    low, high = np.array(system.starts).T
    inside = (np.abs(states - (low + high) / 2) <= FARTHEST * (high - low)).all()
    return np.ascontiguousarray(states) if inside else None
