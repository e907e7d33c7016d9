"""Evidence of a law with constants of each group's own: the same nats as for any law, group by group.

The form and each shared constant cost what they cost in any law. A constant that differs costs once per
group, by what is expected of its values: that each has any size, as a constant of a single law has, or that they
come from one normal distribution, whose mean and width are then two constants more. The latter is a hierarchical
prior with its parameters estimated; values of like size are so described with fewer nats, and only with it can small
differences between many small groups be told from none. The cheaper description counts, and one bit says which.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.constants import UNKNOWN_SIZE, UNTOLD, constants_cost, free_cost, read_constants
from scalesr.evidence.criterion import EXACT, structure_length
from scalesr.evidence.discrete import discrete_kind, explain_target
from scalesr.evidence.score import NOTHING, Score, written_numbers
from scalesr.expr.expression import Expression
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

CHOICE: Final = math.log(2)  # that a constant is shared or differs, and by what it is described
LEFT_OF_EXACT: Final = 30.0  # times the rounding of the target: what fits in blocks may leave of an exact law
MAX_WIDTH_STEPS: Final = 50  # of the estimate of a width, at most
CONVERGED_VARIANCE: Final = 1e-3  # relative change of the variance at which it has converged


def score_groups(
    form: Expression,
    data: Dataset,
    values: Floats,
    shared: tuple[Floats, Floats],
    own: tuple[Floats, Floats],
    *,
    n_free: int,
    roots: Floats | None,
) -> Score:
    """What a fitted law costs; `shared` and `own` are values and covariances, those of a group given the shared ones.

    The rows determine `n_free` constants in all: a group with fewer rows than letters determines one for each row.
    `roots` are of the weights by which rows counted in the fit.
    """
    if data.n_rows <= n_free or not np.isfinite(values).all():
        return NOTHING
    residual = data.y - values
    if data.weights is not None:
        residual = residual * np.sqrt(data.weights / data.weights.mean())
    scale = float(np.sqrt(np.mean(data.y**2))) or 1.0
    rows = explain_target(data, residual, values, n_free, LEFT_OF_EXACT * EXACT * scale, discrete_kind(data))
    n_letters = own[0].shape[1]
    counted = data.y - values if roots is None else (data.y - values) * roots
    sharper = _without_outliers(counted, rows.good, n_free)
    covariance, own_covariance = shared[1] * sharper, own[1] * sharper
    numbers = written_numbers(form) + constants_cost(shared[0], covariance) + CHOICE * (len(shared[0]) + n_letters)
    numbers += own_cost(own[0], own_covariance)
    saved = read_constants(shared[0], covariance).saved
    return Score(structure_length(form), numbers, rows, saved=saved)


def _without_outliers(residual: Floats, good: Floats | None, n_free: int) -> float:
    """What the rows' variance is without outliers, over that of all: no row far off may blur the constants."""
    if good is None:
        return 1.0
    n_rows, n_good = len(residual), float(good.sum())
    inner = float(good @ residual**2) / max(n_good - n_free, 1.0)
    return min(inner / (float(residual @ residual) / max(n_rows - n_free, 1)), 1.0)


def own_cost(values: Floats, covariance: Floats) -> float:
    """Cost of constants (groups, letters) that differ, one letter after the other, each given those before."""
    errors = _given_those_before(covariance)
    return sum(_letter_cost(values[:, letter], errors[:, letter]) for letter in range(values.shape[1]))


def _letter_cost(values: Floats, errors: Floats) -> float:
    told = np.isfinite(errors)
    untold = UNTOLD * float(np.count_nonzero(~told))
    values, errors = values[told], np.maximum(errors[told], np.finfo(float).eps * np.abs(values[told]))
    ratios = np.abs(values) / np.where(errors > 0, errors, 1.0)
    alone = UNKNOWN_SIZE * len(values) + float(np.log(np.clip(ratios, 1.0, 1 / np.finfo(float).eps)).sum())
    return CHOICE + untold + min(alone, _together_cost(values, errors))


def _together_cost(values: Floats, errors: Floats) -> float:
    """Cost of values that come from one normal distribution, with its mean and width."""
    if len(values) < 2 or not errors.all():
        return math.inf
    mean, variance = _distribution(values, errors)
    sizes = np.maximum(variance + errors**2, np.finfo(float).tiny)
    each = 0.5 * np.log(sizes / errors**2) + 0.5 * (values - mean) ** 2 / sizes
    width = UNKNOWN_SIZE + 0.5 * math.log(2 * len(values))
    return float(each.sum()) + free_cost(mean, 1 / math.sqrt(float((1 / sizes).sum()))) + width


def _distribution(values: Floats, errors: Floats) -> tuple[float, float]:
    """Mean and variance of the distribution that values with errors come from, by maximum likelihood."""
    unit = float(max(np.abs(values).max(), errors.max()))
    values, errors = values / unit, errors / unit
    mean, variance = float(values.mean()), float(values.var())
    for _ in range(MAX_WIDTH_STEPS):
        sizes = np.maximum(variance + errors**2, np.finfo(float).eps ** 2)
        shares = sizes.min() / sizes
        mean = float(shares @ values / shares.sum())
        before = variance
        variance = max(float((shares**2) @ ((values - mean) ** 2 - errors**2) / (shares @ shares)), 0.0)
        if abs(variance - before) <= CONVERGED_VARIANCE * before:
            break
    return mean * unit, variance * unit * unit


def _given_those_before(covariance: Floats) -> Floats:
    """Standard errors (groups, letters), each with the letters before it held; NaN where one is not determined."""
    sizes = np.sqrt(np.maximum(np.diagonal(covariance, axis1=1, axis2=2), 0.0))
    if covariance.shape[1] < 2:
        return np.asarray(sizes)
    told = np.isfinite(sizes).all(axis=1)
    units = np.where(sizes > 0, sizes, 1.0)
    alike = covariance[told] / (units[told][:, :, np.newaxis] * units[told][:, np.newaxis, :])
    try:
        shares = np.diagonal(np.linalg.cholesky(alike), axis1=1, axis2=2)
    except np.linalg.LinAlgError:  # constants that only rounding tells apart
        shares = np.sqrt(np.maximum(1 / np.diagonal(np.linalg.pinv(alike), axis1=1, axis2=2), 0.0))
    errors = np.asarray(sizes)
    errors[told] = sizes[told] * shares
    return errors
