"""Small dense least squares on long columns: orthogonalisation, damped steps, covariance.

A System holds the columns of a Jacobian and, after them, the residual; each is contiguous. A triangle is
square with as many lines as the system has columns, line after line. Orthogonalisation is modified
Gram-Schmidt, which solves least squares as stably as Householder reflections when the right-hand side is
treated as one more column, and vectorises over rows.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from scalesr.kernels.compile import inlined, part, reduction
from scalesr.kernels.evaluate import BYTES
from scalesr.kernels.machine import doubles_at

System = namedtuple("System", ["address", "n_columns", "n_rows"])

NONE = np.int64(0)  # not a literal: numba would compile a function again for each literal it is given
RANK_TOLERANCE = 1e-13  # a column that keeps less of its length depends on the columns before it


@inlined
def column(system, j):
    """The numbers of column j; the residual comes after the last column."""
    return doubles_at(system.address + j * system.n_rows * BYTES)


@inlined
def residual_of(system):
    return column(system, system.n_columns)


@reduction
def dot(a, b, n):
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@part
def subtract(y, factor, x, n):
    for i in range(n):
        y[i] -= factor * x[i]


@part
def scale(y, factor, n):
    for i in range(n):
        y[i] *= factor


@part
def assign(to, source, n):
    """Copy n numbers."""
    for i in range(n):
        to[i] = source[i]


@part
def sum_of_squares(system):
    return dot(residual_of(system), residual_of(system), system.n_rows)


@part
def orthogonalise(system, first, last, triangle):
    """Make columns first to last - 1 orthonormal to each other and to those before them.

    Fills their columns of the upper `triangle`; a dependent column gets a zero on the diagonal
    and is zero itself from then on.
    """
    n, m = system.n_rows, system.n_columns
    for j in range(first, last):
        own = column(system, j)
        for i in range(j + 1):
            triangle[i * m + j] = 0.0
        before = math.sqrt(dot(own, own, n))
        length = before
        for _ in range(2):
            if length == 0.0 or j == 0:
                break
            for i in range(j):
                if triangle[i * m + i] != 0.0:
                    share = dot(column(system, i), own, n)
                    triangle[i * m + j] += share
                    subtract(own, share, column(system, i), n)
            shorter = math.sqrt(dot(own, own, n))
            is_enough = shorter > 0.5 * length  # little was taken away: rounding errors stayed small
            length = shorter
            if is_enough:
                break
        if length > RANK_TOLERANCE * before:
            triangle[j * m + j] = length
            scale(own, 1.0 / length, n)
        else:
            scale(own, 0.0, n)


@part
def project(system, first, last, coefficients):
    """Take the residual's share along orthonormal columns out of it; returns the sum of squares taken."""
    residual = residual_of(system)
    taken = 0.0
    for j in range(first, last):
        coefficients[j] = dot(column(system, j), residual, system.n_rows)
        subtract(residual, coefficients[j], column(system, j), system.n_rows)
        taken += coefficients[j] ** 2
    return taken


@part
def back_substitute(triangle, m, first, last, x):
    """Solve the triangle's block for x in place; dependent columns get zero."""
    for j in range(last - 1, first - 1, -1):
        if triangle[j * m + j] == 0.0:
            x[j] = 0.0
            continue
        x[j] /= triangle[j * m + j]
        for i in range(first, j):
            x[i] -= triangle[i * m + j] * x[j]


@part
def damped_step(triangle, m, first, coefficients, damping, scales, work, line, step):
    """Step that minimises |T d - c|^2 + damping |S d|^2 over the block from `first` on, by plane rotations.

    `work` has the triangle's size and `line` one number per column.
    """
    for j in range(first, m):
        step[j] = coefficients[j]
        for i in range(first, j + 1):
            work[i * m + j] = triangle[i * m + j]
    root = math.sqrt(damping)
    for j in range(first, m):
        for k in range(j + 1, m):
            line[k] = 0.0
        line[j] = root * scales[j]
        rest = 0.0
        for k in range(j, m):
            length = math.sqrt(work[k * m + k] ** 2 + line[k] ** 2)
            if length == 0.0:
                continue
            c, s = work[k * m + k] / length, line[k] / length
            work[k * m + k] = length
            for i in range(k + 1, m):
                upper = work[k * m + i]
                work[k * m + i] = c * upper + s * line[i]
                line[i] = c * line[i] - s * upper
            upper = step[k]
            step[k] = c * upper + s * rest
            rest = c * rest - s * upper
    back_substitute(work, m, first, m, step)


@part
def predicted_drop(triangle, m, first, coefficients, step):
    """How much the linear model says the sum of squares will fall."""
    drop = 0.0
    for i in range(first, m):
        moved = 0.0
        for j in range(i, m):
            moved += triangle[i * m + j] * step[j]
        drop += moved * (2.0 * coefficients[i] - moved)
    return drop


@part
def inverse_gram(triangle, m, inverse, line, out):
    """(T' T)^-1 over the independent columns, NaN for dependent ones; returns the rank.

    `inverse` has the triangle's size and `line` one number per column.
    """
    rank = 0
    for j in range(m):
        for i in range(m):
            inverse[i * m + j] = 0.0
        if triangle[j * m + j] != 0.0:
            rank += 1
            for i in range(j):
                line[i] = 0.0
            line[j] = 1.0
            back_substitute(triangle, m, NONE, j + 1, line)
            for i in range(j + 1):
                inverse[i * m + j] = line[i]
    for i in range(m):
        for j in range(m):
            total = 0.0
            for k in range(m):
                total += inverse[i * m + k] * inverse[j * m + k]
            known = triangle[i * m + i] != 0.0 and triangle[j * m + j] != 0.0
            out[i * m + j] = total if known else math.nan
    return rank
