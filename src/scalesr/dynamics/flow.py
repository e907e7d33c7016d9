"""The flow of a system along segments, all of them side by side, with its derivatives by constants and starts.

Between two points a Runge-Kutta rule of order eight by Dormand and Prince takes `n_sub` steps; a map is
applied once. States are found one step after another by compiled code. Their derivatives obey linear equations along
them, so that what each step makes of them is worked out for many steps at once.
Where a system blows up its states are not finite from there on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853

from scalesr.dynamics.segments import Segments
from scalesr.dynamics.system import System
from scalesr.expr.programs import pack
from scalesr.kernels.flow import follow
from scalesr.kernels.table import table as operators

Floats = NDArray[np.float64]

HUGE = 1e100  # states beyond have blown up
MOST_AT_ONCE = 2_000_000  # numbers in what one stage makes of the derivatives
STAGES = len(DOP853.B)
BEFORE = np.ascontiguousarray(DOP853.A[:STAGES, :STAGES])  # weights of earlier stages
LAST = np.ascontiguousarray(DOP853.B)  # weights of all stages in a step


def run(system: System, segments: Segments, starts: Floats, *, n_sub: int = 1) -> Floats:
    """States (segments, points, states) from starts (segments, states)."""
    return _along(system, segments, starts, n_sub, keep=False).states


def run_with_slopes(system: System, segments: Segments, starts: Floats, *, n_sub: int = 1) -> tuple[Floats, Floats]:
    """States, and their derivatives by free constants, then starts, (segments, points, states, constants + states)."""
    path = _along(system, segments, starts, n_sub, keep=True)
    return path.states, _slopes(system, path, 1 if system.is_map else n_sub)


@dataclass(frozen=True, slots=True, eq=False)
class _Path:
    """States at points, and the columns and lengths of all steps that led there."""

    states: Floats  # (segments, points, states)
    columns: Floats  # (steps, stages, columns, segments), empty where it was not kept
    lengths: Floats  # (steps, segments)


def _along(system: System, segments: Segments, starts: Floats, n_sub: int, *, keep: bool) -> _Path:
    n, length = segments.times.shape
    d, n_stages, n_sub = system.n_states, 1 if system.is_map else STAGES, 1 if system.is_map else n_sub
    n_steps = (length - 1) * n_sub
    lengths = np.repeat(np.diff(segments.times, axis=1).T / n_sub, n_sub, axis=0)
    kept = np.empty((n_steps if keep else 1, n_stages, d + segments.n_inputs, n))
    known = _inputs(segments, n_sub, n_stages)
    states = np.empty((n_steps + 1, d, n))
    states[0] = starts.T
    with np.errstate(all="ignore"):
        programs = pack([law.expression for law in system.laws])
        follow.call(
            operators(), *programs, BEFORE, LAST[:n_stages], system.is_map, HUGE, known, lengths, kept, states
        )  # fmt: skip
    return _Path(states[::n_sub].transpose(2, 0, 1), kept if keep else kept[:0], lengths)


def _inputs(segments: Segments, n_sub: int, n_stages: int) -> Floats:
    """Known inputs at every stage of every step, (steps, stages, inputs, segments)."""
    n_steps = (segments.times.shape[1] - 1) * n_sub
    if not segments.n_inputs:
        return np.empty((n_steps, n_stages, 0, segments.n_segments))
    along = DOP853.C if n_stages == STAGES else np.zeros(1)
    first, h = segments.times[:, :-1, np.newaxis, np.newaxis], np.diff(segments.times, axis=1)[:, :, np.newaxis]
    parts = (np.arange(n_sub)[:, np.newaxis] + along[:STAGES]) / n_sub  # (parts, stages)
    times = first + h[..., np.newaxis] * parts
    found = segments.inputs_at(times.reshape(len(times), -1))
    n, n_inputs = segments.n_segments, segments.n_inputs
    return np.ascontiguousarray(found.reshape(n, n_steps, n_stages, n_inputs).transpose(1, 2, 3, 0))


def _slopes(system: System, path: _Path, n_sub: int) -> Floats:
    """Derivatives of the states, carried from step to step."""
    n, length, d = path.states.shape
    q = system.n_free
    found = np.zeros((length, n, d, q + d))
    found[0, :, :, q:] = np.eye(d)
    chunk = max(MOST_AT_ONCE // (n * d * (d + q)), 1)
    s = found[0]
    with np.errstate(all="ignore"):
        for first in range(0, len(path.columns), chunk):
            here = slice(first, first + chunk)
            carried, added = _propagators(system, path.columns[here], path.lengths[here])
            for k in range(len(carried)):
                s = carried[k] @ s
                s[:, :, :q] += added[k]
                if (first + k + 1) % n_sub == 0:
                    found[(first + k + 1) // n_sub] = s
    return found.transpose(1, 0, 2, 3)


def _propagators(system: System, columns: Floats, lengths: Floats) -> tuple[Floats, Floats]:
    """What each step makes of derivatives: a factor (steps, segments, states, states), and a term by the constants."""
    n_steps, n_stages, width, n = columns.shape
    d, q = system.n_states, system.n_free
    tables = columns.transpose(1, 0, 3, 2).reshape(n_stages, n_steps * n, width)
    first = np.zeros((n_steps * n, d, d + q))
    first[:, :, :d] = np.eye(d)
    h = lengths.reshape(-1, 1, 1)
    if system.is_map:
        whole = np.concatenate([system.by_state(tables[0]), system.by_constant(tables[0])], axis=2)
        whole = np.where(h > 0, whole, first)
    else:
        rates = np.empty((n_stages, first.size))
        for k in range(n_stages):
            here = first + h * (BEFORE[k, :k] @ rates[:k]).reshape(first.shape) if k else first
            rate = system.by_state(tables[k]) @ here
            rate[:, :, d:] += system.by_constant(tables[k])
            rates[k] = rate.ravel()
        whole = first + h * (LAST @ rates).reshape(first.shape)
    split = whole.reshape(n_steps, n, d, d + q)
    return split[..., :d], split[..., d:]
