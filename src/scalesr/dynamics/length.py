"""Description length of a system on trajectories, in nats, with residuals that follow each other counted as few."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.shooting import FLOOR, Shot
from scalesr.evidence.criterion import symbol_lengths
from scalesr.evidence.numbers import number_length
from scalesr.expr.expression import Expression
from scalesr.kernels.codes import ADD, CONSTANT, MUL, NEG, POWI, SUB, VARIABLE

Floats = NDArray[np.float64]

SAVED = 1.0  # nat at least, by a simple number that is not an accident in the place of a fitted one
LEAST_SHARE = 0.02  # of the points that count as independent, however much residuals follow each other


def form_length(law: Expression, n_columns: int) -> float:
    """Cost of a right-hand side as a sum of products, written factor by factor.

    Each factor is a choice among the columns and the end of the product, and a sum has an end of a
    product more. Quotients and functions cost what they cost in any law.
    """
    choice = math.log(n_columns + 1)
    own = np.where(law.codes == CONSTANT, 0.0, symbol_lengths(law.codes))
    own[np.isin(law.codes, (MUL, NEG))] = 0.0
    own[np.isin(law.codes, (ADD, SUB, VARIABLE))] = choice
    powers = law.codes == POWI
    repeated = choice * (np.abs(law.args) - 1) + np.where(law.args < 0, own, 0.0)
    return float(np.where(powers, repeated, own).sum()) + choice


def independent_share(shot: Shot, counts: NDArray[np.bool_]) -> float:
    """The share of points that count as independent, by the correlation of each residual with the next."""
    shares = []
    pairs = (counts[:, 1:] & counts[:, :-1])[:, :, np.newaxis]
    for place in range(shot.residuals.shape[2]):
        r = shot.residuals[:, :, place : place + 1]
        power = float((r**2).sum())
        follow = float((r[:, 1:] * r[:, :-1] * pairs).sum()) / power if power > 0 else 0.0
        shares.append((1 - follow) / (1 + follow) if follow > 0 else 1.0)
    return min(max(min(shares), LEAST_SHARE), 1.0)


def length(shot: Shot, std: Floats, share: float, n_columns: int) -> float:
    """Cost of forms, constants and data; infinite where the system blows up."""
    if not shot.is_finite:
        return math.inf
    n = shot.n_points * share
    floor = (10 * FLOOR * std) ** 2
    data = 0.5 * n * float(np.log(shot.errors**2 + floor).sum())
    forms = sum(form_length(law.expression, n_columns) for law in shot.system.laws)
    per_constant = 0.5 * math.log(max(n, 2.0))
    most = max(per_constant - SAVED, 0.0)
    written = sum(min(number_length(value), most) for law in shot.system.laws for value in law.closed)
    return data + forms + written + per_constant * shot.system.n_free
