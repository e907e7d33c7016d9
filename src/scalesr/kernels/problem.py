"""One fitting task as kernels see it, and its linearised system at given constants."""

from __future__ import annotations

import math
from collections import namedtuple

from scalesr.kernels.codes import OPEN
from scalesr.kernels.compile import inlined, part, reduction, routine
from scalesr.kernels.evaluate import BYTES
from scalesr.kernels.least_squares import (
    NONE,
    System,
    back_substitute,
    column,
    orthogonalise,
    project,
    residual_of,
    sum_of_squares,
)  # fmt: skip
from scalesr.kernels.machine import bits_of, call_7, call_14, codes_at, doubles_at, from_bits, integers_at
from scalesr.kernels.structure import Tree, make_tree, mark_constants, mark_linear, tree_size

# Places in the list of routines, which call each other through it: see fit.py.
TAPE, LINEAR, LEVENBERG, GUESS, SCREEN, PROBLEM, COVARIANCE = range(7)

# The rows of a task: addresses of the first row in the first column, in the target and in the
# square roots of the weights (0 for none), and the distance between columns.
TaskRows = namedtuple("TaskRows", ["columns", "stride", "n_rows", "y", "root_weights"])

Problem = namedtuple(
    "Problem",
    [
        "routines",  # where the addresses of the routines below are
        "addresses",  # where the addresses of the block functions are
        "n_nodes", "codes", "args", "left",  # the tree, by addresses
        "needs_all", "needs_linear",  # addresses of marks: nodes above an open constant, above a linear one
        "column_of",  # address of (constants,): place of each open constant, linear ones first
        "order",  # (open constants,) the constant at each place
        "rank_of",  # (open constants,) its rank among the open constants, from left to right
        "n_constants", "n_open", "n_linear",
        "rows",
        "norm",  # weighted sum of squares of the target
        "penalty",  # added to the sum of squares for each row without a finite value
        "work",  # address of the tape's work space
        "halt",  # address of an integer that is not 0 once the fit is to end
    ],
)  # fmt: skip

FRAME = 22  # integers of a problem's frame, from which `view` makes the record


@part
def problem_size(n_nodes, n_constants):
    """Integers of memory that a problem needs."""
    return FRAME + tree_size(n_nodes) + 4 * n_nodes + 5 * n_constants


@routine
def make_problem(
    routines, addresses, codes, args, n_nodes, n_constants, columns, stride, n_rows, y, root_weights, memory, work, halt
):  # fmt: skip
    """Analyse a formula for a fit; `memory` is the problem's address from then on.

    `memory` and `work` are addresses of problem_size() integers and tape_size() doubles.
    """
    tree_at = memory + FRAME * BYTES
    tree = make_tree(codes_at(codes), codes_at(args), n_nodes, tree_at)
    marks = tree_at + tree_size(n_nodes) * BYTES
    lists, size = marks + 4 * n_nodes * BYTES, n_constants * BYTES
    is_open, linear = integers_at(lists), integers_at(lists + size)
    column_of, order, rank_of = lists + 2 * size, lists + 3 * size, lists + 4 * size
    n_open = 0
    for k in range(n_constants):
        is_open[k] = linear[k] = integers_at(column_of)[k] = 0
    for i in range(n_nodes):
        if tree.codes[i] == OPEN:
            is_open[tree.args[i]] = 1
            n_open += 1
    mark_linear(tree, linear, integers_at(marks + 2 * n_nodes * BYTES), integers_at(marks + 3 * n_nodes * BYTES))
    mark_constants(tree, is_open, integers_at(marks))
    mark_constants(tree, linear, integers_at(marks + n_nodes * BYTES))
    n_linear = _number_columns(
        n_constants, is_open, linear, integers_at(column_of), integers_at(order), integers_at(rank_of)
    )
    norm = _norm(TaskRows(columns, stride, n_rows, y, root_weights))
    fields = (
        routines, addresses, n_nodes, tree_at, tree_at + n_nodes * BYTES, tree_at + 2 * n_nodes * BYTES, marks,
        marks + n_nodes * BYTES, column_of, order, rank_of, n_constants, n_open, n_linear, columns, stride, n_rows, y,
        root_weights, bits_of(norm), work, halt,
    )  # fmt: skip
    frame = integers_at(memory)
    for i in range(FRAME):
        frame[i] = fields[i]


@part
def view(memory):
    """The problem at an address."""
    f = integers_at(memory)
    norm = from_bits(f[19])
    return Problem(
        f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], integers_at(f[9]), integers_at(f[10]),
        f[11], f[12], f[13],
        TaskRows(f[14], f[15], f[16], f[17], f[18]), norm, 10.0 * norm / f[16], f[20], f[21],
    )  # fmt: skip


@inlined
def is_halted(problem):
    """Whether somebody wants the fit to end."""
    return integers_at(problem.halt)[0] != 0


@part
def tree_of(problem):
    return Tree(problem.n_nodes, integers_at(problem.codes), integers_at(problem.args), integers_at(problem.left))


@part
def _number_columns(n_constants, is_open, linear, column_of, order, rank_of):
    """Give each open constant its column, linear ones first; returns how many are linear."""
    n_linear = 0
    for k in range(n_constants):
        n_linear += linear[k]
    next_linear, next_other = 0, n_linear
    for k in range(n_constants):
        if is_open[k]:
            place = next_linear if linear[k] else next_other
            rank_of[place] = next_linear + next_other - n_linear
            order[place] = k
            column_of[k] = place
            next_linear += linear[k]
            next_other += 1 - linear[k]
    return n_linear


@part
def _norm(rows):
    y, weights = doubles_at(rows.y), doubles_at(rows.root_weights)
    total = 0.0
    for i in range(rows.n_rows):
        term = y[i] * weights[i] if rows.root_weights else y[i]
        total += term * term
    return total


@reduction
def _not_finite(values, n):
    """Zero for finite numbers, NaN otherwise."""
    total = 0.0
    for i in range(n):
        total += values[i] * 0.0
    return total


@part
def _clean(system, n_columns):
    """Silence entries that are not finite; returns the number of rows without a value."""
    residual = residual_of(system)
    n_bad = 0
    for i in range(system.n_rows):
        bad_row = not math.isfinite(residual[i])
        n_bad += bad_row
        residual[i] = 0.0 if bad_row else residual[i]
        for j in range(n_columns):
            own = column(system, j)
            if bad_row or not math.isfinite(own[i]):
                own[i] = 0.0
    return n_bad


@part
def _weigh(system, n_columns, weights):
    """Multiply the residual and the first columns by the root of the weights."""
    residual = residual_of(system)
    for i in range(system.n_rows):
        residual[i] *= weights[i]
    for j in range(n_columns):
        own = column(system, j)
        for i in range(system.n_rows):
            own[i] *= weights[i]


@part
def load(problem, constants, n_columns, system):
    """Residuals and the first columns of the Jacobian (all, or the linear ones), weighted.

    `constants` is an address. Returns the number of rows without a finite value.
    """
    rows = problem.rows
    needed = problem.needs_all if n_columns == problem.n_open else problem.needs_linear
    call_14(
        integers_at(problem.routines)[TAPE],
        (
            problem.addresses, problem.n_nodes, problem.codes, problem.args, problem.left, needed, problem.column_of,
            constants, rows.columns, rows.stride, rows.n_rows,
            system.address + system.n_columns * system.n_rows * BYTES, system.address, problem.work,
        ),
    )  # fmt: skip
    residual, y = residual_of(system), doubles_at(rows.y)
    for i in range(rows.n_rows):
        residual[i] = y[i] - residual[i]
    if rows.root_weights:
        _weigh(system, n_columns, doubles_at(rows.root_weights))
    check = _not_finite(residual, rows.n_rows)
    for j in range(n_columns):
        check += _not_finite(column(system, j), rows.n_rows)
    return _clean(system, n_columns) if check != 0.0 else 0


@routine
def linear_optimum(problem_address, constants, n_columns, system_address, triangle, coefficients, result):
    """Load the system and set the linear constants to their optimum; all but n_columns are addresses.

    Leaves the sum of squares and how much of it the change of the linear constants took away at `result`.
    """
    problem = view(problem_address)
    system = System(system_address, problem.n_open, problem.rows.n_rows)
    n_bad = load(problem, constants, n_columns, system)
    n_linear, change = problem.n_linear, doubles_at(coefficients)
    orthogonalise(system, NONE, n_linear, doubles_at(triangle))
    taken = project(system, NONE, n_linear, change)
    back_substitute(doubles_at(triangle), system.n_columns, NONE, n_linear, change)
    for j in range(n_linear):
        doubles_at(constants)[problem.order[j]] += change[j]
    doubles_at(result)[0] = sum_of_squares(system) + n_bad * problem.penalty
    doubles_at(result)[1] = taken


@part
def fit_linear(problem, at, constants, system, triangle, coefficients, result):
    """The linear constants' optimum for the nonlinear ones as they are, not from their values before.

    `at` is the problem's address; the others but `system` are addresses, too.
    """
    for j in range(problem.n_linear):
        doubles_at(constants)[problem.order[j]] = 0.0  # so that no digits are lost to a wrong size
    linear = integers_at(problem.routines)[LINEAR]
    call_7(linear, (at, constants, problem.n_linear, system.address, triangle, coefficients, result))
