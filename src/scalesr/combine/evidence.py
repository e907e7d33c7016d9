"""Evidence: how well a law does on rows that had no part in it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from scalesr.combine.front import Candidate, Pool
from scalesr.combine.left_out import without_own
from scalesr.expr.evaluate import evaluate
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

ENOUGH_HELD = 12  # held-back rows; with fewer, the rows of the fit are asked too, each without its own part
BY_CHANCE = 1e-3  # probability below which a law is better than a constant
AFTER_CHOICE = 1e-7  # the same on rows that the law was chosen by, among very many


def is_chance(best: Candidate, pool: Pool) -> bool:
    """Whether a law may well be no better than a constant.

    The law was chosen among many on the rows of the fit; only held-back rows can tell. Where there
    are few of them, each row of the fit is predicted by the law as fitted without it, and much more
    is asked.
    """
    expr = best.law.equation.expression
    if not expr.variables:
        return True
    level = float(np.average(pool.data.y, weights=pool.data.weights))
    if pool.held is not pool.data and pool.held.n_rows >= ENOUGH_HELD:
        return not _beats(evaluate(expr, pool.held.table), pool.held, level, BY_CHANCE)
    return not _beats(without_own(best.fit, pool.data), pool.data, level, AFTER_CHOICE)


def _beats(values: Floats, data: Dataset, level: float, most: float) -> bool:
    """Whether predictions are nearer to y than one level, and by chance with a probability of at most `most`."""
    roots = np.ones(data.n_rows) if data.weights is None else np.sqrt(data.weights)
    nearer = float(np.linalg.norm(roots * (data.y - values))) < float(np.linalg.norm(roots * (data.y - level)))
    return nearer and _correlation_by_chance(values, data.y, roots) < most


def _correlation_by_chance(values: Floats, y: Floats, roots: Floats) -> float:
    """Probability that unrelated numbers, with roots of weights, correlate so well."""
    if len(y) < 4 or np.ptp(values) == 0 or np.ptp(y) == 0:
        return 1.0
    left, right = (roots * (part - np.average(part, weights=roots**2)) for part in (values, y))
    share = float(left / np.linalg.norm(left) @ (right / np.linalg.norm(right)))
    freedom = len(y) - 2
    return float(stdtr(freedom, -share * math.sqrt(freedom / max(1 - share**2, 1e-300))))
