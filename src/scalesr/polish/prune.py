"""Pruning: parts of a law that carry nothing are dropped, as long as the rows do not object.

The description length decides; for a law at rounding level, rounding does.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from scalesr.evidence.neighbours import fitted_neighbours
from scalesr.evidence.refit import WARM, FitData, polished, without_redundant
from scalesr.evidence.rounding import at_rounding
from scalesr.evidence.score import cost
from scalesr.expr.fitting import Fit
from scalesr.records.stop import Stop

PARTS_DROPPED = 40
NEIGHBOURS_TRIED = 3  # of the neighbours, those that a few rows like best are tried on all
IDLE = 2.0  # standard errors from 0 within which a constant may do nothing


def pruned(done: Fit, rows: FitData, deadline: Stop | None = None) -> Fit:
    """The law without the parts that the rows do not ask for."""
    near = at_rounding(done, rows)
    done = _without_idle(done, rows, near)
    for _ in range(PARTS_DROPPED):
        shorter = None if deadline is not None and deadline.passed else _shorter(done, rows, near)
        if shorter is None:
            return done
        done = shorter
    return done


def _without_idle(done: Fit, rows: FitData, near: bool) -> Fit:
    """The law without constants that may as well be 0, as many at once as the rows allow."""
    sizes, errors = np.abs(done.constants), IDLE * done.standard_errors
    order = sorted(np.flatnonzero(sizes < errors).tolist(), key=lambda place: sizes[place] / errors[place])
    while order:
        constants = done.constants.copy()
        constants[order] = 0.0
        trial = rows.shortened(done.skeleton.bind(constants))
        refitted = polished(rows.few.fit(trial.skeleton(), start=trial.constants, effort=WARM), rows)
        if refitted.ok and trial.n_nodes < done.skeleton.n_nodes and _is_better(refitted, done, rows, near):
            return _without_idle(refitted, rows, near)
        order = order[: len(order) // 2]
    return done


def _shorter(done: Fit, rows: FitData, near: bool) -> Fit | None:
    """The best of the neighbours, if it is better than the law."""
    around = fitted_neighbours(done, rows)
    here = rows.few.loss(done.expression)

    def expected(one: Fit) -> float:
        """What it costs on all rows, as a few rows lead to expect."""
        rise = 0.5 * rows.data.n_rows * (_log(one.rss / one.n_rows) - _log(here))
        return max(rise, 0.0 if near else rise) + cost(one)

    for one in sorted(around, key=expected)[:NEIGHBOURS_TRIED]:
        refitted = on_all(one, rows)
        if refitted.ok and _is_better(refitted, done, rows, near):
            return refitted
    return None


def _log(loss: float) -> float:
    """The logarithm of a mean square; a quotient of two of them may leave the range of floating-point numbers."""
    return math.log(max(loss, sys.float_info.min))


def on_all(one: Fit, rows: FitData) -> Fit:
    """A fit to some rows, written shortly and continued on all of them."""
    return polished(without_redundant(_on_few(one, rows), rows), rows)


def _on_few(one: Fit, rows: FitData) -> Fit:
    """A fit to some rows, written shortly and continued on the few."""
    shorter = rows.shortened(one.expression)
    kept = shorter if len(shorter.constants) == len(one.constants) else one.expression
    return rows.few.fit(kept.skeleton(), start=kept.constants, effort=WARM)


def _is_better(shorter: Fit, done: Fit, rows: FitData, near: bool) -> bool:
    """Whether the rows do not object to a shorter law; one at rounding level (`near`) has to stay there."""
    if near:
        return at_rounding(shorter, rows)
    return rows.score(shorter) <= rows.score(done)
