"""The model that frequencies are fitted by: y = B(x) + sum_k A_k(x) cos(w_k u_k + p_k), with polynomials A and B.

Given frequencies and phases the rest is linear and is solved for; frequencies and phases follow by
Gauss-Newton steps. One phase for all rows makes the frequency identifiable: with a sine and a cosine of amplitudes
of their own any slow change of phase could be taken up by these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

from scalesr.reduce.waves.config import WAVE
from scalesr.reduce.waves.coordinates import Scan

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Wave:
    """A phase: frequencies (radians per unit) along coordinates, and what is added."""

    scan: Scan
    frequencies: Floats  # (coordinates,)
    phase: float

    @property
    def angles(self) -> Floats:
        """(rows,)."""
        values: Floats = self.phase + sum(
            w * coordinate.values for w, coordinate in zip(self.frequencies, self.scan, strict=True)
        )
        return values

    @property
    def cycles(self) -> float:
        """Over the range of the coordinate that it is fastest along."""
        spans = [float(np.ptp(one.values)) for one in self.scan]
        return float(np.abs(self.frequencies * spans).max()) / (2 * np.pi)


@dataclass(frozen=True, slots=True, eq=False)
class FittedWaves:
    """Waves with their amplitudes."""

    waves: tuple[Wave, ...]
    amplitudes: Floats  # (waves + 1, functions) the first line is the smooth part
    residual: Floats  # (rows,)
    n_numbers: int

    @property
    def rss(self) -> float:
        return float(self.residual @ self.residual)

    @property
    def length(self) -> float:
        """Description length in nats, up to a constant of the rows; what is left at rounding level is as nothing."""
        n = len(self.residual)
        return 0.5 * n * float(np.log(self.rss / n + WAVE.rounding**2)) + 0.5 * self.n_numbers * float(np.log(n))


def fitted(y: Floats, waves: Sequence[Wave], basis: Floats, smooth: Floats) -> FittedWaves:
    """Amplitudes over `basis` (rows, functions) and a smooth part over `smooth` for waves as they are."""
    design = _design([np.cos(wave.angles) for wave in waves], basis, smooth)
    solution = _solved(design, y)
    residual = y - design @ solution
    n_smooth = smooth.shape[1]
    parts = np.zeros((len(waves) + 1, max(n_smooth, basis.shape[1])))
    parts[0, :n_smooth] = solution[:n_smooth]
    for k in range(len(waves)):
        start = n_smooth + k * basis.shape[1]
        parts[k + 1, : basis.shape[1]] = solution[start : start + basis.shape[1]]
    n_nonlinear = sum(len(wave.frequencies) + 1 for wave in waves)
    return FittedWaves(tuple(waves), parts, residual, design.shape[1] + n_nonlinear)


def refined(y: Floats, waves: Sequence[Wave], basis: Floats, smooth: Floats) -> FittedWaves:
    """The same with frequencies and phases fitted too."""
    best = fitted(y, waves, basis, smooth)
    for _ in range(WAVE.n_steps):
        step = _step(best, basis, smooth)
        tried = best
        for halving in range(WAVE.n_halvings):
            moved = _moved(best.waves, step / 2**halving)
            tried = fitted(y, moved, basis, smooth)
            if tried.rss < best.rss:
                break
        if not tried.rss < best.rss * (1 - WAVE.converged):
            return best if best.rss <= tried.rss else tried
        best = tried
    return best


def turned(y: Floats, wave: Wave, basis: Floats, smooth: Floats) -> Wave:
    """A wave with the phase that one phase for all rows comes closest to, by a sine and a cosine side by side."""
    angles = wave.angles
    design = _design([np.cos(angles), np.sin(angles)], basis, smooth)
    found = _solved(design, y)[smooth.shape[1] :].reshape(2, basis.shape[1])
    left, _, _ = np.linalg.svd(found @ _root(basis))
    return replace(wave, phase=wave.phase - float(np.arctan2(left[1, 0], left[0, 0])))


def _root(basis: Floats) -> Floats:
    """The triangle that turns coefficients into lengths of functions."""
    return np.asarray(np.linalg.qr(basis, mode="r"), np.float64).T


def _step(found: FittedWaves, basis: Floats, smooth: Floats) -> Floats:
    """The change of frequencies and phases that a linear model of the residual asks for."""
    angles = [wave.angles for wave in found.waves]
    slopes = []
    for wave, angle, amplitude in zip(found.waves, angles, found.amplitudes[1:], strict=True):
        slope = -np.sin(angle) * (basis @ amplitude[: basis.shape[1]])
        slopes += [slope * (one.values - one.values.mean()) for one in wave.scan]
        slopes.append(slope)
    design = np.column_stack([_design([np.cos(angle) for angle in angles], basis, smooth), *slopes])
    return _solved(design, found.residual)[-len(slopes) :]


def _moved(waves: Sequence[Wave], step: Floats) -> list[Wave]:
    """Waves after a step; frequencies turn about the middle of the rows."""
    moved, place = [], 0
    for wave in waves:
        n = len(wave.frequencies)
        change = step[place : place + n]
        centres = np.array([float(one.values.mean()) for one in wave.scan])
        phase = wave.phase + float(step[place + n]) - float(change @ centres)
        moved.append(replace(wave, frequencies=wave.frequencies + change, phase=phase))
        place += n + 1
    return moved


def _design(factors: Sequence[Floats], basis: Floats, smooth: Floats) -> Floats:
    """Columns of the linear problem, (rows, columns)."""
    return np.column_stack([smooth, *(basis * factor[:, np.newaxis] for factor in factors)])


def _solved(design: Floats, y: Floats) -> Floats:
    """Least squares by a pivoted QR decomposition; columns that others make superfluous get 0."""
    sizes = np.sqrt((design**2).sum(axis=0))
    sizes = np.where(sizes > 0, sizes, 1.0)
    q, r, order = qr(design / sizes, mode="economic", pivoting=True, check_finite=False)
    diagonal = np.abs(np.diag(r))
    rank = int(np.count_nonzero(diagonal > WAVE.linearly_dependent * diagonal[0])) if len(diagonal) else 0
    solution = np.zeros(design.shape[1])
    solution[order[:rank]] = solve_triangular(r[:rank, :rank], q[:, :rank].T @ y, check_finite=False)
    return np.asarray(solution / sizes)
