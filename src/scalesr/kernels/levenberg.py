"""Levenberg-Marquardt on the nonlinear constants, the linear ones solved in closed form.

This is variable projection: every trial of the nonlinear constants is judged with the linear ones
at their optimum. The Jacobian is taken at the linear constants predicted with the step, which
saves a pass per trial; where that prediction was far off it is taken anew.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from scalesr.kernels.compile import c_function, part
from scalesr.kernels.least_squares import (
    NONE,
    System,
    assign,
    back_substitute,
    column,
    damped_step,
    dot,
    orthogonalise,
    predicted_drop,
    residual_of,
)  # fmt: skip
from scalesr.kernels.machine import address_of, doubles_at, keep
from scalesr.kernels.problem import load, solve_linear, view

CONVERGED, STOPPED, NO_VALUES = 0, 1, 2  # status: optimum found; out of trials; no finite residual

EXACT = 1e-30  # share of the target's sum of squares at which a residual is rounding error
FLAT = 1e-15  # predicted gain, as a share of the sum of squares, that is not worth a step
FAR_OFF = 1e-2  # share of the sum of squares by which linear constants missed their prediction
MAX_DAMPING = 1e14


@part
def linear_optimum(problem, constants, n_columns, system, triangle, coefficients):
    """Solve for the linear constants; returns the sum of squares."""
    n_bad = load(problem, constants, n_columns, system)
    total, _ = solve_linear(problem, constants, system, triangle, coefficients, n_bad)
    return total


@part
def fit_linear(problem, constants, system, triangle, coefficients):
    """Optimum of the linear constants for the nonlinear ones as they are; returns the sum of squares."""
    for j in range(problem.n_linear):
        doubles_at(constants)[problem.order[j]] = 0.0  # so that no digits are lost to a wrong size
    return linear_optimum(problem, constants, problem.n_linear, system, triangle, coefficients)


@part
def _take_step(problem, triangle, constants, step, trial):
    """Put constants + step into `trial`, with the linear constants moving along."""
    for i in range(problem.n_linear):
        step[i] = 0.0
        for j in range(problem.n_linear, problem.n_open):
            step[i] -= triangle[i, j] * step[j]
    back_substitute(triangle, NONE, problem.n_linear, step)
    assign(trial, constants, problem.n_constants)
    for j in range(problem.n_open):
        trial[problem.order[j]] += step[j]


@part
def _linearise(problem, system, triangle, goal, scales):
    """Orthogonalise the nonlinear columns and set the goal of the next step."""
    first, last = problem.n_linear, problem.n_open
    orthogonalise(system, first, last, triangle)
    for j in range(first, last):
        goal[j] = dot(column(system, j), residual_of(system), system.n_rows)
        total = 0.0
        for i in range(first, j + 1):
            total += triangle[i, j] ** 2
        scales[j] = max(scales[j], math.sqrt(total))


@part
def _improve(problem, constants, system, max_trials):
    """Levenberg-Marquardt in place on the constants at an address; returns total, status, trials."""
    n_linear, n_open = problem.n_linear, problem.n_open
    squares, lists = np.zeros((3, n_open, n_open)), np.zeros((4, n_open))
    triangle, saved, work = squares[0], squares[1], squares[2]
    coefficients, goal, step, scales = lists[0], lists[1], lists[2], lists[3]
    memory = np.empty(problem.n_constants)
    trial = address_of(memory)
    if n_linear > 0:
        fit_linear(problem, constants, system, triangle, coefficients)
    total = linear_optimum(problem, constants, n_open, system, triangle, coefficients)
    if not math.isfinite(total):
        return math.inf, NO_VALUES, 0
    if n_linear == n_open or total <= EXACT * problem.norm:
        return total, CONVERGED, 1
    damping, growth, n_trials = 1e-3, 2.0, 0
    while n_trials < max_trials:
        _linearise(problem, system, triangle, goal, scales)
        for i in range(n_open):
            for j in range(i, n_open):
                saved[i, j] = triangle[i, j]
        new_total, taken = math.inf, 0.0
        while not new_total < total:
            damped_step(saved, n_linear, n_open, goal, damping, scales, work, step)
            gain = predicted_drop(saved, n_linear, n_open, goal, step)
            if not gain > FLAT * total or damping > MAX_DAMPING:
                return total, CONVERGED, n_trials
            if n_trials == max_trials:
                return total, STOPPED, n_trials
            n_trials += 1
            _take_step(problem, saved, doubles_at(constants), step, doubles_at(trial))
            n_bad = load(problem, trial, n_open, system)
            new_total, taken = solve_linear(problem, trial, system, triangle, coefficients, n_bad)
            if not new_total < total:
                damping *= growth
                growth *= 2.0
        ratio = (total - new_total) / gain
        damping *= 0.1 if ratio > 0.9 else max(1.0 / 3.0, 1.0 - (2.0 * ratio - 1.0) ** 3)
        damping, growth = max(damping, 1e-18), 2.0
        assign(doubles_at(constants), doubles_at(trial), problem.n_constants)
        total = new_total
        if total <= EXACT * problem.norm:
            return total, CONVERGED, n_trials
        if taken > FAR_OFF * total:
            total = linear_optimum(problem, constants, n_open, system, triangle, coefficients)
    keep(memory)
    return total, STOPPED, n_trials


def levenberg(problem_address, constants, system_address, max_trials, result):
    """Improve the constants of a problem in place; all arguments but max_trials are addresses.

    Leaves the sum of squares, the status and the number of trials at `result`.
    """
    problem = view(problem_address)
    system = System(system_address, problem.n_open, problem.rows.n_rows)
    total, status, n_trials = _improve(problem, constants, system, max_trials)
    out = doubles_at(result)
    out[0], out[1], out[2] = total, status, n_trials


@cache
def levenberg_routine() -> Any:
    """`levenberg`, compiled to be called through its address."""
    return c_function(levenberg, 5)
