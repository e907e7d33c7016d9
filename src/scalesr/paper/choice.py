"""Which formula of a search the paper's chain goes on with: SPL's choice, with SPL's constants.

SPL rounds constants to 4 decimals, takes those of 0.01 or less as 0, and keeps the formula with the
highest reward eta^n / (1 + error). So coefficients below 0.01 are out of its reach; that is part of the
method. SPL's text has the root of the mean squared error there, its published program has the mean squared
error itself. The paper ran the program, and so do we: under the root, formulas take up the network's error
as soon as that is above eta's price of a symbol, 1e-4 of the target's unit.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, constant
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.sweep import Sweep

DECIMALS: Final = 4
NOTHING: Final = 0.01  # a constant up to this size counts as 0


def choose(ranking: Ranking, curve: Sweep, *, eta: float) -> Expression:
    """The closed formula with the highest reward on a curve; the median where the search found nothing."""
    formulas = [written(skeleton) for skeleton in ranking.skeletons]
    median = constant(float(np.median(curve.y)))
    return max(formulas, key=lambda formula: reward(formula, curve, eta=eta), default=median)


def written(skeleton: Skeleton) -> Expression:
    """A formula with its constants as SPL writes them down."""
    rounded = np.round(skeleton.constants[0], DECIMALS)
    return skeleton.expression.bind(np.where(np.abs(rounded) <= NOTHING, 0.0, rounded))


def reward(formula: Expression, curve: Sweep, *, eta: float) -> float:
    """SPL's worth of a formula of n symbols; 0 where it has no values."""
    X, y = curve.group(0)
    with np.errstate(all="ignore"):
        error = float(np.mean((evaluate(formula, X) - y) ** 2))
    return float(eta**formula.n_nodes / (1 + error)) if math.isfinite(error) else 0.0
