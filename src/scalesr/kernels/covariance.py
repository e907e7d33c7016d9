"""How well the rows know the constants of a fit."""

from __future__ import annotations

import math

import numpy as np

from scalesr.kernels.compile import routine
from scalesr.kernels.evaluate import BYTES, fill
from scalesr.kernels.least_squares import NONE, System, inverse_gram, orthogonalise, sum_of_squares
from scalesr.kernels.machine import address_of, doubles_at, keep
from scalesr.kernels.problem import load, view


@routine
def covariance(problem_address, constants, system_address, out, stride, result):
    """Covariance of the open constants from left to right, in lines that lie `stride` numbers apart.

    Leaves the sum of squares, the rank and the number of rows without a value at `result`; all arguments
    but the stride are addresses.
    """
    problem = view(problem_address)
    m = problem.n_open
    system = System(system_address, m, problem.rows.n_rows)
    n_bad = load(problem, constants, m, system)
    total = sum_of_squares(system)
    memory = np.empty(3 * m * m + m)
    triangle, size = address_of(memory), m * m * BYTES
    inverse = triangle + size
    fill(triangle, m * m, 0.0)
    orthogonalise(system, NONE, m, doubles_at(triangle))
    rank = inverse_gram(
        doubles_at(triangle), m, doubles_at(triangle + 2 * size), doubles_at(triangle + 3 * size), doubles_at(inverse)
    )
    freedom = problem.rows.n_rows - n_bad - rank
    variance = total / freedom if freedom > 0 else math.nan
    for i in range(m):
        for j in range(m):
            place = problem.rank_of[i] * stride + problem.rank_of[j]
            doubles_at(out)[place] = variance * doubles_at(inverse)[i * m + j]
    counts = doubles_at(result)
    counts[0], counts[1], counts[2] = total, rank, n_bad
    keep(memory)
