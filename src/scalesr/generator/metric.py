"""Metric: in which directions, and how fast, a function changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.config import GENERATOR

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """A Gaussian process: covariance exp(-|(z - z') A|^2 / 2) + linear^2 (1 + z z') + noise^2, times one variance."""

    directions: Floats  # A, (variables, directions)
    noise: float  # standard deviations relative to that of the first part
    linear: float
    cost: float  # negative log likelihood of the rows that it was found on, with the prior of the rates

    def covariance(self, Z: Floats, others: Floats) -> Floats:
        """Of the function at some rows with it at others, (rows, others)."""
        near = np.exp(-0.5 * squared_distances(Z @ self.directions, others @ self.directions))
        return near + self.linear**2 * (1 + Z @ others.T)

    def noisy_covariance(self, Z: Floats, weights: Floats | None = None) -> Floats:
        """Of the rows with each other: the noise and what rounding needs are on the diagonal."""
        covariance = self.covariance(Z, Z)
        relative = np.ones(len(Z)) if weights is None else np.maximum(weights / weights.mean(), 1e-6)
        covariance[np.diag_indices(len(Z))] += self.noise**2 / relative + GENERATOR.jitter * covariance.diagonal()
        return covariance

    def leave_one_out(self, Z: Floats, t: Floats) -> Floats:
        """What the process says of each row when it knows the others only (rows,)."""
        inverse = np.linalg.inv(self.noisy_covariance(Z))
        guess: Floats = t - inverse @ t / inverse.diagonal()
        return guess

    def gradient(self, Z: Floats, centres: Floats, shares: Floats) -> Floats:
        """Derivatives (rows, variables) of covariance(Z, centres) @ shares."""
        U, V = Z @ self.directions, centres @ self.directions
        weighted = np.exp(-0.5 * squared_distances(U, V)) * shares
        near = (weighted @ V - weighted.sum(axis=1)[:, np.newaxis] * U) @ self.directions.T
        gradient: Floats = near + self.linear**2 * (shares @ centres)
        return gradient


def squared_distances(A: Floats, B: Floats) -> Floats:
    """Between all rows of one table and all of another."""
    found: Floats = np.sum(A**2, axis=1)[:, np.newaxis] + np.sum(B**2, axis=1) - 2 * A @ B.T
    return np.maximum(found, 0.0, out=found)
