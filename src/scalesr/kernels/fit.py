"""Fits of many formulas to many groups of rows: guesses, screening, polishing, covariance."""

from __future__ import annotations

import math
from collections import namedtuple
from functools import cache

import numpy as np
from numpy.typing import NDArray

from scalesr.kernels.compile import entry, part
from scalesr.kernels.evaluate import BYTES
from scalesr.kernels.least_squares import NONE, System, assign, inverse_gram, orthogonalise, sum_of_squares
from scalesr.kernels.levenberg import NO_VALUES, levenberg_routine
from scalesr.kernels.machine import address_of, call_5, call_7, doubles_at, keep
from scalesr.kernels.problem import Rows, load, make_problem, new_system, problem_size, view, work_size
from scalesr.kernels.screen import screen_routine
from scalesr.kernels.tape import BLOCK, tape_routine

# Effort of a fit: guesses screened, guesses polished, trials per polish and in the last refinement.
Effort = namedtuple("Effort", ["n_screened", "n_polished", "polish_trials", "final_trials"])

TAPE, LEVENBERG, SCREEN = range(3)  # places in the list of routines

MAX_DOUBLINGS = 3  # the number of guesses doubles with each nonlinear constant after the first, so often
GOOD_ENOUGH = 1e-24  # share of the target's sum of squares at which no other start is tried


@cache
def fit_routines() -> NDArray[np.int64]:
    """Addresses of the compiled routines that a fit calls."""
    return np.array([routine.address for routine in (tape_routine(), levenberg_routine(), screen_routine())])


@part
def _thin(rows, n_columns):
    """At most BLOCK rows, evenly spaced: the columns, then y, then root weights."""
    n = min(rows.n_rows, BLOCK)
    thinned = np.empty((n_columns + 2, n))
    columns, y, weights = doubles_at(rows.columns), doubles_at(rows.y), doubles_at(rows.root_weights)
    for i in range(n):
        row = (i * rows.n_rows) // n
        for j in range(n_columns):
            thinned[j, i] = columns[j * rows.stride + row]
        thinned[n_columns, i] = y[row]
        thinned[n_columns + 1, i] = weights[row] if rows.root_weights else 1.0
    return thinned


@part
def _polish(routines, problem_address, candidates, n_candidates, system, constants, max_trials):
    """Improve each candidate and put the best into `constants`; returns its total, status and all trials."""
    problem = view(problem_address)
    best, status, spent = math.inf, NO_VALUES, 0
    result = np.empty(3)
    for c in range(n_candidates):
        own = address_of(candidates) + c * problem.n_constants * BYTES
        call_5(routines[LEVENBERG], (problem_address, own, system.address, max_trials, address_of(result)))
        spent += int(result[2])
        if result[0] < best:
            best, status = result[0], int(result[1])
            assign(doubles_at(address_of(constants)), doubles_at(own), problem.n_constants)
        if best <= GOOD_ENOUGH * problem.norm:
            break
    keep(candidates)
    keep(result)
    return best, status, spent


@part
def _search(routines, problem, codes, args, n_columns, constants, effort):
    """Put the best guess found on thinned rows into `constants`; returns the trials spent."""
    thinned = _thin(problem.rows, n_columns)
    n, base = thinned.shape[1], address_of(thinned)
    weights = base + (n_columns + 1) * n * BYTES if problem.rows.root_weights else 0
    rows = Rows(base, n, n, base + n_columns * n * BYTES, weights)
    memory = np.empty(problem_size(len(codes), len(constants)), np.int64)
    at = address_of(memory)
    make_problem(problem.tape, problem.addresses, codes, args, len(constants), rows, at, problem.work)
    small = view(at)
    lines = new_system(small)
    system = System(address_of(lines), small.n_open, n)
    n_screened = effort.n_screened << min(small.n_open - small.n_linear - 1, MAX_DOUBLINGS)
    n_kept = min(effort.n_polished, n_screened)
    totals, candidates = np.empty(n_kept), np.empty((n_kept, len(constants)))
    call_7(
        routines[SCREEN],
        (
            at, address_of(constants), system.address, address_of(totals), address_of(candidates), n_kept,
            n_screened,
        ),
    )  # fmt: skip
    n_candidates = 0
    while n_candidates < n_kept and totals[n_candidates] < math.inf:
        n_candidates += 1
    _, _, spent = _polish(routines, at, candidates, n_candidates, system, constants, effort.polish_trials)
    keep(totals)
    keep(thinned)
    keep(memory)
    keep(lines)
    return n_screened + spent


@part
def _candidates(problem, constants, starts):
    """The given starts, or else the constants as they are, one line of constants each."""
    n_starts = max(len(starts), 1)
    candidates = np.empty((n_starts, problem.n_constants))
    for s in range(n_starts):
        for k in range(problem.n_constants):
            candidates[s, k] = constants[k] if math.isfinite(constants[k]) else 0.0
        for j in range(problem.n_open if len(starts) > 0 else 0):
            candidates[s, problem.order[j]] = starts[s, problem.rank_of[j]]
    return candidates


@part
def _covariance(problem, constants, system, out):
    """Covariance of the open constants from left to right; returns sum of squares, rank, bad rows."""
    n_open = problem.n_open
    n_bad = load(problem, address_of(constants), n_open, system)
    total = sum_of_squares(system)
    triangle, inverse = np.zeros((n_open, n_open)), np.empty((n_open, n_open))
    orthogonalise(system, NONE, n_open, triangle)
    rank = inverse_gram(triangle, inverse)
    freedom = problem.rows.n_rows - n_bad - rank
    variance = total / freedom if freedom > 0 else math.nan
    for i in range(n_open):
        for j in range(n_open):
            out[problem.rank_of[i], problem.rank_of[j]] = variance * inverse[i, j]
    return total, rank, n_bad


@part
def _fit_one(routines, problem_address, codes, args, n_columns, constants, starts, effort, covariance):
    """Fit one formula to one group of rows; returns sum of squares, rank, bad rows, status and trials."""
    problem = view(problem_address)
    lines = new_system(problem)
    system = System(address_of(lines), problem.n_open, problem.rows.n_rows)
    searched = 0
    if len(starts) == 0 and problem.n_open > problem.n_linear:
        searched = _search(routines, problem, codes, args, n_columns, constants, effort)
    candidates = _candidates(problem, constants, starts)
    total, status, spent = _polish(
        routines, problem_address, candidates, len(candidates), system, constants, effort.final_trials
    )
    rank, n_bad = 0, problem.rows.n_rows
    if status != NO_VALUES:
        total, rank, n_bad = _covariance(problem, constants, system, covariance)
    keep(lines)
    return total, rank, n_bad, status, searched + spent


@entry
def fit_tasks(
    routines, addresses, codes, args, starts, constants, constant_starts, columns, row_starts, y, root_weights,
    task_program, task_group, first_guesses, efforts, out_constants, covariances, totals, counts,
):  # fmt: skip
    """Fit program task_program[t] to the rows of group task_group[t], for every task t.

    `routines` comes from fit_routines(). `root_weights` is empty for no weights; `first_guesses`
    (tasks or 1, starts, open constants) has no starts where the fit is to make its own. Fills,
    per task: all constants, the covariance of the open ones, the sum of squares, and counts
    (rank, rows without a value, status, trials).
    """
    n_columns, stride = columns.shape
    effort = Effort(efforts[0], efforts[1], efforts[2], efforts[3])
    for t in range(len(task_program)):
        p, row0 = task_program[t], row_starts[task_group[t]]
        own_codes, own_args = codes[starts[p] : starts[p + 1]], args[starts[p] : starts[p + 1]]
        own = np.empty(constant_starts[p + 1] - constant_starts[p])
        for k in range(len(own)):
            own[k] = constants[constant_starts[p] + k]
        weights = address_of(root_weights) + row0 * BYTES if len(root_weights) > 0 else 0
        rows = Rows(
            address_of(columns) + row0 * BYTES, stride, row_starts[task_group[t] + 1] - row0,
            address_of(y) + row0 * BYTES, weights,
        )  # fmt: skip
        memory = np.empty(problem_size(len(own_codes), len(own)), np.int64)
        work = np.empty(work_size(len(own_codes)))
        at = address_of(memory)
        make_problem(routines[TAPE], address_of(addresses), own_codes, own_args, len(own), rows, at, address_of(work))
        guesses = first_guesses[t % len(first_guesses)]
        totals[t], counts[t, 0], counts[t, 1], counts[t, 2], counts[t, 3] = _fit_one(
            routines, at, own_codes, own_args, n_columns, own, guesses, effort, covariances[t]
        )
        for k in range(len(own)):
            out_constants[t, k] = own[k]
        keep(memory)
        keep(work)
