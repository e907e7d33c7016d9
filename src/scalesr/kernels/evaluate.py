"""Values of formulas on many rows, block by block.

A formula's operands stay in a few blocks that fit the first-level cache. A variable's block is
read where it lies in the table and a constant's block is filled once, so leaves cost nothing.
"""

from __future__ import annotations

import numpy as np

from scalesr.kernels.codes import FIRST_CUSTOM, LAST_BINARY, LAST_LEAF, VARIABLE
from scalesr.kernels.compile import CODES, COLUMNS, CONSTANTS, STARTS, TABLE, entry, inlined, part
from scalesr.kernels.machine import address_of, codes_at, doubles_at, integers_at, keep
from scalesr.kernels.table import run_forward

BLOCK = 256  # rows
BYTES = 8
BLOCK_BYTES = BLOCK * BYTES


@inlined
def arity_of(code):
    """Number of operands, by the numbering in codes.py."""
    if code <= LAST_LEAF:
        return 0
    if code >= FIRST_CUSTOM:
        return 1 + code % 2
    return 2 if code <= LAST_BINARY else 1


@inlined
def aligned(address):
    """The next address that starts a cache line."""
    return (address + 63) & ~63


@part
def max_depth(codes, n_nodes):
    """The most operands that wait at a time."""
    depth = 0
    most = 1
    for i in range(n_nodes):
        depth += 1 - arity_of(codes[i])
        most = depth if depth > most else most
    return most


@part
def fill(address, n, value):
    block = doubles_at(address)
    for i in range(n):
        block[i] = value


@part
def copy(to_address, from_address, n):
    to, source = doubles_at(to_address), doubles_at(from_address)
    for i in range(n):
        to[i] = source[i]


@part
def evaluate_block(addresses, codes, args, n_nodes, columns, stride, n, constants_at, blocks_at, out, stack, banks):
    """One formula on `n` rows; `columns` is the address of the first of them in the first column.

    `stack` holds the addresses of waiting operands. Each depth has two blocks, so that a result
    never overwrites its own operand.
    """
    top = -1
    last = n_nodes - 1
    for i in range(n_nodes):
        code = codes[i]
        if code <= LAST_LEAF:
            top += 1
            banks[top] = 0
            if code == VARIABLE:
                stack[top] = columns + args[i] * stride * BYTES
            else:
                stack[top] = constants_at + args[i] * BLOCK_BYTES
            continue
        b = stack[top]
        if arity_of(code) == 2:
            top -= 1
        a = stack[top]
        banks[top] = 1 - banks[top]
        to = out if i == last else blocks_at + (2 * top + banks[top]) * BLOCK_BYTES
        run_forward(addresses, code, args[i], n, to, a, b)
        stack[top] = to
    if last == 0:
        copy(out, stack[0], n)


@part
def values_of_programs(addresses, codes, args, starts, constants, constant_starts, columns, out):
    """Values of many formulas, one row of `out` each.

    Formula p has nodes starts[p] to starts[p + 1] and constants constant_starts[p] onwards;
    `columns` is (variables, rows).
    """
    n_rows = columns.shape[1]
    table = integers_at(address_of(addresses))
    for p in range(len(starts) - 1):
        n_nodes, n_constants = starts[p + 1] - starts[p], constant_starts[p + 1] - constant_starts[p]
        own, own_args = codes_at(address_of(codes) + starts[p] * 4), codes_at(address_of(args) + starts[p] * 4)
        depth = max_depth(own, n_nodes)
        work = np.empty((2 * depth + n_constants) * BLOCK + 2 * depth + 8)
        blocks_at = aligned(address_of(work))
        constants_at = blocks_at + 2 * depth * BLOCK_BYTES
        waiting = constants_at + n_constants * BLOCK_BYTES
        for k in range(n_constants):
            fill(constants_at + k * BLOCK_BYTES, min(BLOCK, n_rows), constants[constant_starts[p] + k])
        for row in range(0, n_rows, BLOCK):
            evaluate_block(
                table, own, own_args, n_nodes, address_of(columns) + row * BYTES, n_rows, min(BLOCK, n_rows - row),
                constants_at, blocks_at, address_of(out) + (p * n_rows + row) * BYTES, integers_at(waiting),
                integers_at(waiting + depth * BYTES),
            )  # fmt: skip
        keep(work)


@entry(TABLE, CODES, CODES, STARTS, CONSTANTS, STARTS, COLUMNS, COLUMNS)
def evaluate_programs(addresses, codes, args, starts, constants, constant_starts, columns, out):
    """Values of many formulas, one row of `out` each."""
    values_of_programs(addresses, codes, args, starts, constants, constant_starts, columns, out)
