"""Pruning: parts of a law that carry nothing are dropped, as long as the rows do not object.

The description length decides; for a law at rounding level, rounding does.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from scalesr.combine.refit import LARGE, WARM, Rows, polished, without_redundant
from scalesr.combine.rounding import is_at_rounding
from scalesr.combine.straighten import straightened
from scalesr.evidence.constants import constants_cost
from scalesr.evidence.criterion import structure_length
from scalesr.evidence.score import written_numbers
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.expr.simpler import simpler, unwrapped, with_number
from scalesr.records.stop import Stop

MAX_ROUNDS = 40
TRIED = 3  # of the neighbours, those that a few rows like best are tried on all
WORK = 2_000_000  # rows x constants x neighbours in one round of fits
ROWS_PER_CONSTANT = 5  # that even the largest formulas are fitted to
IDLE = 2.0  # standard errors from 0 within which a constant may do nothing


def pruned(done: Fit, rows: Rows, deadline: Stop | None = None) -> Fit:
    """The law without the parts that the rows do not ask for."""
    near = at_rounding(done, rows)
    done = _without_idle(done, rows, near)
    for _ in range(MAX_ROUNDS):
        shorter = None if deadline is not None and deadline.passed else _shorter(done, rows, near)
        if shorter is None:
            return done
        done = shorter
    return done


def neighbours(expr: Expression) -> list[Expression]:
    """Closed formulas with one part less; of a large one, those without a whole operand."""
    found = simpler(expr, coefficients=False)
    if expr.n_nodes <= LARGE:
        found += [*unwrapped(expr), *with_number(expr, 1.0)]
    return list({one.skeleton(): one for one in found if one.n_nodes < expr.n_nodes}.values())


def fitted_neighbours(done: Fit, rows: Rows) -> list[Fit]:
    """The neighbours that have values on every row, fitted to a few rows from the constants they keep."""
    around = neighbours(done.expression)
    if done.expression.n_nodes <= LARGE:
        around += straightened(done.expression, rows.few.data.table)
    n_constants = max(len(done.expression.constants), 1)
    n_rows = max(WORK // (n_constants * max(len(around), 1)), ROWS_PER_CONSTANT * n_constants + 50)
    some = rows.few.thinned(n_rows)
    fits = some.fit_all([one.skeleton() for one in around], [one.constants for one in around])
    return [fits[place] for place in range(len(around)) if fits[place].ok]


def _without_idle(done: Fit, rows: Rows, near: bool) -> Fit:
    """The law without constants that may as well be 0, as many at once as the rows allow."""
    sizes, errors = np.abs(done.constants), IDLE * done.standard_errors
    order = sorted(np.flatnonzero(sizes < errors).tolist(), key=lambda place: sizes[place] / errors[place])
    while order:
        constants = done.constants.copy()
        constants[order] = 0.0
        trial = rows.shortened(done.skeleton.bind(constants))
        settled = polished(rows.few.fit(trial.skeleton(), start=trial.constants, effort=WARM), rows)
        if settled.ok and trial.n_nodes < done.skeleton.n_nodes and _is_better(settled, done, rows, near):
            return _without_idle(settled, rows, near)
        order = order[: len(order) // 2]
    return done


def _shorter(done: Fit, rows: Rows, near: bool) -> Fit | None:
    """The best of the neighbours, if it is better than the law."""
    around = fitted_neighbours(done, rows)
    here = rows.few.loss(done.expression)

    def expected(one: Fit) -> float:
        """What it costs on all rows, as a few rows lead to expect."""
        ratio = max(one.rss / one.n_rows, sys.float_info.min) / max(here, sys.float_info.min)
        rise = 0.5 * rows.data.n_rows * math.log(ratio)
        return max(rise, 0.0 if near else rise) + cost(one)

    for one in sorted(around, key=expected)[:TRIED]:
        settled = on_all(one, rows)
        if settled.ok and _is_better(settled, done, rows, near):
            return settled
    return None


def on_all(one: Fit, rows: Rows) -> Fit:
    """A fit to some rows, written shortly and continued on all of them."""
    return polished(without_redundant(_on_few(one, rows), rows), rows)


def _on_few(one: Fit, rows: Rows) -> Fit:
    """A fit to some rows, written shortly and continued on the few."""
    shorter = rows.shortened(one.expression)
    kept = shorter if len(shorter.constants) == len(one.constants) else one.expression
    return rows.few.fit(kept.skeleton(), start=kept.constants, effort=WARM)


def _is_better(shorter: Fit, done: Fit, rows: Rows, near: bool) -> bool:
    """Whether the rows do not object to a shorter law; one at rounding level (`near`) has to stay there."""
    if near:
        return at_rounding(shorter, rows)
    return rows.score(shorter) <= rows.score(done)


def at_rounding(done: Fit, rows: Rows) -> bool:
    """Whether a fit differs from all rows by rounding alone."""
    return is_at_rounding(done.expression, done.skeleton.open_indices, rows.data, rows.data)


def cost(done: Fit) -> float:
    """What a law costs to write, without the rows."""
    return (
        structure_length(done.skeleton)
        + written_numbers(done.skeleton)
        + constants_cost(done.constants, done.covariance)
    )
