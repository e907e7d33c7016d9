"""How well the rows know the constants of a fit."""

from __future__ import annotations

import math

import numpy as np

from scalesr.kernels.compile import part, routine
from scalesr.kernels.evaluate import BYTES, fill
from scalesr.kernels.least_squares import (
    NONE,
    RANK_TOLERANCE,
    System,
    inverse_gram,
    orthogonalise,
    sum_of_squares,
)
from scalesr.kernels.machine import address_of, doubles_at, keep
from scalesr.kernels.problem import load, view

SMALL_SHARE = 1e-6  # a covariance has its square, so that of 16 digits no more than four are left to tell others by


@part
def drop_rounding(triangle, m):
    """Make columns dependent of which rounding errors alone are left.

    What a column keeps of its length beside those before it holds their rounding errors, grown by one over the
    least share that was kept before: more than that has to be left. In c/(a/t^2 + b) one constant is too many; with a
    small b, a keeps a small share beside c, and what b keeps beside both is rounding, though above the tolerance.
    """
    least = 1.0
    for j in range(m):
        length = 0.0
        for i in range(j + 1):
            length += triangle[i * m + j] ** 2
        length = math.sqrt(length)
        own = triangle[j * m + j]
        if own * least <= RANK_TOLERANCE * length:
            for k in range(j, m):
                triangle[j * m + k] = 0.0
        else:
            least = min(least, own / length)


@part
def drop_untold(triangle, m, values, order, sigma, pull):
    """Make columns dependent whose constants nearly depend on those before and may, with these, be anything.

    In c*x/(x*(cos(t)*(t - a) + b) + d) with a, b, c and d of 1e12 the rows determine three ratios. The fourth constant
    is told by the trace that t leaves: within its standard error some constant changes by more than its own size, and
    what the covariance then says of the others is rounding. `pull` is memory for m numbers.
    """
    for j in range(m):
        length = 0.0
        for i in range(j + 1):
            length += triangle[i * m + j] ** 2
        own = abs(triangle[j * m + j])
        if own == 0.0 or own > SMALL_SHARE * math.sqrt(length):
            continue
        back_substitute(triangle, m, j, pull)
        is_anything = own * abs(values[order[j]]) <= sigma
        for i in range(j):
            is_anything = is_anything or own * abs(values[order[i]]) <= abs(pull[i]) * sigma
        if is_anything:
            drop_column(triangle, m, j)


@part
def back_substitute(triangle, m, j, pull):
    """What the constants before one have to change by to make up for a change of one in it."""
    for i in range(j - 1, -1, -1):
        rest = -triangle[i * m + j]
        for k in range(i + 1, j):
            rest -= triangle[i * m + k] * pull[k]
        pull[i] = rest / triangle[i * m + i] if triangle[i * m + i] != 0.0 else 0.0


@part
def drop_column(triangle, m, j):
    """Take a column out of a triangle, whose own direction goes to those after it by rotations; its line becomes 0."""
    for k in range(j + 1, m):
        above, here = triangle[(k - 1) * m + k], triangle[k * m + k]
        size = math.hypot(above, here)
        cosine, sine = (above / size, here / size) if size > 0.0 else (1.0, 0.0)
        for i in range(k, m):
            first, second = triangle[(k - 1) * m + i], triangle[k * m + i]
            triangle[(k - 1) * m + i] = cosine * first + sine * second
            triangle[k * m + i] = cosine * second - sine * first
    for k in range(m - 1, j, -1):
        for i in range(k, m):
            triangle[k * m + i] = triangle[(k - 1) * m + i]
    for i in range(j, m):
        triangle[j * m + i] = 0.0


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
    drop_rounding(doubles_at(triangle), m)
    sigma = math.sqrt(total / max(problem.rows.n_rows - n_bad - m, 1))
    drop_untold(
        doubles_at(triangle), m, doubles_at(constants), problem.order, sigma, doubles_at(triangle + 3 * size)
    )  # fmt: skip
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
