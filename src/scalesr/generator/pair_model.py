"""Pair model: a Gaussian process of functions of one and two inputs, as an explicit sum of products."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from scalesr.generator.config import GENERATOR
from scalesr.generator.pairs import PairMetric, tune_noise

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PairBasis:
    """Functions of one input whose products add up to its covariance."""

    rate: float
    nodes: Floats  # (nodes,)
    mixing: Floats  # (nodes, functions)

    @classmethod
    def of(cls, z: Floats, rate: float) -> PairBasis:
        """Enough functions for the range of these rows, and a tenth more on each side."""
        margin = 0.1 * float(np.ptp(z)) + 1e-3
        nodes = np.linspace(z.min() - margin, z.max() + margin, GENERATOR.n_grid_nodes)
        sizes, axes = np.linalg.eigh(_along(nodes, nodes, rate))
        kept = sizes > GENERATOR.faintest * sizes[-1]
        return cls(rate, nodes, axes[:, kept] / np.sqrt(sizes[kept]))

    def values(self, z: Floats) -> Floats:
        """(rows, functions)."""
        found: Floats = _along(z, self.nodes, self.rate) @ self.mixing
        return found

    def slopes(self, z: Floats) -> Floats:
        """Derivatives of the functions (rows, functions)."""
        about = self.rate**2 * (self.nodes - z[:, np.newaxis])
        found: Floats = (about * _along(z, self.nodes, self.rate)) @ self.mixing
        return found


@dataclass(frozen=True, slots=True, eq=False)
class PairModel:
    """bias + P @ linear + the sum over a row of (P @ products) * P, where P holds the functions of all inputs."""

    metric: PairMetric
    most_rows: int
    bases: tuple[PairBasis, ...]
    bias: float
    linear: Floats  # (functions,)
    products: Floats  # (functions, functions), symmetric, 0 between functions of the same input

    def values(self, Z: Floats) -> Floats:
        """Values (rows,)."""
        P = _functions(self.bases, Z)
        found: Floats = self.bias + P @ self.linear + np.sum((P @ self.products) * P, axis=1)
        return found

    def gradient(self, Z: Floats) -> Floats:
        """Derivatives by each scaled input (rows, inputs)."""
        by_function = self.linear + 2 * _functions(self.bases, Z) @ self.products
        parts = _parts(self.bases, by_function)
        slopes = [basis.slopes(Z[:, j]) for j, basis in enumerate(self.bases)]
        return np.column_stack([np.sum(part * slope, axis=1) for part, slope in zip(parts, slopes, strict=True)])

    def refitted(self, Z: Floats, t: Floats, weights: Floats | None, *, rng: np.random.Generator) -> PairModel:
        """The same process, given other rows."""
        return _solved(Z, t, self.metric, rng.permutation(len(t)), self.most_rows, weights)


def fit_pairs(
    Z: Floats,
    t: Floats,
    metric: PairMetric,
    *,
    most_rows: int,
    rng: np.random.Generator,
    weights: Floats | None = None,
    check: Callable[[], None] = lambda: None,
) -> PairModel:
    """The process with this metric, its noise found again, given this many of the rows; the work grows with their cube.

    `check` is called on the way and may raise.
    """
    some = rng.permutation(len(t))[: GENERATOR.tune_rows]
    bases = _bases(Z, metric)
    shares = None if weights is None else weights[some]
    tuned = tune_noise(metric, _parts(bases, _functions(bases, Z[some])), t[some], shares)
    check()
    return _solved(Z, t, tuned, rng.permutation(len(t)), most_rows, weights, check)


def _solved(
    Z: Floats,
    t: Floats,
    metric: PairMetric,
    order: NDArray[np.int64],
    most_rows: int,
    weights: Floats | None,
    check: Callable[[], None] = lambda: None,
) -> PairModel:
    """The process given the first this many rows in an order."""
    rows = order[:most_rows]
    bases = _bases(Z, metric)
    P = _functions(bases, Z[rows])
    covariance = metric.noisy_covariance(_parts(bases, P), None if weights is None else weights[rows], check=check)
    factor = cho_factor(covariance, lower=True, overwrite_a=True, check_finite=False)
    shares = cho_solve(factor, t[rows], check_finite=False)
    products = metric.pair**2 / 2 * P.T @ (shares[:, np.newaxis] * P)
    same = np.repeat(np.arange(len(bases)), _sizes(bases))
    products[same[:, np.newaxis] == same] = 0.0
    return PairModel(metric, most_rows, bases, float(shares.sum()), metric.single**2 * shares @ P, products)


def _bases(Z: Floats, metric: PairMetric) -> tuple[PairBasis, ...]:
    return tuple(PairBasis.of(z, rate) for z, rate in zip(Z.T, metric.rates.tolist(), strict=True))


def _parts(bases: tuple[PairBasis, ...], P: Floats) -> list[Floats]:
    """The functions of each input, from those of all."""
    return np.split(P, np.cumsum(_sizes(bases))[:-1], axis=1)


def _functions(bases: tuple[PairBasis, ...], Z: Floats) -> Floats:
    return np.hstack([basis.values(Z[:, j]) for j, basis in enumerate(bases)])


def _sizes(bases: tuple[PairBasis, ...]) -> list[int]:
    return [basis.mixing.shape[1] for basis in bases]


def _along(a: Floats, b: Floats, rate: float) -> Floats:
    found: Floats = np.exp(-0.5 * (rate * (a[:, np.newaxis] - b)) ** 2)
    return found
