"""Shooting: constants and starts for which the system runs closest to the measured trajectories.

Errors are in the measured states, where they belong, so that differentiation leaves no bias. The
start of every segment is an unknown of its own and is eliminated from each Gauss-Newton step. Each
state counts by its own residual, which is its noise when the law is right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.flow import run, run_with_slopes
from scalesr.dynamics.segments import Segments
from scalesr.dynamics.system import System
from scalesr.records.stop import Stop

Floats = NDArray[np.float64]

MAX_STEPS = 30
ENOUGH = 1e-6  # relative change of the sum of squares below which a fit has converged
FLOOR = 1e-10  # of a state's standard deviation: what the integration of measured trajectories can be trusted to
MAX_SUB = 16
MOSTLY = 0.8  # of the segments that have to be followed
HIGH_ORDER = 100.0  # halving a step makes its error at least this many times smaller
MOST_DAMPING = 1e4
AT_FLOOR = 3.0  # times the floor: nothing is left to be gained
POINTS_PER_UNIT = 1000  # points along which a system is followed, with its derivatives, in a unit of work


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A system fitted to segments."""

    system: System
    starts: Floats  # (segments, states)
    residuals: Floats  # (segments, points, states), 0 where no point counts
    covariance: Floats  # (free constants, free constants)
    n_points: int

    @property
    def errors(self) -> Floats:
        """Root mean square residual of each state."""
        return np.asarray(np.sqrt((self.residuals**2).sum(axis=(0, 1)) / self.n_points))

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.residuals).all())

    @property
    def is_determined(self) -> bool:
        """Whether the trajectories tell all free constants apart."""
        return bool(np.isfinite(self.covariance).all())


def work_of_a_step(segments: Segments, n_sub: int) -> float:
    """Units of work of a step of a fit to these segments, with this many steps between points."""
    return segments.times.size * n_sub / POINTS_PER_UNIT


def std_of(segments: Segments) -> Floats:  # (states,)
    """Standard deviation of each state."""
    return np.asarray(segments.states[segments.counts].std(axis=0))


def enough_steps(system: System, segments: Segments, tolerance: Floats) -> tuple[int, NDArray[np.bool_]]:
    """Steps between points with which most segments are followed to within `tolerance` (states,), and which these are.

    The others pass too close to a singularity to be of use.
    """
    if system.is_map:
        return 1, np.ones(segments.n_segments, np.bool_)
    starts, n_sub = segments.states[:, 0], 1
    coarse = run(system, segments, starts, n_sub=1)
    while True:
        fine = run(system, segments, starts, n_sub=2 * n_sub)
        with np.errstate(all="ignore"):
            off = np.sqrt(((fine - coarse) ** 2).mean(axis=1))  # (segments, states)
        followed = (off <= tolerance).all(axis=1)
        if followed.mean() >= MOSTLY or 2 * n_sub > MAX_SUB:
            return n_sub, followed
        if (off <= HIGH_ORDER * tolerance).all(axis=1).mean() >= MOSTLY:
            return 2 * n_sub, (off <= HIGH_ORDER * tolerance).all(axis=1)
        coarse, n_sub = fine, 2 * n_sub


def shoot(
    system: System,
    segments: Segments,
    *,
    n_sub: int = 1,
    starts: Floats | None = None,
    max_steps: int = MAX_STEPS,
    deadline: Stop | None = None,
) -> Shot:
    """Fit a system by damped Gauss-Newton steps, which count as work."""
    until = deadline or Stop()
    std = std_of(segments)
    at = segments.states[:, 0].copy() if starts is None else starts
    residuals = _residuals(system, segments, at, n_sub)
    if not np.isfinite(residuals).all():
        return Shot(system, at, residuals, _unknown(system), segments.n_counted)
    damping = 1e-4
    for _ in range(max_steps):
        sigma = _sigma(residuals, segments, std)
        if (sigma <= AT_FLOOR * FLOOR * std).all():
            break
        _, slopes = run_with_slopes(system, segments, at, n_sub=n_sub)
        until.spend(work_of_a_step(segments, n_sub))
        if not np.isfinite(slopes).all():
            break
        equations = _Equations(residuals / sigma, segments.counted(slopes) / sigma[:, np.newaxis], system.n_free)
        before = float(((residuals / sigma) ** 2).sum())
        gained = -1.0
        while damping < MOST_DAMPING:
            step, moves = equations.solved(damping)
            trial = system.with_values(system.values + step) if _finite(system.values + step) else None
            new = None if trial is None else _residuals(trial, segments, at + moves, n_sub)
            if trial is not None and new is not None and np.isfinite(new).all():
                after = float(((new / sigma) ** 2).sum())
                if after <= before:
                    system, at, residuals = trial, at + moves, new
                    gained = (before - after) / max(before, 1e-300)
                    damping = max(damping / 10, 1e-12)
                    break
            damping *= 10
        if gained < ENOUGH or until.passed:
            break
    sigma = _sigma(residuals, segments, std)
    _, slopes = run_with_slopes(system, segments, at, n_sub=n_sub)
    if not np.isfinite(slopes).all():
        return Shot(system, at, residuals, _unknown(system), segments.n_counted)
    final = _Equations(residuals / sigma, segments.counted(slopes) / sigma[:, np.newaxis], system.n_free)
    return Shot(system, at, residuals, final.covariance(), segments.n_counted)


def normal_equations(
    system: System, segments: Segments, about: Shot, *, n_sub: int
) -> tuple[Floats, Floats, float] | None:  # fmt: skip
    """Matrix, side and sum of squares of the flow's regression on all free constants, in units of the residuals.

    The flow is linear about the values of `system`, which has the laws of `about` written more widely;
    None where its derivatives are not finite.
    """
    sigma = _sigma(about.residuals, segments, std_of(segments))
    _, slopes = run_with_slopes(system, segments, about.starts, n_sub=n_sub)
    if not np.isfinite(slopes).all():
        return None
    scaled = about.residuals / sigma
    equations = _Equations(scaled, segments.counted(slopes) / sigma[:, np.newaxis], system.n_free)
    return equations.without_starts(float((scaled**2).sum()))


class _Equations:
    """Normal equations with the starts of segments eliminated."""

    def __init__(self, residuals: Floats, slopes: Floats, n_free: int) -> None:
        n, length, d = residuals.shape
        r = residuals.reshape(n, length * d, 1)
        by = slopes.reshape(n, length * d, -1)
        constants, starts = by[:, :, :n_free], by[:, :, n_free:]
        self._own = np.einsum("nij,nik->jk", constants, constants, optimize=True)
        self._cross = constants.transpose(0, 2, 1) @ starts  # (segments, constants, states)
        self._starts = starts.transpose(0, 2, 1) @ starts
        self._own_side = np.einsum("nij,nik->j", constants, r, optimize=True)
        self._start_side = (starts.transpose(0, 2, 1) @ r)[:, :, 0]

    def solved(self, damping: float) -> tuple[Floats, Floats]:
        """Steps of the constants (constants,) and of the starts (segments, states)."""
        blocks = self._starts + damping * _diagonals(self._starts)
        own = self._own + damping * np.diag(np.diag(self._own))
        through = np.linalg.solve(blocks, self._cross.transpose(0, 2, 1))  # (segments, states, constants)
        ahead = np.linalg.solve(blocks, self._start_side[:, :, np.newaxis])[:, :, 0]
        reduced = own - np.einsum("njs,nsk->jk", self._cross, through, optimize=True)
        side = self._own_side - np.einsum("njs,ns->j", self._cross, ahead, optimize=True)
        step = _solved(reduced, side)
        return step, ahead - through @ step

    def without_starts(self, total: float) -> tuple[Floats, Floats, float]:
        """Matrix and side of the constants, and the squares that are left, with the best starts for each."""
        blocks = self._starts + 1e-14 * _diagonals(self._starts)
        through = np.linalg.solve(blocks, self._cross.transpose(0, 2, 1))
        ahead = np.linalg.solve(blocks, self._start_side[:, :, np.newaxis])[:, :, 0]
        reduced = self._own - np.einsum("njs,nsk->jk", self._cross, through, optimize=True)
        side = self._own_side - np.einsum("njs,ns->j", self._cross, ahead, optimize=True)
        return reduced, side, total - float((self._start_side * ahead).sum())

    def covariance(self) -> Floats:
        """Covariance of the constants, for errors of variance one; infinite where it cannot be determined."""
        blocks = self._starts + 1e-14 * _diagonals(self._starts)
        through = np.linalg.solve(blocks, self._cross.transpose(0, 2, 1))
        reduced = self._own - np.einsum("njs,nsk->jk", self._cross, through, optimize=True)
        scale = np.sqrt(np.maximum(np.diag(reduced), 1e-300))
        with np.errstate(all="ignore"):
            shaped = reduced / np.outer(scale, scale)
        if not len(scale) or not np.isfinite(shaped).all() or np.linalg.cond(shaped) > 1e15:
            return np.full(reduced.shape, np.inf)
        return np.asarray(np.linalg.inv(shaped) / np.outer(scale, scale))


def _solved(matrix: Floats, side: Floats) -> Floats:
    """The solution with every unknown in a unit of its own."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(matrix)), 1e-300))
    with np.errstate(all="ignore"):
        shaped = matrix / np.outer(scale, scale)
    if not (np.isfinite(shaped).all() and np.isfinite(side).all()):
        return np.full(len(side), np.nan)  # slopes too steep to be squared: no step
    return np.asarray(np.linalg.lstsq(shaped, side / scale, rcond=1e-15)[0] / scale)


def _diagonals(blocks: Floats) -> Floats:
    """Diagonal matrices of the blocks' diagonals, none of them 0."""
    diagonal = np.maximum(np.diagonal(blocks, axis1=1, axis2=2), 1e-12)
    return np.asarray(diagonal[:, :, np.newaxis] * np.eye(blocks.shape[1]))


def _residuals(system: System, segments: Segments, starts: Floats, n_sub: int) -> Floats:
    """Measured states less those of the system."""
    return segments.counted(segments.states - run(system, segments, starts, n_sub=n_sub))


def _sigma(residuals: Floats, segments: Segments, std: Floats) -> Floats:
    """Standard deviation that each state's residual is measured by."""
    return np.asarray(np.sqrt((residuals**2).sum(axis=(0, 1)) / segments.n_counted + (FLOOR * std) ** 2))


def _unknown(system: System) -> Floats:
    return np.full((system.n_free, system.n_free), math.inf)


def _finite(values: Floats) -> bool:
    return bool(np.isfinite(values).all())
