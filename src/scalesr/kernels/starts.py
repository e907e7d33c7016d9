"""First guesses of nonlinear constants, at scales read off the data.

The first guess of all is 1 everywhere, the constant that laws hold most often. From the second on,
constants are guessed from the leaves upwards: when one multiplies or shifts a part of the
formula, that part's values on the rows are already known, and the guess is made relative to
them. Guesses fill their ranges evenly, by an additive sequence, the same in every run.
"""

from __future__ import annotations

import math

from scalesr.kernels.codes import LAST_LEAF, OPEN, VARIABLE
from scalesr.kernels.compile import part, routine
from scalesr.kernels.evaluate import BYTES, aligned, fill
from scalesr.kernels.machine import doubles_at, integers_at
from scalesr.kernels.problem import tree_of, view
from scalesr.kernels.structure import (
    EXPONENT,
    FREQUENCY,
    OF_RECIPROCAL,
    OFFSET_OF_DENOMINATOR,
    OFFSET_OUTSIDE,
    OFFSET_WITHIN,
    PHASE,
    RATE,
    SCALE,
)  # fmt: skip
from scalesr.kernels.table import run_forward
from scalesr.kernels.tape import BLOCK_BYTES, fill_constants

MAX_CYCLES = 8.0  # frequencies are guessed up to this many periods over the data
LARGEST_EXPONENT = 60.0  # of e; first guesses must not overflow


@part
def even_increments(n_dimensions, increments):
    """Increments of an additive sequence that fills the unit cube evenly."""
    base = 2.0
    for _ in range(40):  # the root of x^(d+1) = x + 1
        base = (1.0 + base) ** (1.0 / (n_dimensions + 1.0))
    for j in range(n_dimensions):
        increments[j] = base ** -(j + 1.0)


@part
def _extremes(address, n):
    """Least and greatest finite value of a block; zeros if there is none."""
    values = doubles_at(address)
    low, high = math.inf, -math.inf
    for i in range(n):
        if math.isfinite(values[i]):
            low = values[i] if values[i] < low else low
            high = values[i] if values[i] > high else high
    return (low, high) if low <= high else (0.0, 0.0)


@part
def _log_spaced(low, high, h):
    return low * (high / low) ** h


@part
def _signed(h, share_positive):
    """Split one number of the unit interval into a sign and another such number."""
    if h < share_positive:
        return 1.0, h / share_positive
    return -1.0, (h - share_positive) / (1.0 - share_positive)


@part
def guess(role, low, high, h):
    """One guess for a constant whose partner's values lie from low to high; h is in [0, 1)."""
    width = high - low
    size = abs(low) if abs(low) > abs(high) else abs(high)
    width = width if width > 0.0 else (size if size > 0.0 else 1.0)
    size = size if size > 0.0 else 1.0
    sign, rest = _signed(h, 0.5)
    if role == FREQUENCY:
        sign = 1.0 if (64.0 * h) % 1.0 < 0.75 else -1.0  # matters only where the amplitude's sign is fixed
        return sign * 2.0 * math.pi * MAX_CYCLES * (h * h + 0.005) / width  # slow ones need the finer steps
    if role == PHASE:
        return 2.0 * math.pi * h
    if role == RATE:
        rate, fastest = _log_spaced(0.1, 20.0, rest) / width, LARGEST_EXPONENT / size
        return sign * (rate if rate < fastest else fastest)
    if role == EXPONENT:
        return -3.0 + 7.0 * h
    if role == SCALE:
        sign, rest = _signed(h, 0.7)
        return sign * _log_spaced(0.03, 30.0, rest) / size
    if role == OFFSET_OUTSIDE:
        sign, rest = _signed(h, 0.7)
        away = width * _log_spaced(0.01, 10.0, rest)
        return away - low if sign > 0.0 else -high - away
    if role == OFFSET_OF_DENOMINATOR:  # a pole below, above or between the data
        sign, rest = _signed(h, 0.4)
        if sign > 0.0:
            return width * _log_spaced(0.01, 10.0, rest) - low
        sign, rest = _signed(rest, 0.3)
        return -high - width * _log_spaced(0.01, 10.0, rest) if sign > 0.0 else -(low + width * rest)
    if role == OFFSET_WITHIN:
        return -(low + width * (1.4 * h - 0.2))
    return sign * _log_spaced(0.1, 10.0, rest)


@routine
def guess_constants(problem_address, roles_address, partners_address, constants_address, hs_address):
    """Guess the open constants of a problem of at most one block of rows; linear ones become 1.

    `hs` are numbers of the unit interval, one for each nonlinear constant.
    """
    problem, constants, hs = view(problem_address), doubles_at(constants_address), doubles_at(hs_address)
    roles, partners = integers_at(roles_address), integers_at(partners_address)
    tree, rows = tree_of(problem), problem.rows
    n = rows.n_rows
    tape = aligned(problem.work)
    fill_constants(tree, constants, n, tape)
    node_at = integers_at(tape + 2 * tree.n_nodes * BLOCK_BYTES)
    for i in range(tree.n_nodes):
        code = tree.codes[i]
        node_at[i] = tape + i * BLOCK_BYTES
        if code == VARIABLE:
            node_at[i] = rows.columns + tree.args[i] * rows.stride * BYTES
        elif code > LAST_LEAF:
            first, last = tree.left[i], i - 1  # one and the same for a unary operator
            _guess_operand(problem, tree, roles, partners, constants, hs, first, node_at)
            _guess_operand(problem, tree, roles, partners, constants, hs, last, node_at)
            addresses = integers_at(problem.addresses)
            run_forward(addresses, code, tree.args[i], n, node_at[i], node_at[first], node_at[last])


@part
def guess_ones(problem, constants):
    """Put 1 into every open constant."""
    for j in range(problem.n_open):
        constants[problem.order[j]] = 1.0


@part
def _guess_operand(problem, tree, roles, partners, constants, hs, operand, node_at):
    if tree.codes[operand] != OPEN:
        return
    k = tree.args[operand]
    place = integers_at(problem.column_of)[k] - problem.n_linear
    if place < 0:
        constants[k] = 1.0  # a sensible size for what is built on it; solved for later
    else:
        low, high, role = 1.0, 1.0, roles[k]
        if partners[k] >= 0 and tree.codes[partners[k]] != OPEN:
            low, high = _extremes(node_at[partners[k]], problem.rows.n_rows)
        if role >= OF_RECIPROCAL:
            role -= OF_RECIPROCAL
            if low * high > 0.0:
                low, high = 1.0 / high, 1.0 / low
        constants[k] = guess(role, low, high, hs[place])
    fill(node_at[operand], problem.rows.n_rows, constants[k])
