"""Screening of first guesses: which ones fit best with nothing but their linear constants solved."""

from __future__ import annotations

import math

import numpy as np

from scalesr.kernels.compile import part, routine
from scalesr.kernels.evaluate import BYTES, fill
from scalesr.kernels.least_squares import System, assign
from scalesr.kernels.machine import address_of, call_5, doubles_at, integers_at, keep
from scalesr.kernels.problem import GUESS, fit_linear, is_halted, tree_of, view
from scalesr.kernels.starts import even_increments, guess_ones
from scalesr.kernels.structure import assign_roles

ALIKE = 1e-9  # relative difference below which two guesses are the same function


@part
def _insert(totals, candidates, n_kept, total, constants, n_constants):
    """Keep a list of candidates sorted by sum of squares, one of those that fit alike."""
    place = n_kept
    while place > 0 and total < totals[place - 1]:
        place -= 1
    if place > 0 and totals[place - 1] > (1.0 - ALIKE) * total:
        return
    if place < n_kept and totals[place] < (1.0 + ALIKE) * total:
        totals[place] = total
        assign(doubles_at(candidates + place * n_constants * BYTES), doubles_at(constants), n_constants)
        return
    size = n_constants * BYTES
    for i in range(n_kept - 1, place, -1):
        totals[i] = totals[i - 1]
        assign(doubles_at(candidates + i * size), doubles_at(candidates + (i - 1) * size), n_constants)
    if place < n_kept:
        totals[place] = total
        assign(doubles_at(candidates + place * size), doubles_at(constants), n_constants)


@routine
def screen(problem_address, constants, system_address, totals, candidates, n_kept, n_screened):
    """Collect the best `n_kept` of `n_screened` guesses; all arguments but these two are addresses.

    Leaves their sums of squares in `totals` (infinite where none was found) and their constants,
    one line each, in `candidates`.
    """
    problem = view(problem_address)
    system = System(system_address, problem.n_open, problem.rows.n_rows)
    n_open, n_nonlinear, n_constants = problem.n_open, problem.n_open - problem.n_linear, problem.n_constants
    memory = np.empty(2 * n_constants + problem.n_nodes + 2 * n_nonlinear + n_open * n_open + n_open + 2)
    roles = address_of(memory)
    partners = roles + n_constants * BYTES
    outer = partners + n_constants * BYTES
    assign_roles(tree_of(problem), integers_at(roles), integers_at(partners), integers_at(outer))
    increments_at = outer + problem.n_nodes * BYTES
    hs_at = increments_at + n_nonlinear * BYTES
    triangle = hs_at + n_nonlinear * BYTES
    coefficients = triangle + n_open * n_open * BYTES
    result = coefficients + n_open * BYTES
    increments, hs = doubles_at(increments_at), doubles_at(hs_at)
    even_increments(n_nonlinear, increments)
    fill(triangle, n_open * n_open + n_open, 0.0)
    fill(totals, n_kept, math.inf)
    for s in range(n_screened):
        if is_halted(problem):
            break
        for j in range(n_nonlinear):
            hs[j] = (0.5 + s * increments[j]) % 1.0
        if s == 0:
            guess_ones(problem, doubles_at(constants))
        else:
            call_5(
                integers_at(problem.routines)[GUESS], (problem_address, roles, partners, constants, hs_at)
            )  # fmt: skip
        fit_linear(problem, problem_address, constants, system, triangle, coefficients, result)
        total = doubles_at(result)[0]
        if math.isfinite(total):
            _insert(doubles_at(totals), candidates, n_kept, total, constants, n_constants)
    keep(memory)
