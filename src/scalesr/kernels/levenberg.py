"""Levenberg-Marquardt on the nonlinear constants, the linear ones solved in closed form.

This is variable projection: every trial of the nonlinear constants is judged with the linear ones
at their optimum. The Jacobian is taken at the linear constants predicted with the step, which
saves a pass per trial; where that prediction was far off it is taken again.
"""

from __future__ import annotations

import math

import numpy as np

from scalesr.kernels.compile import part, routine
from scalesr.kernels.evaluate import BYTES
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
from scalesr.kernels.machine import address_of, call_7, doubles_at, integers_at, keep
from scalesr.kernels.problem import LINEAR, fit_linear, is_halted, view

CONVERGED, STOPPED, NO_VALUES = 0, 1, 2  # status: optimum found; out of trials or halted; no finite residual

EXACT = 1e-30  # share of the target's sum of squares at which a residual is rounding error
FLAT = 1e-15  # predicted gain, as a share of the sum of squares, that is not worth a step
FAR_OFF = 1e-2  # share of the sum of squares by which linear constants missed their prediction
MAX_DAMPING = 1e14


@part
def _take_step(problem, triangle, constants, step, trial):
    """Put constants + step into `trial`, with the linear constants moving along."""
    m = problem.n_open
    for i in range(problem.n_linear):
        step[i] = 0.0
        for j in range(problem.n_linear, m):
            step[i] -= triangle[i * m + j] * step[j]
    back_substitute(triangle, m, NONE, problem.n_linear, step)
    assign(trial, constants, problem.n_constants)
    for j in range(m):
        trial[problem.order[j]] += step[j]


@part
def _linearise(problem, system, triangle, goal, scales):
    """Orthogonalise the nonlinear columns and set the goal of the next step."""
    first, m = problem.n_linear, problem.n_open
    orthogonalise(system, first, m, triangle)
    for j in range(first, m):
        goal[j] = dot(column(system, j), residual_of(system), system.n_rows)
        total = 0.0
        for i in range(first, j + 1):
            total += triangle[i * m + j] ** 2
        length = math.sqrt(total)
        scales[j] = length if length > scales[j] else scales[j]


@part
def _improve(problem, at, constants, system, max_trials, memory):
    """Levenberg-Marquardt in place on the constants at an address; returns total, status, trials.

    `memory` is the address of zeros: three triangles, five lists, two results and the constants of a trial.
    """
    n_linear, m = problem.n_linear, problem.n_open
    triangle_at, size = memory, m * m * BYTES
    triangle, saved, work = doubles_at(memory), doubles_at(memory + size), doubles_at(memory + 2 * size)
    lists, line_size = memory + 3 * size, m * BYTES
    coefficients_at, goal, step = lists, doubles_at(lists + line_size), doubles_at(lists + 2 * line_size)
    scales, line = doubles_at(lists + 3 * line_size), doubles_at(lists + 4 * line_size)
    result_at = lists + 5 * line_size
    result, trial = doubles_at(result_at), result_at + 2 * BYTES
    linear = integers_at(problem.routines)[LINEAR]
    if n_linear > 0:
        fit_linear(problem, at, constants, system, triangle_at, coefficients_at, result_at)
    call_7(linear, (at, constants, m, system.address, triangle_at, coefficients_at, result_at))
    total = result[0]
    if not math.isfinite(total):
        return math.inf, NO_VALUES, 0
    if n_linear == m or total <= EXACT * problem.norm:
        return total, CONVERGED, 1
    damping, growth, n_trials = 1e-3, 2.0, 0
    while n_trials < max_trials:
        _linearise(problem, system, triangle, goal, scales)
        assign(saved, triangle, m * m)
        new_total, taken = math.inf, 0.0
        while not new_total < total:
            damped_step(saved, m, n_linear, goal, damping, scales, work, line, step)
            gain = predicted_drop(saved, m, n_linear, goal, step)
            if not gain > FLAT * total or damping > MAX_DAMPING:
                return total, CONVERGED, n_trials
            if n_trials == max_trials or is_halted(problem):
                return total, STOPPED, n_trials
            n_trials += 1
            _take_step(problem, saved, doubles_at(constants), step, doubles_at(trial))
            call_7(linear, (at, trial, m, system.address, triangle_at, coefficients_at, result_at))
            new_total, taken = result[0], result[1]
            if not new_total < total:
                damping *= growth
                growth *= 2.0
        ratio = (total - new_total) / gain
        slower = 1.0 - (2.0 * ratio - 1.0) ** 3
        damping *= 0.1 if ratio > 0.9 else (slower if slower > 1.0 / 3.0 else 1.0 / 3.0)
        damping, growth = (damping if damping > 1e-18 else 1e-18), 2.0
        assign(doubles_at(constants), doubles_at(trial), problem.n_constants)
        total = new_total
        if total <= EXACT * problem.norm:
            return total, CONVERGED, n_trials
        if taken > FAR_OFF * total:
            call_7(linear, (at, constants, m, system.address, triangle_at, coefficients_at, result_at))
            total = result[0]
    return total, STOPPED, n_trials


@routine
def levenberg(problem_address, constants, system_address, max_trials, result):
    """Improve the constants of a problem in place; all arguments but max_trials are addresses.

    Leaves the sum of squares, the status and the number of trials at `result`.
    """
    problem = view(problem_address)
    system = System(system_address, problem.n_open, problem.rows.n_rows)
    memory = np.empty((3 * problem.n_open + 5) * problem.n_open + 2 + problem.n_constants)
    for i in range(len(memory)):
        memory[i] = 0.0
    total, status, n_trials = _improve(problem, problem_address, constants, system, max_trials, address_of(memory))
    out = doubles_at(result)
    out[0], out[1], out[2] = total, status, n_trials
    keep(memory)
