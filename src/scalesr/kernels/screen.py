"""Screening of first guesses: which ones fit best with nothing but their linear constants solved."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from scalesr.kernels.compile import c_function, part
from scalesr.kernels.evaluate import BYTES, fill
from scalesr.kernels.least_squares import System, assign
from scalesr.kernels.levenberg import fit_linear
from scalesr.kernels.machine import address_of, doubles_at, integers_at, keep
from scalesr.kernels.problem import tree_of, view
from scalesr.kernels.starts import guess_constants, guess_ones, spread
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


def screen(problem_address, constants, system_address, totals, candidates, n_kept, n_screened):
    """Collect the best `n_kept` of `n_screened` guesses; all arguments but these two are addresses.

    Leaves their sums of squares in `totals` (infinite where none was found) and their constants,
    one line each, in `candidates`. Compiled by `screen_routine`.
    """
    problem = view(problem_address)
    system = System(system_address, problem.n_open, problem.rows.n_rows)
    n_open, n_nonlinear, n_constants = problem.n_open, problem.n_open - problem.n_linear, problem.n_constants
    memory = np.empty(2 * n_constants + problem.n_nodes, np.int64)
    roles = integers_at(address_of(memory))
    partners = integers_at(address_of(memory) + n_constants * BYTES)
    assign_roles(tree_of(problem), roles, partners, integers_at(address_of(memory) + 2 * n_constants * BYTES))
    increments, hs = spread(n_nonlinear), np.empty(n_nonlinear)
    triangle, coefficients = np.zeros((n_open, n_open)), np.zeros(n_open)
    fill(totals, n_kept, math.inf)
    for s in range(n_screened):
        for j in range(n_nonlinear):
            hs[j] = (0.5 + s * increments[j]) % 1.0
        if s == 0:
            guess_ones(problem, doubles_at(constants))
        else:
            guess_constants(problem, roles, partners, doubles_at(constants), hs)
        total = fit_linear(problem, constants, system, triangle, coefficients)
        if math.isfinite(total):
            _insert(doubles_at(totals), candidates, n_kept, total, constants, n_constants)
    keep(memory)


@cache
def screen_routine() -> Any:
    """`screen`, compiled to be called through its address."""
    return c_function(screen, 7)
