"""Targets that are counts or yes and no: each row has a probability of its own, and no scale is to be found.

A law of counts is the expected number (Poisson), a law of yes and no the probability of yes (Bernoulli). Both are
probabilities of whole numbers, one apart, so that they compare with the densities of all other kinds of noise.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from scalesr.evidence.likelihood import KIND_COST, Explained, explain
from scalesr.records.dataset import Dataset
from scalesr.records.noise import BINARY, Noise

Floats = NDArray[np.float64]


def are_counts(y: Floats) -> bool:
    """Whether a target may be counts: whole numbers, none below 0, and more of them than yes and no."""
    return bool((y >= 0).all() and (y == np.floor(y)).all() and (y > 1).any())


def are_yes_and_no(y: Floats) -> bool:
    """Whether a target is 0 and 1, and both occur."""
    return bool(np.isin(y, (0.0, 1.0)).all() and 0 < y.mean() < 1)


def discrete_kind(data: Dataset) -> Noise | None:
    """The noise of a target of whole numbers: as it is given, or one that is to be compared with others; or None."""
    given = data.given_noise
    if given is None or given.noise is None:
        return Noise("counts", 1.0) if are_counts(data.y) else None
    if given.noise.kind == BINARY and are_yes_and_no(data.y):
        return given.noise
    is_poisson = given.noise.kind == "counts" and given.noise.scale == 1 and not given.outliers
    return given.noise if is_poisson and are_counts(data.y) else None


def explain_target(
    data: Dataset, residual: Floats, values: Floats, n_constants: int, rounding: float, discrete: Noise | None
) -> Explained:
    """The rows under a law, by the noise that makes them cheapest or that is given; `discrete` is for whole numbers.

    `residual` is divided by the errors that the user knows, up to their scale.
    """
    whole = None if discrete is None else explain_discrete(data, values, discrete)
    if whole is not None and discrete is not None and discrete.source == "given":
        return whole
    usual = explain(residual, values, n_constants, rounding=rounding, given=data.given_noise)
    return usual if whole is None or usual.cost <= whole.cost else whole


def explain_discrete(data: Dataset, values: Floats, noise: Noise) -> Explained:
    """The cost of whole numbers under a law."""
    with np.errstate(all="ignore"):
        rows = _bernoulli(data.y, values) if noise.kind == BINARY else _poisson(data.y, values)
        cost = float(rows.sum() if data.weights is None else (data.weights / data.weights.mean()) @ rows)
    price = KIND_COST.get(noise.kind, 0.0) if noise.source == "estimated" else 0.0
    return Explained(cost + price if math.isfinite(cost) else math.inf, noise)


def _poisson(counts: Floats, expected: Floats) -> Floats:
    """Minus the logarithm of the probability of each count; infinite where the law expects none or fewer."""
    told = expected - xlogy(counts, expected) + gammaln(counts + 1)
    return np.asarray(np.where((expected > 0) | ((expected == 0) & (counts == 0)), told, np.inf))


def _bernoulli(y: Floats, chance: Floats) -> Floats:
    """Minus the logarithm of the probability of each answer; infinite where the law is not a probability."""
    own = np.where(y == 1, chance, 1 - chance)
    return np.asarray(np.where((chance >= 0) & (chance <= 1) & (own > 0), -np.log(own), np.inf))
