"""How likely a Gaussian process makes some rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dpotri

from scalesr.generator.config import GENERATOR
from scalesr.records.precision import SMALLEST

Floats = NDArray[np.float64]


def likelihood(covariance: Floats, noise: float, t: Floats) -> tuple[float, Floats, float]:
    """Negative log likelihood of t with its overall variance profiled out, a matrix S and its trace.

    The cost changes by sum(S * change) / 2 when the covariance changes. `noise` is a variance.
    """
    n_rows, diagonal = len(t), np.diag_indices(len(t))
    covariance[diagonal] += noise + GENERATOR.jitter * covariance.diagonal()
    factor, failed = dpotrf(covariance, lower=1, clean=1)
    if failed:
        return GENERATOR.impossible, np.zeros_like(covariance), 0.0
    inverse, _ = dpotri(factor, lower=1)
    inverse += np.tril(inverse, -1).T
    shares = inverse @ t
    variance = max(float(t @ shares) / n_rows, SMALLEST)
    slack: Floats = inverse - np.outer(shares, shares / variance)
    value = 0.5 * n_rows * np.log(variance) + np.log(factor.diagonal()).sum()
    return float(value), slack, float(np.trace(slack))
