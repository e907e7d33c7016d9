"""Flow: a system run along many segments at once, with how it depends on its constants and starts.

Between two points of a segment the explicit Runge-Kutta rule of order eight by Dormand and Prince takes
`n_sub` steps; a map is applied once. Where a system blows up its states are not finite from there on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853

from scalesr.dynamics.segments import Segments
from scalesr.dynamics.system import System

Floats = NDArray[np.float64]

HUGE = 1e100  # states beyond have blown up


def run(system: System, segments: Segments, starts: Floats, *, n_sub: int = 1) -> Floats:
    """States (segments, points, states) from starts (segments, states)."""
    states, _ = _run(system, segments, starts, n_sub, with_slopes=False)
    return states


def run_with_slopes(system: System, segments: Segments, starts: Floats, *, n_sub: int = 1) -> tuple[Floats, Floats]:
    """States, and their derivatives by free constants, then starts, (segments, points, states, constants + states)."""
    return _run(system, segments, starts, n_sub, with_slopes=True)


def _run(
    system: System, segments: Segments, starts: Floats, n_sub: int, *, with_slopes: bool
) -> tuple[Floats, Floats]:  # fmt: skip
    n, length = segments.times.shape
    d, q = system.n_states, system.n_free + system.n_states if with_slopes else 0
    states = np.empty((n, length, d))
    slopes = np.zeros((n, length, d, q))
    x, s = starts.copy(), np.zeros((n, d, q))
    if with_slopes:
        s[:, :, system.n_free :] = np.eye(d)
    states[:, 0], slopes[:, 0] = x, s
    advance = _map_step if system.is_map else _rate_step
    with np.errstate(all="ignore"):
        for k in range(length - 1):
            x, s = advance(system, segments, k, x, s, n_sub)
            x = np.where(np.abs(x) < HUGE, x, np.nan)
            states[:, k + 1], slopes[:, k + 1] = x, s
    return states, slopes


def _map_step(system: System, segments: Segments, k: int, x: Floats, s: Floats, n_sub: int) -> tuple[Floats, Floats]:
    del n_sub  # a map has no steps between
    table = np.hstack([x, segments.inputs_at(segments.times[:, k])])
    return system.rates(table), _slope_rates(system, table, s)


def _rate_step(system: System, segments: Segments, k: int, x: Floats, s: Floats, n_sub: int) -> tuple[Floats, Floats]:
    first = segments.times[:, k]
    h = (segments.times[:, k + 1] - first) / n_sub
    wide, deep = h[:, np.newaxis], h[:, np.newaxis, np.newaxis]
    for part in range(n_sub):
        fx: list[Floats] = []
        fs: list[Floats] = []
        for row, along in zip(DOP853.A, DOP853.C, strict=True):
            here, there = x + wide * _mixed(row, fx, x), s + deep * _mixed(row, fs, s)
            table = np.hstack([here, segments.inputs_at(first + (part + along) * h)])
            fx.append(system.rates(table))
            fs.append(_slope_rates(system, table, there))
        x, s = x + wide * _mixed(DOP853.B, fx, x), s + deep * _mixed(DOP853.B, fs, s)
    return x, s


def _mixed(weights: Floats, rates: list[Floats], like: Floats) -> Floats:
    """The weighted sum of the rates of earlier stages."""
    total = np.zeros_like(like)
    if like.size:
        for weight, rate in zip(weights, rates, strict=False):
            if weight:
                total += weight * rate
    return total


def _slope_rates(system: System, table: Floats, s: Floats) -> Floats:
    """Rates of the derivatives by constants and starts."""
    if s.shape[2] == 0:
        return s
    found = system.by_state(table) @ s
    found[:, :, : system.n_free] += system.by_constant(table)
    return np.asarray(found)
