"""The same fits by SciPy: MINPACK's Levenberg-Marquardt and BFGS, both with exact derivatives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares, minimize

from scalesr_bench.engine.curves import TestCurves, model, slopes

FAILED = np.inf


def minpack(curves: TestCurves, starts: NDArray[np.float64]) -> NDArray[np.float64]:  # (curves,)
    """Sum of squares that MINPACK reaches from each start."""
    return np.array([_minpack_one(curves.x, y, start) for y, start in zip(curves.y, starts, strict=True)])


def bfgs(curves: TestCurves, starts: NDArray[np.float64]) -> NDArray[np.float64]:  # (curves,)
    """Sum of squares that BFGS reaches from each start."""
    return np.array([_bfgs_one(curves.x, y, start) for y, start in zip(curves.y, starts, strict=True)])


def _minpack_one(x: NDArray[np.float64], y: NDArray[np.float64], start: NDArray[np.float64]) -> float:
    with np.errstate(all="ignore"):
        try:
            found = least_squares(lambda c: model(c, x) - y, start, jac=lambda c: slopes(c, x), method="lm")
        except ValueError:  # a residual that is not finite
            return FAILED
    return float(2 * found.cost)


def _bfgs_one(x: NDArray[np.float64], y: NDArray[np.float64], start: NDArray[np.float64]) -> float:
    def value_and_gradient(constants: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        residual = model(constants, x) - y
        return float(residual @ residual), 2 * residual @ slopes(constants, x)

    with np.errstate(all="ignore"):
        return float(minimize(value_and_gradient, start, jac=True, method="BFGS").fun)
