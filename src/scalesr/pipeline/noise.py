"""Noise before any law: what the residuals of a learned function say of the errors of the rows.

The estimate decides which rows a search listens to, and how much; no law is judged by it. A row that
is taken for an outlier here, wrongly, is a row less to search with: laws are compared on all rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from scalesr.evidence.archive import Candidate
from scalesr.evidence.likelihood import Explained, explain
from scalesr.expr.evaluate import evaluate
from scalesr.generator.unseen import unseen_values
from scalesr.pipeline.config import PIPELINE
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator
from scalesr.records.noise import Noise
from scalesr.records.precision import CLEAN

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class FirstLook:
    """The noise as a learned function shows it, and how much each row counts in a search."""

    noise: Noise | None  # None: the function is learned so well that there is none to speak of
    weights: Floats | None  # (rows,) 0 for outliers; None: all alike
    cost: float  # nats of the rows under the learned function, as laws have them


def first_look(data: Dataset, learn: Callable[[Dataset], Generator], *, rng: np.random.Generator) -> FirstLook:
    """What a learned function shows of the noise."""
    weights, flagged = data.weights, np.zeros(data.n_rows, bool)
    found = FirstLook(None, None, math.inf)
    for _ in range(PIPELINE.n_noise_rounds):
        values = unseen_values(replace(data, weights=weights), learn, rng=rng)
        residual = data.y - values
        if not np.isfinite(residual).all():
            return found
        explained = explain(residual, values, 0, rounding=0.0, given=data.given_noise)
        if _typical(residual) < CLEAN * data.std:
            return found if found.noise else replace(found, cost=explained.cost)
        explained = _without_misfit(explained, data)
        found = FirstLook(explained.noise, weights_of(explained, values), explained.cost)
        before, bad = flagged, explained.are_outliers
        flagged = np.zeros(data.n_rows, bool) if bad is None else bad
        if np.mean(before != flagged) < PIPELINE.same_outliers:
            break
        weights = _times(data.weights, np.where(flagged, 0.0, 1.0))
    return found


def given_weights(data: Dataset) -> Floats | None:
    """How much rows count by a noise that is known, with the target in the place of the law; None where all alike."""
    given = data.given_noise
    if given is None or given.noise is None or given.noise.kind == "exact":
        return None
    return weights_of(Explained(0.0, given.noise), data.y)


def weights_by(best: Candidate, data: Dataset) -> Floats | None:
    """How much rows count, by the noise that a law shows; None where all count alike."""
    rows = best.score.rows
    return weights_of(rows, evaluate(best.law.equation.expression, data.table))


def _typical(residual: Floats) -> float:
    return 1.4826 * float(np.median(np.abs(residual)))


def _without_misfit(explained: Explained, data: Dataset) -> Explained:
    """The noise without outliers where these stand together: there the function was not learned."""
    flagged = explained.are_outliers
    if flagged is None:
        return explained
    ranks = data.table.argsort(axis=0).argsort(axis=0) / data.n_rows
    nearest = cKDTree(ranks).query(ranks[flagged], k=2)[1][:, 1] if flagged.any() else np.empty(0, np.int64)
    alone = float(np.mean(flagged))
    chance = alone + 2 * np.sqrt(alone / max(len(nearest), 1))
    if len(nearest) and float(np.mean(flagged[nearest])) > PIPELINE.outliers_together * chance:
        return replace(explained, noise=replace(explained.noise, outliers=0.0), good=None)
    return explained


def weights_of(explained: Explained, values: Floats) -> Floats | None:
    """How much rows count: their outliers not at all, the others by their variance."""
    bad = explained.are_outliers
    good = None if bad is None else np.where(bad, 0.0, 1.0)
    if explained.noise.kind == "constant":
        return good
    variances = explained.noise.variances(values)
    least = max(float(np.quantile(variances, PIPELINE.least_quantile)), PIPELINE.least_share * float(variances.max()))
    return good if least == 0 else _times(good, least / np.maximum(variances, least))


def _times(weights: Floats | None, shares: Floats) -> Floats:
    return shares if weights is None else np.asarray(weights * shares)
