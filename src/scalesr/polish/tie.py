"""Ties: constants that are one and the same, or its double, where the rows do not object.

1.23*x + 1.24*y, each known to a per cent, is 1.235*(x + y).
"""

from __future__ import annotations

import math
from itertools import permutations

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.refit import FitData
from scalesr.evidence.rounding import at_rounding
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.polish.snap import EXACT_SIGMAS, NOISY_SIGMAS, is_shorter
from scalesr.records.precision import KNOWN_TO, LAST_PLACES

RATIOS = (1.0, -1.0, 2.0, -2.0)
PAIRS_TRIED = 8  # pairs, the closest first


def tied(done: Fit, rows: FitData) -> Fit:
    """The law with fewer constants, where some are multiples of others."""
    if done.skeleton.n_nodes > EVIDENCE.quickly_shortened or done.rank < len(done.constants):
        return done
    near = at_rounding(done, rows)
    for _ in range(len(done.constants)):
        fewer = _tied_once(done, rows, near)
        if fewer is None:
            return done
        done = fewer
    return done


def _tied_once(done: Fit, rows: FitData, near: bool) -> Fit | None:
    """The law with one constant less."""
    for one, other, ratio in _pairs(done, EXACT_SIGMAS if near else NOISY_SIGMAS)[:PAIRS_TRIED]:
        constants = done.constants.copy()
        constants[other] = ratio * constants[one]
        shorter = rows.shortened(done.skeleton.bind(constants))
        if _n_free(shorter, done) < len(done.constants):
            again = rows.fit(shorter.skeleton(), start=shorter.constants)
            fewer = again.ok and len(again.constants) < len(done.constants)
            if fewer and (at_rounding(again, rows) if near else is_shorter(again, done, rows)):
                return again
    return None


def _n_free(shorter: Expression, done: Fit) -> int:
    """Constants of a closed formula that a fit would have to find, given those that are closed in the law."""
    return len(shorter.constants) - (len(done.expression.constants) - len(done.constants))


def _pairs(done: Fit, sigmas: float) -> list[tuple[int, int, float]]:
    """Places of a constant and its multiple, and their ratio; the surest first."""
    found = []
    values, covariance = done.constants.tolist(), done.covariance
    for one, other in permutations(range(len(values)), 2):
        for ratio in RATIOS if one < other else RATIOS[2:]:
            gap = abs(values[other] - ratio * values[one])
            variance = covariance[other, other] + ratio**2 * covariance[one, one] - 2 * ratio * covariance[one, other]
            error = math.sqrt(max(float(variance), 0.0)) + LAST_PLACES * abs(values[other])
            if gap <= sigmas * error and sigmas * error < KNOWN_TO * abs(values[other]):
                found.append((gap / error, one, other, ratio))
    return [pair[1:] for pair in sorted(found)]
