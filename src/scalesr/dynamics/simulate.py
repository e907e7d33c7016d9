"""Simulation of laws by SciPy's solvers; stiff systems get a stiff one, and what blows up ends in NaN."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.interpolate import PchipInterpolator

from scalesr.dynamics.system import System

Floats = NDArray[np.float64]

METHODS = {"DOP853": 20_000, "LSODA": 200_000, "Radau": 50_000}  # tried in turn, with this many calls of the laws
FAR = 1e12  # times the size of the start: there a system has blown up
RELATIVE, ABSOLUTE = 1e-10, 1e-12


class _Stuck(Exception):
    """A solver takes too many steps."""


def simulated(system: System, start: Floats, times: Floats, inputs: Floats) -> Floats:
    """States (points, states) at increasing times, from `start` at the first; NaN from where there are none."""
    if system.is_map:
        return _iterated(system, start, inputs)
    best = np.full((len(times), len(start)), np.nan)
    best[0] = start
    if len(times) == 1:
        return best
    for method in METHODS:
        found, is_final = _solved(system, start, times, inputs, method)
        if is_final:
            return found
        if np.isfinite(found).sum() > np.isfinite(best).sum():
            best = found
    return best


def _iterated(system: System, start: Floats, inputs: Floats) -> Floats:
    states = np.empty((len(inputs), len(start)))
    states[0] = start
    with np.errstate(all="ignore"):
        for k in range(len(inputs) - 1):
            states[k + 1] = system.rates(np.hstack([states[k], inputs[k]])[np.newaxis])[0]
    return states


def _solved(system: System, start: Floats, times: Floats, inputs: Floats, method: str) -> tuple[Floats, bool]:
    """States as far as a solver gets, and whether another need not be asked: it came to the end, or to a blow-up."""
    given = input_curve(times, inputs)
    n_calls = 0

    def rates(t: float, x: Floats) -> Floats:
        nonlocal n_calls
        n_calls += 1
        if n_calls > METHODS[method]:
            raise _Stuck
        return np.asarray(system.rates(np.hstack([x, given(t)])[np.newaxis])[0])

    def is_near(_: float, x: Floats) -> float:
        return FAR * size - float(np.abs(x).max())

    is_near.terminal = True  # type: ignore[attr-defined]
    size = max(float(np.abs(start).max()), 1.0)
    states = np.full((len(times), len(start)), np.nan)
    scale = ABSOLUTE * np.maximum(np.abs(start), 1.0)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a solver that gives up says so in its status
        try:
            done = solve_ivp(
                rates, (times[0], times[-1]), start, method=method, t_eval=times, rtol=RELATIVE, atol=scale,
                events=is_near,
            )  # fmt: skip
        except (_Stuck, ValueError, ZeroDivisionError, OverflowError, np.linalg.LinAlgError):
            return states, False
    if not len(done.t):  # it has not come to the end of its first step
        return states, False
    states[: len(done.t)] = done.y.T
    return states, done.status in (0, 1) and bool(np.isfinite(done.y).all())


def input_curve(times: Floats, inputs: Floats) -> Callable[[float], Floats]:
    """Known inputs between the times at which they are given."""
    if inputs.shape[1] == 0:
        return lambda _: np.empty(0)
    if len(times) == 1 or (np.ptp(inputs, axis=0) == 0).all():
        return lambda _: inputs[0]
    curve = PchipInterpolator(times, inputs)
    return lambda t: np.asarray(curve(t))


def trajectory_score(measured: Sequence[Floats], found: Sequence[Floats]) -> float:
    """The share of variance that simulations explain, the mean over states; -inf where one has no values."""
    truth, values = np.concatenate(measured), np.concatenate(found)
    if not np.isfinite(values).all():
        return -np.inf
    left = ((truth - values) ** 2).sum(axis=0)
    whole = ((truth - truth.mean(axis=0)) ** 2).sum(axis=0)
    return float(np.mean(1 - left / np.where(whole > 0, whole, 1.0)))
