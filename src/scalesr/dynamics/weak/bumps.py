"""Test functions: bumps (1 - s^2)^q of several widths all along a trajectory, as sums over its points.

For a bump p that vanishes with its slopes at both ends of its window, the integral of p*x' is that of
-p'*x, and the integral of p*x'' that of p''*x: no measured value is differentiated. The left side of a
law then has a noise whose covariance is known, and its rows are combined so that they have independent
noise of the size of the measurements' (generalised least squares).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

POWER = 8  # q: seven derivatives vanish at the ends, which the sums over points need to be exact
HALF_WIDTHS = (8, 13, 21, 34, 55)  # points on each side; from what a sum resolves up to a third of a short run
OVERLAP = 4  # centres per half width
LEAST_SHARE = 1e-5  # of the largest variance: combinations of bumps with less are next to nothing but rounding


@dataclass(frozen=True, slots=True, eq=False)
class Bumps:
    """Linear rules on the points of one run, with independent noise on the left side."""

    left: Floats  # (rows, points) that take a state to the left side of its law
    right: Floats  # (rows, points) that take a term along the run to its integral


def bumps(times: Floats, *, order: int = 1) -> Bumps:
    """Rules for a run with these times, for laws of first or second order."""
    n = len(times)
    weights = _trapezoid(times)
    left, right = [], []
    for half in sorted({min(half, (n - 1) // 2) for half in HALF_WIDTHS}):
        for middle in np.unique(np.linspace(half, n - 1 - half, max((n - 2 * half) * OVERLAP // half, 1)).round()):
            inside = slice(int(middle) - half, int(middle) + half + 1)
            value, moved = _bump(times[inside], order)
            left.append(_placed(moved * weights[inside], inside, n))
            right.append(_placed(value * weights[inside], inside, n))
    return _independent(np.array(left), np.array(right))


def _bump(times: Floats, order: int) -> tuple[Floats, Floats]:
    """Values of a bump over its window, and what its integral with a state makes of the state's derivative."""
    width = (times[-1] - times[0]) / 2
    s = (times - times[0]) / width - 1
    inner = np.maximum(1 - s**2, 0.0)
    slope = -2 * POWER * s * inner ** (POWER - 1)
    if order == 1:
        return inner**POWER, -slope / width
    bend = -2 * POWER * inner ** (POWER - 1) + 4 * POWER * (POWER - 1) * s**2 * inner ** (POWER - 2)
    return inner**POWER, bend / width**2


def _trapezoid(times: Floats) -> Floats:
    steps = np.diff(times)
    return np.asarray((np.concatenate([[0.0], steps]) + np.concatenate([steps, [0.0]])) / 2)


def _placed(values: Floats, inside: slice, n: int) -> Floats:
    row = np.zeros(n)
    row[inside] = values
    return row


def _independent(left: Floats, right: Floats) -> Bumps:
    """Combinations of rows whose left sides are orthonormal."""
    size = np.linalg.norm(left, axis=1, keepdims=True)
    left, right = left / size, right / size
    variances, directions = np.linalg.eigh(left @ left.T)
    kept = variances > LEAST_SHARE * variances[-1]
    mixed = (directions[:, kept] / np.sqrt(variances[kept])).T
    return Bumps(mixed @ left, mixed @ right)
