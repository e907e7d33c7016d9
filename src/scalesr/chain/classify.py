"""Classify: which coefficients vary along the new variable and which stay constant."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.config import CHAIN

Floats = NDArray[np.float64]


def weighted_mean(values: Floats, errors: Floats) -> float:
    """Mean of values with their standard errors; the median where no error is known."""
    usable = np.isfinite(errors) & (errors > 0)
    if not usable.any():
        return float(np.median(values))
    weights = (errors[usable].min() / errors[usable]) ** 2
    return float(weights @ values[usable] / weights.sum())


def deviation(values: Floats, errors: Floats) -> float:
    """Root mean square of the deviations from one constant, in standard errors, without the worst few."""
    centre = weighted_mean(values, errors)
    size = np.maximum(np.abs(values).max(initial=0.0), abs(centre))
    known = np.where(np.isfinite(errors), errors, np.inf)
    z = np.abs(values - centre) / np.maximum(known, 1e-13 * size + 1e-300)
    kept = np.sort(z)[: max(int(np.ceil(len(z) * (1 - CHAIN.trimmed_groups))), 1)]
    return float(np.sqrt(np.mean(kept**2)))


def is_constant(values: Floats, errors: Floats) -> bool:
    """Whether values along the new variable are one constant within their errors."""
    return deviation(values, errors) <= CHAIN.deviation
