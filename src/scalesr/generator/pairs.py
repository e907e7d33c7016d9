"""PairMetric: how fast a sum of functions of one and two inputs changes in each; found by marginal likelihood.

Most laws of many variables are such sums, if not in y then in log y, and what depends on two inputs
at a time is learned from far fewer rows than what depends on ten at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scalesr.generator.config import GENERATOR
from scalesr.generator.likelihood import likelihood
from scalesr.generator.ridge import root_weights

Floats = NDArray[np.float64]

USUAL_RATE = float(np.log(0.5))  # with a standard deviation of 1: the prior of the logarithm of a rate
RATES, PARTS, NOISES = (0.01, 20.0), (2.5e-3, 400.0), (1e-5, 20.0)


@dataclass(frozen=True, slots=True, eq=False)
class PairMetric:
    """Covariance 1 + single^2 sum_j k_j + pair^2 sum_{j<k} k_j k_k + noise^2, times one variance.

    k_j = exp(-(rate_j (z_j - z'_j))^2 / 2) is the covariance along one input.
    """

    rates: Floats  # (inputs,)
    single: float
    pair: float
    noise: float
    cost: float  # negative log likelihood of the rows that it was found on, with the prior of the rates

    def noisy_covariance(self, parts: list[Floats], weights: Floats | None) -> Floats:
        """Of rows with each other (rows, rows), from functions (rows, functions) of each input that make up its k_j."""
        n_rows = len(parts[0])
        covariance = np.empty((n_rows, n_rows))
        for start in range(0, n_rows, GENERATOR.pair_block):
            rows = slice(start, start + GENERATOR.pair_block)
            total, squares = np.zeros((2, *covariance[rows].shape))
            for part in parts:
                along = part[rows] @ part.T
                total += along
                squares += along**2
            covariance[rows] = 1 + self.single**2 * total + self.pair**2 / 2 * (total**2 - squares)
        relative = np.ones(n_rows) if weights is None else np.maximum(weights / weights.mean(), 1e-6)
        covariance[np.diag_indices(n_rows)] += self.noise**2 / relative + GENERATOR.jitter * covariance.diagonal()
        return covariance


def find_pairs(Z: Floats, t: Floats) -> PairMetric:
    """The metric of about a hundred rows; work grows with the cube of their number."""
    rates = np.full(Z.shape[1], USUAL_RATE)
    if Z.shape[1] == 0 or not t.any():
        return PairMetric(np.exp(rates), 1.0, 1.0, NOISES[0], -np.inf)
    return _minimised(Z, t, np.array([*rates, *np.log([1.0, 1.0, 0.02])]), GENERATOR.n_pair_evaluations)


def refine_pairs(metric: PairMetric, Z: Floats, t: Floats) -> PairMetric:
    """The metric after some more steps on more rows than it was found on."""
    if metric.cost == -np.inf:
        return metric
    start = np.log([*metric.rates, metric.single, metric.pair, metric.noise])
    return _minimised(Z, t, start, GENERATOR.n_refining_evaluations)


def tune_noise(metric: PairMetric, parts: list[Floats], t: Floats, weights: Floats | None) -> PairMetric:
    """The metric with the noise that makes more rows most likely, for rows seen through the functions of each input."""
    if metric.cost == -np.inf:
        return metric
    root = root_weights(weights, len(t))
    exact = replace(metric, noise=0.0).noisy_covariance(parts, None)
    sizes, axes = np.linalg.eigh(exact * np.outer(root, root))
    noises = np.geomspace(*NOISES, GENERATOR.n_noises)
    variances = np.maximum(sizes, 0.0) + noises[:, np.newaxis] ** 2  # (noises, rows)
    costs = len(t) * np.log(np.mean((axes.T @ (root * t)) ** 2 / variances, axis=1)) + np.log(variances).sum(axis=1)
    return replace(metric, noise=float(noises[int(np.argmin(costs))]))


def _minimised(Z: Floats, t: Floats, start: Floats, n_evaluations: int) -> PairMetric:
    limits = np.log([*[RATES] * Z.shape[1], PARTS, PARTS, NOISES])
    squares = (Z.T[:, :, np.newaxis] - Z.T[:, np.newaxis, :]) ** 2  # (inputs, rows, rows)

    def cost(theta: Floats) -> tuple[float, Floats]:
        return _cost(theta, squares, t)

    found = minimize(cost, start, jac=True, method="L-BFGS-B", bounds=limits, options={"maxfun": n_evaluations})
    *rates, single, pair, noise = np.exp(found.x)
    return PairMetric(np.array(rates), float(single), float(pair), float(noise), float(found.fun))


def _cost(theta: Floats, squares: Floats, t: Floats) -> tuple[float, Floats]:
    rates, (single, pair, noise) = np.exp(2 * theta[:-3]), np.exp(2 * theta[-3:])
    scaled = squares * rates[:, np.newaxis, np.newaxis]
    along = np.exp(-0.5 * scaled)
    total = along.sum(axis=0)
    pairs = (total**2 - np.einsum("jab,jab->ab", along, along)) / 2
    value, slack, trace = likelihood(1 + single * total + pair * pairs, noise, t)
    # with S the slack, d cost = sum(S dK) / 2, and k_j moves by -k_j (rate (z - z'))^2 per unit of log rate
    along *= scaled
    by_rate = -0.5 * np.einsum("ab,jab->j", slack * (single + pair * total), along)
    along *= np.exp(-0.5 * scaled)
    by_rate += 0.5 * pair * np.einsum("ab,jab->j", slack, along)
    about = theta[:-3] - USUAL_RATE
    slopes = [*(by_rate + about), single * np.sum(slack * total), pair * np.sum(slack * pairs), noise * trace]
    return value + 0.5 * float(about @ about), np.array(slopes)
