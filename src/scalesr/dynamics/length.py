"""Description length of a system on trajectories, in nats, with residuals that follow each other counted as few."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.shooting import FLOOR, Shot
from scalesr.evidence.criterion import structure_length

Floats = NDArray[np.float64]

LEAST_SHARE = 0.02  # of the points that count as independent, however much residuals follow each other


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


def length(shot: Shot, spread: Floats, share: float) -> float:
    """Cost of forms, constants and data; infinite where the system blows up."""
    if not shot.is_finite:
        return math.inf
    n = shot.n_points * share
    floor = (10 * FLOOR * spread) ** 2
    data = 0.5 * n * float(np.log(shot.errors**2 + floor).sum())
    forms = sum(structure_length(law.expression) for law in shot.system.laws)
    return data + forms + 0.5 * shot.system.n_free * math.log(max(n, 2.0))
