"""Gaussian process: exact on few rows, through centres on many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from scalesr.generator.config import GENERATOR
from scalesr.generator.metric import Metric
from scalesr.generator.ridge import root_weights, solve_ridge

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class KernelModel:
    """The sum of a process's covariances with some rows, the centres."""

    metric: Metric
    centres: Floats  # (centres, variables)
    shares: Floats  # (centres,)

    def values(self, Z: Floats) -> Floats:
        """Values (rows,)."""
        found: Floats = self.metric.covariance(Z, self.centres) @ self.shares
        return found

    def gradient(self, Z: Floats) -> Floats:
        """Derivatives by each scaled input (rows, variables)."""
        return self.metric.gradient(Z, self.centres, self.shares)

    def refitted(self, Z: Floats, t: Floats, weights: Floats | None, *, rng: np.random.Generator) -> KernelModel:
        """The same process with the same centres, given other rows."""
        del rng  # all rows are used
        if len(t) <= GENERATOR.most_exact:
            return _exact(Z, t, self.metric, weights)
        return _through(self.centres, Z, t, self.metric, weights)


def fit_kernel(
    Z: Floats, t: Floats, metric: Metric, *, rng: np.random.Generator, weights: Floats | None = None
) -> KernelModel:
    """The process with this metric, given all rows."""
    if len(t) <= GENERATOR.most_exact:
        return _exact(Z, t, metric, weights)
    centres = Z[np.sort(rng.permutation(len(Z))[: GENERATOR.n_centres])]
    return _through(centres, Z, t, metric, weights)


def _exact(Z: Floats, t: Floats, metric: Metric, weights: Floats | None) -> KernelModel:
    factor = cho_factor(metric.noisy_covariance(Z, weights), lower=True, overwrite_a=True, check_finite=False)
    return KernelModel(metric, Z, cho_solve(factor, t, check_finite=False))


def _through(centres: Floats, Z: Floats, t: Floats, metric: Metric, weights: Floats | None) -> KernelModel:
    """The best of all functions that the centres span; the noise is what cross-validation finds on all rows."""
    root = root_weights(weights, len(t))
    among = metric.covariance(centres, centres)
    among[np.diag_indices(len(centres))] += 10 * GENERATOR.jitter * among.diagonal()
    factor = np.linalg.cholesky(among)
    columns = solve_triangular(factor, metric.covariance(centres, Z), lower=True, check_finite=False).T
    solution, _ = solve_ridge(columns * root[:, np.newaxis], t * root)
    return KernelModel(metric, centres, solve_triangular(factor, solution, lower=True, trans="T", check_finite=False))
