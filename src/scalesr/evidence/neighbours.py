"""Neighbours: the formulas with one part less than a law, fitted to a few rows."""

from __future__ import annotations

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.refit import FitData
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.expr.simpler import simpler, unwrapped, with_number
from scalesr.expr.straighten import straightened


def neighbours(expr: Expression) -> list[Expression]:
    """Closed formulas with one part less; of a large one, those without a whole operand."""
    found = simpler(expr, coefficients=False)
    if expr.n_nodes <= EVIDENCE.quickly_shortened:
        found += [*unwrapped(expr), *with_number(expr, 1.0)]
    return list({one.skeleton(): one for one in found if one.n_nodes < expr.n_nodes}.values())


def fitted_neighbours(done: Fit, rows: FitData) -> list[Fit]:
    """The neighbours that have values on every row, fitted to a few rows from the constants they keep."""
    around = neighbours(done.expression)
    if done.expression.n_nodes <= EVIDENCE.quickly_shortened:
        around += straightened(done.expression, rows.few.data.table)
    n_constants = max(len(done.expression.constants), 1)
    n_rows = max(
        EVIDENCE.neighbours_work // (n_constants * max(len(around), 1)),
        EVIDENCE.neighbours_rows_per_constant * n_constants + 50,
    )
    some = rows.few.thinned(n_rows)
    fits = some.fit_all([one.skeleton() for one in around], [one.constants for one in around])
    return [fits[place] for place in range(len(around)) if fits[place].ok]
