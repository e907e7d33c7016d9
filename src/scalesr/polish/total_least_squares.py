"""Total least squares: the constants of a law where the columns were measured with errors, too.

Each row may lie beside the place that its cells say. For given constants the most likely place is found by one step of
Gauss and Newton per round, and the row's residual then has the variance of the target and, by the slopes there, of the
columns. Least squares with these variances give the next constants. Fits that take the columns as exact make slopes too
small, by the share of the columns' variance that is error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, gradient, jacobian
from scalesr.expr.expression import Expression

Floats = NDArray[np.float64]

N_ROUNDS: Final = 100  # of steps of the constants, at most
N_PLACES: Final = 2  # steps of the places for each of them: the tangent hardly turns within an error of the columns
N_SIZES: Final = 30  # sizes of the target's errors that are tried, at most
SAME_SIZE: Final = 1e-6  # relative change at which the size has converged
N_HALVINGS: Final = 60  # of the range of its logarithm, which leaves nothing of it
CONVERGED_CHANGE: Final = 1e-9  # change of the constants over their size at which the rounds have converged
SHORTENED: Final = 0.5  # factor of a step that makes the rows less likely
N_SHORTENED: Final = 20  # times, before it is given up
LEAST_VARIANCE_SHARE: Final = 1e-12  # of the residual's variance: the error of the target is no smaller


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredRows:
    """Rows with the standard errors of their cells."""

    table: Floats  # (rows, columns)
    y: Floats  # (rows,)
    errors: Floats  # (rows, columns) of the columns, 0 where they are exact
    y_errors: Floats  # (rows,) of the target; up to one factor where that is not known
    is_known: bool  # whether the target's errors are known with their size


@dataclass(frozen=True, slots=True, eq=False)
class TotalFit:
    """Constants with their covariance, and how far the rows are off in units of their errors."""

    constants: Floats  # (open constants,)
    covariance: Floats
    y_error: float  # factor of the target's errors
    chi_square: float
    n_free: int  # rows less constants


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """Where a fit stands: the law with its constants, and the rows' likeliest places."""

    law: Expression
    shifts: Floats  # (rows, columns)
    residual: Floats  # (rows,) at the cells, along the tangent at the places
    across: Floats  # (rows,) variance that the errors of the columns make
    cost: float  # sum of squares in units of the rows' errors: what total least squares makes least


def total_fit(law: Expression, opened: NDArray[np.int64], rows: MeasuredRows) -> TotalFit | None:
    """Fit the constants at the places `opened` of a closed law, from their values; None where rows lose their value.

    Where the size of the target's errors is not known, it is the one with which rows are off as far as they should be.
    """
    y_error = 1.0 if rows.is_known else _typical(law, rows)
    here = _at(law, opened, law.constants[opened], np.zeros_like(rows.table), rows, y_error)
    if here is None or not len(opened):
        return None
    for _ in range(1 if rows.is_known else N_SIZES):
        here = _converged(here, opened, rows, y_error)
        if rows.is_known:
            break
        before, y_error = y_error, _error_of_target(here, rows, len(opened))
        if abs(y_error - before) <= SAME_SIZE * before:
            break
    return _finished(here, opened, rows, y_error)


def _typical(law: Expression, rows: MeasuredRows) -> float:
    """The size of the target's errors if the columns had none."""
    with np.errstate(all="ignore"):
        left = (rows.y - evaluate(law, rows.table)) / rows.y_errors
    return float(np.sqrt(np.mean(left**2))) or 1.0


def _converged(here: _State, opened: NDArray[np.int64], rows: MeasuredRows, y_error: float) -> _State:
    """The constants and places of least squares, for target errors of one size."""
    started = _at(here.law, opened, here.law.constants[opened], here.shifts, rows, y_error)
    here = here if started is None else started
    for _ in range(N_ROUNDS):
        step = _step(here, opened, rows, y_error)
        following = None if step is None else _shortened(here, opened, step, rows, y_error)
        if following is None:
            return here
        old, new = here.law.constants[opened], following.law.constants[opened]
        here = following
        if (np.abs(new - old) <= CONVERGED_CHANGE * (np.abs(new) + np.abs(old))).all():
            break
    return here


def _shortened(
    here: _State, opened: NDArray[np.int64], step: Floats, rows: MeasuredRows, y_error: float
) -> _State | None:
    """The state after a step, or after a part of it that does not raise the sum of squares."""
    constants = here.law.constants[opened]
    for _ in range(N_SHORTENED):
        there = _at(here.law, opened, constants + step, here.shifts, rows, y_error)
        if there is not None and there.cost <= here.cost * (1 + CONVERGED_CHANGE):
            return there
        step = SHORTENED * step
    return None


def _at(
    law: Expression, opened: NDArray[np.int64], constants: Floats, shifts: Floats, rows: MeasuredRows, y_error: float
) -> _State | None:
    """The state at some constants, with places one step on; None where a row has no value."""
    every = law.constants.copy()
    every[opened] = constants
    moved = law.skeleton().bind(every)
    for _ in range(N_PLACES):
        with np.errstate(all="ignore"):
            slopes = gradient(moved, rows.table + shifts)
            residual = rows.y - evaluate(moved, rows.table + shifts) + (slopes * shifts).sum(axis=1)
        if not (np.isfinite(residual).all() and np.isfinite(slopes).all()):
            return None
        across = ((slopes * rows.errors) ** 2).sum(axis=1)
        variance = across + (y_error * rows.y_errors) ** 2
        shifts = rows.errors**2 * slopes * (residual / variance)[:, np.newaxis]
    cost = float((residual**2 / variance).sum())
    return _State(moved, shifts, residual, across, cost) if math.isfinite(cost) else None


def _error_of_target(here: _State, rows: MeasuredRows, n_constants: int) -> float:
    """The factor of the target's errors with which the rows are off by as much as their errors say."""
    freedom = max(len(rows.y) - n_constants, 1)
    shape, squares = rows.y_errors**2, here.residual**2
    high = float((squares / shape).sum()) / freedom
    low = LEAST_VARIANCE_SHARE * high
    for _ in range(N_HALVINGS):
        middle = math.sqrt(low * high)
        is_too_small = float((squares / (here.across + middle * shape)).sum()) > freedom
        low, high = (middle, high) if is_too_small else (low, middle)
    return math.sqrt(high)


def _normal(
    here: _State, opened: NDArray[np.int64], rows: MeasuredRows, y_error: float
) -> tuple[Floats, Floats]:  # fmt: skip
    """Residuals, and slopes by the constants, both over the errors of the rows."""
    places = rows.table + here.shifts
    slopes = gradient(here.law, places)
    residual = rows.y - evaluate(here.law, places) + (slopes * here.shifts).sum(axis=1)
    error = np.sqrt(((slopes * rows.errors) ** 2).sum(axis=1) + (y_error * rows.y_errors) ** 2)
    by_constants = jacobian(here.law, places)[:, opened] / error[:, np.newaxis]
    return residual / error, by_constants


def _step(here: _State, opened: NDArray[np.int64], rows: MeasuredRows, y_error: float) -> Floats | None:
    with np.errstate(all="ignore"):
        residual, by_constants = _normal(here, opened, rows, y_error)
    if not (np.isfinite(residual).all() and np.isfinite(by_constants).all()):
        return None
    scale = np.sqrt((by_constants**2).sum(axis=0))
    scale[scale == 0] = 1.0
    return np.asarray(np.linalg.lstsq(by_constants / scale, residual, rcond=None)[0] / scale)


def _finished(here: _State, opened: NDArray[np.int64], rows: MeasuredRows, y_error: float) -> TotalFit | None:
    with np.errstate(all="ignore"):
        residual, by_constants = _normal(here, opened, rows, y_error)
    scale = np.sqrt((by_constants**2).sum(axis=0))
    if not (np.isfinite(residual).all() and (scale > 0).all()):
        return None
    inverse = np.linalg.pinv((by_constants / scale).T @ (by_constants / scale), hermitian=True)
    return TotalFit(
        here.law.constants[opened], inverse / np.outer(scale, scale), y_error, float(residual @ residual),
        len(residual) - len(opened),
    )  # fmt: skip
