"""Fits of many formulas to many groups of rows: guesses, screening, polishing, covariance."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.kernels.compile import part, routine
from scalesr.kernels.covariance import covariance
from scalesr.kernels.evaluate import BYTES
from scalesr.kernels.least_squares import assign
from scalesr.kernels.levenberg import NO_VALUES, levenberg
from scalesr.kernels.machine import (
    address_in_memory,
    address_of,
    call_5,
    call_6,
    call_7,
    call_14,
    doubles_at,
    integers_at,
    keep,
)  # fmt: skip
from scalesr.kernels.problem import (
    COVARIANCE,
    LEVENBERG,
    PROBLEM,
    SCREEN,
    linear_optimum,
    make_problem,
    problem_size,
    view,
)  # fmt: skip
from scalesr.kernels.screen import screen
from scalesr.kernels.starts import guess_constants
from scalesr.kernels.tape import BLOCK, tape_size, values_and_jacobian

CODE_BYTES = 4
MAX_DOUBLINGS = 3  # the number of guesses doubles with each nonlinear constant after the first, so often
GOOD_ENOUGH = 1e-24  # share of the target's sum of squares at which no other start is tried

# What fit_tasks is given, by address unless it is a number.
Frame = namedtuple(
    "Frame",
    [
        "routines", "addresses",  # from fit_routines() and table()
        "halt",  # an integer that is not 0 once the work is to end
        "codes", "args", "starts", "constants", "constant_starts",  # the programs: see expr/programs.py
        "columns", "n_columns", "stride", "row_starts", "y", "root_weights",  # no weights: 0
        "n_tasks", "task_program", "task_group",
        "guesses", "n_guesses", "n_guessed", "guess_width",  # (tasks or 1, starts, open constants); no starts: own ones
        "efforts",  # guesses screened, guesses polished, trials per polish and in the last refinement
        "out_constants", "width", "covariances", "totals", "counts",
    ],
)  # fmt: skip


Arrays = Sequence[NDArray[Any]]


def frame_of(
    engine: Arrays, programs: Arrays, rows: Arrays, tasks: Arrays, guesses: NDArray[np.float64],
    efforts: NDArray[np.int64], out: Arrays,
) -> NDArray[np.int64]:  # fmt: skip
    """The frame of contiguous arrays, which have to stay alive until its fits are made."""
    columns, row_starts, y, roots = rows
    weights = address_in_memory(roots) if len(roots) else 0
    values, *results = map(address_in_memory, out)
    return np.array(
        [
            *map(address_in_memory, (*engine, *programs, columns)), *columns.shape,
            *map(address_in_memory, (row_starts, y)), weights, len(tasks[0]),
            *map(address_in_memory, (*tasks, guesses)), *guesses.shape, address_in_memory(efforts),
            values, out[0].shape[1], *results,
        ]
    )  # fmt: skip


@cache
def fit_routines() -> NDArray[np.int64]:
    """Addresses of the compiled routines that a fit calls, in the order of problem.py."""
    order = (
        values_and_jacobian, linear_optimum, levenberg, guess_constants, screen, make_problem, covariance,
    )  # fmt: skip
    return np.array([routine.address for routine in order])


@part
def _thin(rows, n_columns, n, out):
    """Every this many-th of the rows, n in all: the columns, then y, then root weights."""
    columns, y, weights = doubles_at(rows.columns), doubles_at(rows.y), doubles_at(rows.root_weights)
    for i in range(n):
        row = (i * rows.n_rows) // n
        for j in range(n_columns):
            out[j * n + i] = columns[j * rows.stride + row]
        out[n_columns * n + i] = y[row]
        out[(n_columns + 1) * n + i] = weights[row] if rows.root_weights else 1.0


@part
def _polish(problem, at, candidates, n_candidates, system_address, constants, max_trials, result):
    """Improve each candidate and put the best into `constants`; returns its total, status and all trials."""
    best, status, spent = math.inf, NO_VALUES, 0
    for c in range(n_candidates):
        own = candidates + c * problem.n_constants * BYTES
        call_5(integers_at(problem.routines)[LEVENBERG], (at, own, system_address, max_trials, result))
        spent += int(doubles_at(result)[2])
        if doubles_at(result)[0] < best:
            best, status = doubles_at(result)[0], int(doubles_at(result)[1])
            assign(doubles_at(constants), doubles_at(own), problem.n_constants)
        if best <= GOOD_ENOUGH * problem.norm:
            break
    return best, status, spent


@part
def _search(frame, problem, codes, args, constants):
    """Put the best guess found on thinned rows into `constants`; returns the trials spent."""
    efforts, n_constants, n_nodes = integers_at(frame.efforts), problem.n_constants, problem.n_nodes
    n = problem.rows.n_rows if problem.rows.n_rows < BLOCK else BLOCK
    n_doubled = problem.n_open - problem.n_linear - 1
    n_screened = efforts[0] << (n_doubled if n_doubled < MAX_DOUBLINGS else MAX_DOUBLINGS)
    n_kept = efforts[1] if efforts[1] < n_screened else n_screened
    n_thinned, n_lines = (frame.n_columns + 2) * n, (problem.n_open + 1) * n
    memory = np.empty(n_thinned + n_lines + problem_size(n_nodes, n_constants) + n_kept * (1 + n_constants) + 3)
    base = address_of(memory)
    lines = base + n_thinned * BYTES
    at = lines + n_lines * BYTES
    totals = at + problem_size(n_nodes, n_constants) * BYTES
    candidates = totals + n_kept * BYTES
    result = candidates + n_kept * n_constants * BYTES
    _thin(problem.rows, frame.n_columns, n, doubles_at(base))
    y = base + frame.n_columns * n * BYTES
    weights = y + n * BYTES if problem.rows.root_weights else 0
    call_14(
        integers_at(frame.routines)[PROBLEM],
        (
            frame.routines, frame.addresses, codes, args, n_nodes, n_constants, base, n, n, y, weights, at,
            problem.work, frame.halt,
        ),
    )  # fmt: skip
    call_7(integers_at(frame.routines)[SCREEN], (at, constants, lines, totals, candidates, n_kept, n_screened))
    n_candidates = 0
    while n_candidates < n_kept and doubles_at(totals)[n_candidates] < math.inf:
        n_candidates += 1
    _, _, spent = _polish(view(at), at, candidates, n_candidates, lines, constants, efforts[2], result)
    keep(memory)
    return n_screened + spent


@part
def _candidates(problem, constants, n_starts, starts, width, candidates):
    """The given starts, or else the constants as they are, one line of constants each."""
    n_constants = problem.n_constants
    for s in range(n_starts if n_starts > 0 else 1):
        for k in range(n_constants):
            candidates[s * n_constants + k] = constants[k] if math.isfinite(constants[k]) else 0.0
        for j in range(problem.n_open if n_starts > 0 else 0):
            candidates[s * n_constants + problem.order[j]] = starts[s * width + problem.rank_of[j]]


@part
def _fit_one(frame, t, at, codes, args, constants):
    """Fit one formula to one group of rows, with its constants at an address."""
    problem = view(at)
    n_rows, n_candidates = problem.rows.n_rows, frame.n_guessed if frame.n_guessed > 0 else 1
    n_lines = (problem.n_open + 1) * n_rows
    memory = np.empty(n_lines + n_candidates * problem.n_constants + 3)
    lines = address_of(memory)
    candidates = lines + n_lines * BYTES
    result = candidates + n_candidates * problem.n_constants * BYTES
    searched = 0
    if frame.n_guessed == 0 and problem.n_open > problem.n_linear:
        searched = _search(frame, problem, codes, args, constants)
    starts = frame.guesses + (t % frame.n_guesses) * frame.n_guessed * frame.guess_width * BYTES
    _candidates(
        problem, doubles_at(constants), frame.n_guessed, doubles_at(starts), frame.guess_width, doubles_at(candidates)
    )
    total, status, spent = _polish(
        problem, at, candidates, n_candidates, lines, constants, integers_at(frame.efforts)[3], result
    )
    rank, n_bad = 0.0, float(n_rows)
    if status != NO_VALUES:
        out = frame.covariances + t * frame.width * frame.width * BYTES
        call_6(integers_at(frame.routines)[COVARIANCE], (at, constants, lines, out, frame.width, result))
        total, rank, n_bad = doubles_at(result)[0], doubles_at(result)[1], doubles_at(result)[2]
    doubles_at(frame.totals)[t] = total
    counts = integers_at(frame.counts + 4 * t * BYTES)
    counts[0], counts[1], counts[2], counts[3] = int(rank), int(n_bad), status, searched + spent
    keep(memory)


@part
def _task(frame, t):
    """Fit program task_program[t] to the rows of group task_group[t]."""
    p, group = integers_at(frame.task_program)[t], integers_at(frame.task_group)[t]
    starts, constant_starts, row_starts = (
        integers_at(frame.starts), integers_at(frame.constant_starts), integers_at(frame.row_starts),
    )  # fmt: skip
    n_nodes, n_constants = starts[p + 1] - starts[p], constant_starts[p + 1] - constant_starts[p]
    codes, args = frame.codes + starts[p] * CODE_BYTES, frame.args + starts[p] * CODE_BYTES
    constants = frame.out_constants + t * frame.width * BYTES
    assign(doubles_at(constants), doubles_at(frame.constants + constant_starts[p] * BYTES), n_constants)
    skipped, n_rows = row_starts[group] * BYTES, row_starts[group + 1] - row_starts[group]
    weights = frame.root_weights + skipped if frame.root_weights else 0
    memory = np.empty(problem_size(n_nodes, n_constants) + tape_size(n_nodes))
    at = address_of(memory)
    work = at + problem_size(n_nodes, n_constants) * BYTES
    call_14(
        integers_at(frame.routines)[PROBLEM],
        (
            frame.routines, frame.addresses, codes, args, n_nodes, n_constants, frame.columns + skipped, frame.stride,
            n_rows, frame.y + skipped, weights, at, work, frame.halt,
        ),
    )  # fmt: skip
    _fit_one(frame, t, at, codes, args, constants)
    keep(memory)


@routine
def fit_tasks(frame_address):
    """Make the fits of a frame; those that a halt leaves undone have no trials and no values.

    Fills, per task: all constants, the covariance of the open ones, the sum of squares, and counts
    (rank, rows without a value, status, trials).
    """
    f = integers_at(frame_address)
    frame = Frame(
        f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13], f[14], f[15], f[16],
        f[17], f[18], f[19], f[20], f[21], f[22], f[23], f[24], f[25], f[26],
    )  # fmt: skip
    for t in range(frame.n_tasks):
        if integers_at(frame.halt)[0] != 0:
            counts = integers_at(frame.counts + 4 * t * BYTES)
            doubles_at(frame.totals)[t] = math.inf
            counts[0], counts[1], counts[2], counts[3] = 0, 1, NO_VALUES, 0
        else:
            _task(frame, t)
