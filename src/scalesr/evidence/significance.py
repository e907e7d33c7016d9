"""Significance: whether a law does better on rows that had no part in it than chance would."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc, stdtr

from scalesr.evidence.leave_one_out import leave_one_out_loss
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.kernels.codes import VARIABLE
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]
Places = NDArray[np.int64]

ENOUGH_HELD = 12  # held-back rows; with fewer, the rows of the fit are asked too, by leave-one-out
BY_CHANCE = 1e-3  # probability below which a law is better than a constant
AFTER_CHOICE = 0.01  # expected number of formulas, as short as a law, that would do as well by chance
UNCHECKED = 0.1  # the same for laws that the rows are too few to check anyway: they are never more than approximate
ROWS_TO_CHECK_A_CONSTANT = 5  # and as many more, to check a law by
BETWEEN = tuple(np.arange(1, 12) / 12)  # shares of the way from a row to its neighbour
CALM = 0.5  # roughness up to which a law can be followed from row to row
PER_NODE = 4.0  # times as many formulas with each node more, as counted in one variable


def holds_on(expr: Expression, held: Dataset, level: float) -> bool:
    """Whether a formula predicts rows that it was not made from better than one level does, and not by chance."""
    values = evaluate(expr, held.table)
    roots = np.ones(held.n_rows) if held.weights is None else np.sqrt(held.weights)
    nearer = float(np.linalg.norm(roots * (held.y - values))) < float(np.linalg.norm(roots * (held.y - level)))
    return nearer and _correlation_by_chance(values, held.y, roots) < BY_CHANCE


def is_significant(done: Fit, data: Dataset) -> bool:
    """Whether a law is more than the luckiest of the many formulas that were tried on the same few rows.

    A formula that is rough between neighbouring rows can be made to meet any of them.
    """
    most = AFTER_CHOICE if can_check(done, data) else UNCHECKED
    return expected_by_chance(done, data) < most and roughness(done.expression, data) < CALM


def can_check(done: Fit, data: Dataset) -> bool:
    """Whether there are rows enough for a law's constants."""
    return data.n_rows >= ROWS_TO_CHECK_A_CONSTANT * (len(done.constants) + 1)


def expected_by_chance(done: Fit, data: Dataset) -> float:
    """How many formulas as short as this one would do so much better than a constant on rows of pure noise.

    Each row is predicted by the law as fitted to the others, so that no row is explained by itself.
    """
    n_rows, n_constants = data.n_rows, len(done.constants)
    freedom = n_rows - n_constants
    if not done.expression.variables or freedom < 1:
        return math.inf
    shares = np.ones(n_rows) if data.weights is None else data.weights
    level = np.average(data.y, weights=shares)
    constant_loss = float(np.average((data.y - level) ** 2, weights=shares)) * (n_rows / (n_rows - 1)) ** 2
    loss = leave_one_out_loss(done, data)
    if not loss < constant_loss:
        return math.inf
    more = max(n_constants - 1, 1)  # than the constant has
    chance = fdtrc(more, freedom, (constant_loss / max(loss, 1e-300) - 1) * freedom / more)
    return float(chance) * _n_formulas(done.skeleton, data.n_variables)


def roughness(expr: Expression, data: Dataset) -> float:
    """How far a law is from a straight line between neighbouring rows, over how far it moves on all rows.

    Several points between two rows are looked at, so that a pole between them is not overlooked.
    """
    values = evaluate(expr, data.table)
    one, other = _neighbours(expr, data)
    farthest = np.zeros(len(one))
    for share in BETWEEN:
        there = evaluate(expr, (1 - share) * data.table[one] + share * data.table[other])
        farthest = np.maximum(farthest, np.abs(there - (1 - share) * values[one] - share * values[other]))
    bends = float(np.sqrt(np.mean(farthest**2)))
    return bends / max(float(values.std()), 1e-300) if np.isfinite(bends) else np.inf


def _neighbours(expr: Expression, data: Dataset) -> tuple[Places, Places]:
    """Pairs of rows with nothing between them: next to each other in the one variable of a law, or nearest in all."""
    if len(expr.variables) == 1 and data.n_rows > 1:
        order = np.argsort(data.columns[expr.variables[0]], kind="stable")
        return order[:-1], order[1:]
    steps = data.table / np.maximum(data.table.std(axis=0), 1e-300)
    gaps = ((steps[:, np.newaxis] - steps) ** 2).sum(axis=2)
    gaps[gaps == 0] = np.inf  # rows that are alike have nothing between them
    return np.arange(data.n_rows), np.argmin(gaps, axis=1)


def _n_formulas(skeleton: Expression, n_variables: int) -> float:
    """About how many formulas are as short as this one."""
    n_leaves = int(np.count_nonzero(skeleton.codes == VARIABLE))
    return float(PER_NODE ** max(skeleton.complexity - 1, 0) * float(n_variables) ** n_leaves)


def _correlation_by_chance(values: Floats, y: Floats, roots: Floats) -> float:
    """Probability that unrelated numbers, with roots of weights, correlate so well."""
    if len(y) < 4 or np.ptp(values) == 0 or np.ptp(y) == 0:
        return 1.0
    left, right = (roots * (part - np.average(part, weights=roots**2)) for part in (values, y))
    return correlation_by_chance(float(left / np.linalg.norm(left) @ (right / np.linalg.norm(right))), len(y))


def correlation_by_chance(share: float, n_rows: int) -> float:
    """Probability that unrelated numbers correlate so well on this many rows."""
    freedom = n_rows - 2
    return float(stdtr(freedom, -share * math.sqrt(freedom / max(1 - share**2, 1e-300))))
