"""The paper's coefficients: each group fitted alone, by one BFGS run from ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scalesr.expr.evaluate import evaluate, jacobian
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import ROWS_PER_UNIT
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]


def fit_groups_alone(skeleton: Expression, sweep: Sweep, deadline: Stop) -> Floats:  # (groups, open constants)
    """The matrix C^K of the paper's line 16; NaN where BFGS found no finite fit or time ran out."""
    found = np.full((sweep.n_groups, skeleton.n_open), np.nan)
    for group in range(sweep.n_groups):
        if deadline.passed:
            break
        X, y = sweep.group(group)
        found[group] = fit_from_ones(skeleton, X, y, deadline)
        deadline.spend(len(y) / ROWS_PER_UNIT)
    return found


def fit_from_ones(skeleton: Expression, X: Floats, y: Floats, deadline: Stop) -> Floats:  # (open constants,)
    """Least squares by BFGS from ones, at SciPy's default settings; NaN where that leads nowhere finite in time."""
    opened = skeleton.open_indices
    nowhere = np.inf, np.zeros(len(opened))

    def stop_in_time(_: Floats) -> None:
        if deadline.passed:
            raise StopIteration

    def error(constants: Floats) -> tuple[float, Floats]:
        """The mean squared error and its gradient; infinite where the formula has no values."""
        if not np.isfinite(constants).all():
            return nowhere
        closed = skeleton.bind(constants)
        off = evaluate(closed, X) - y
        gradient = 2 * off @ jacobian(closed, X)[:, opened] / len(y)
        loss = float(off @ off) / len(y)
        return (loss, gradient) if np.isfinite(loss) and np.isfinite(gradient).all() else nowhere

    with np.errstate(all="ignore"):
        done = minimize(error, np.ones(len(opened)), jac=True, method="BFGS", callback=stop_in_time)
    is_fit = np.isfinite(done.fun) and np.isfinite(done.x).all() and not deadline.passed
    return np.asarray(done.x, np.float64) if is_fit else np.full(len(opened), np.nan)
