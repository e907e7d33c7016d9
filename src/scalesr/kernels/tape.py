"""Values and derivatives of one formula: a forward pass that keeps every node, then a backward one.

Reverse order costs two to three evaluations whatever the number of constants. The adjoint of an
open constant is written straight into its column of the Jacobian.
"""

from __future__ import annotations

import numpy as np
from numba import types

from scalesr.kernels.codes import LAST_LEAF, VARIABLE
from scalesr.kernels.compile import CODES, COLUMNS, CONSTANTS, TABLE, VALUES, entry, part, routine
from scalesr.kernels.evaluate import BYTES, aligned, arity_of, copy, fill
from scalesr.kernels.machine import address_of, call_14, codes_at, doubles_at, integers_at, keep
from scalesr.kernels.structure import Tree, make_tree, mark_constants, mark_variables, tree_size
from scalesr.kernels.table import run_backward, run_forward

BLOCK = 256  # rows; the tape of a 20-node formula then stays in the second-level cache
BLOCK_BYTES = BLOCK * BYTES


@part
def tape_size(n_nodes):
    """Doubles of work space: values and adjoints of every node, a block of ones, two addresses a node."""
    return (2 * n_nodes + 1) * BLOCK + 2 * n_nodes + 8


@part
def record(addresses, tree, columns, stride, n, tape, node_at):
    """Forward pass on one block; leaves node_at[i], the address of node i's values."""
    for i in range(tree.n_nodes):
        code = tree.codes[i]
        own = tape + i * BLOCK_BYTES
        if code == VARIABLE:
            own = columns + tree.args[i] * stride * BYTES
        elif code > LAST_LEAF:
            run_forward(addresses, code, tree.args[i], n, own, node_at[tree.left[i]], node_at[i - 1])
        node_at[i] = own


@part
def fill_constants(tree, constants, n, tape):
    """Put the constants' values into their blocks of the tape."""
    for i in range(tree.n_nodes):
        if VARIABLE < tree.codes[i] <= LAST_LEAF:
            fill(tape + i * BLOCK_BYTES, n, constants[tree.args[i]])


@part
def play_back(addresses, tree, needed, n, node_at, adjoint_at):
    """Backward pass on one block: fills the block at adjoint_at[i] for every needed node."""
    for i in range(tree.n_nodes - 1, -1, -1):
        code = tree.codes[i]
        if not needed[i] or code <= LAST_LEAF:
            continue
        a, b = tree.left[i], i - 1
        to_a = adjoint_at[a] if needed[a] else 0
        to_b = adjoint_at[b] if needed[b] and arity_of(code) == 2 else 0
        run_backward(addresses, code, tree.args[i], n, node_at[i], node_at[a], node_at[b], adjoint_at[i], to_a, to_b)


@routine
def values_and_jacobian(
    addresses, n_nodes, codes, args, left, needed, column_of, constants, columns, stride, n_rows, values, jacobian, work
):  # fmt: skip
    """Values on n_rows rows and, in column column_of[k] of the Jacobian, the derivative by constant k.

    Only constants below needed nodes are differentiated. All but n_nodes, stride and n_rows are
    addresses; the Jacobian's columns are n_rows long.
    """
    tree = Tree(n_nodes, integers_at(codes), integers_at(args), integers_at(left))
    is_needed, place_of = integers_at(needed), integers_at(column_of)
    tape = aligned(work)
    ones = tape + 2 * n_nodes * BLOCK_BYTES
    node_at = integers_at(ones + BLOCK_BYTES)
    adjoint_at = integers_at(ones + BLOCK_BYTES + n_nodes * BYTES)
    first = min(BLOCK, n_rows)
    fill_constants(tree, doubles_at(constants), first, tape)
    fill(ones, first, 1.0)
    root = n_nodes - 1
    for lo in range(0, n_rows, BLOCK):
        n = min(BLOCK, n_rows - lo)
        record(integers_at(addresses), tree, columns + lo * BYTES, stride, n, tape, node_at)
        copy(values + lo * BYTES, node_at[root], n)
        if not is_needed[root]:
            continue
        for i in range(n_nodes):
            adjoint_at[i] = tape + (n_nodes + i) * BLOCK_BYTES
            if is_needed[i] and tree.codes[i] <= LAST_LEAF:
                adjoint_at[i] = jacobian + (place_of[tree.args[i]] * n_rows + lo) * BYTES
        if root == 0:
            fill(adjoint_at[0], n, 1.0)
        adjoint_at[root] = ones
        play_back(integers_at(addresses), tree, is_needed, n, node_at, adjoint_at)


@entry(types.int64, TABLE, CODES, CODES, CONSTANTS, COLUMNS, VALUES, COLUMNS)
def jacobian_by_constants(routine, addresses, codes, args, constants, columns, values, jacobian):
    """Values and derivatives by every constant; `jacobian` is (constants, rows)."""
    n_nodes, n_constants, n_rows = len(codes), len(constants), columns.shape[1]
    memory = np.empty(tape_size(n_nodes) + tree_size(n_nodes) + n_nodes + 2 * n_constants)
    tree_at = address_of(memory)
    tree = make_tree(codes_at(address_of(codes)), codes_at(address_of(args)), n_nodes, tree_at)
    needed = tree_at + tree_size(n_nodes) * BYTES
    wanted = needed + n_nodes * BYTES
    column_of = wanted + n_constants * BYTES
    for k in range(n_constants):
        integers_at(wanted)[k] = 1
        integers_at(column_of)[k] = k
    mark_constants(tree, integers_at(wanted), integers_at(needed))
    call_14(
        routine,
        (
            address_of(addresses), n_nodes, tree_at, tree_at + n_nodes * BYTES, tree_at + 2 * n_nodes * BYTES, needed,
            column_of, address_of(constants), address_of(columns), n_rows, n_rows, address_of(values),
            address_of(jacobian), column_of + n_constants * BYTES,
        ),
    )  # fmt: skip
    keep(memory)


@part
def _add(to_address, from_address, n):
    to, source = doubles_at(to_address), doubles_at(from_address)
    for i in range(n):
        to[i] += source[i]


@entry(TABLE, CODES, CODES, CONSTANTS, COLUMNS, COLUMNS)
def gradient_by_variables(addresses, codes, args, constants, columns, gradient):
    """Derivatives by every variable, added into `gradient` (variables, rows)."""
    n_nodes = len(codes)
    memory = np.empty(tape_size(n_nodes) + tree_size(n_nodes) + 3 * n_nodes)
    tree_at = address_of(memory)
    tree = make_tree(codes_at(address_of(codes)), codes_at(address_of(args)), n_nodes, tree_at)
    lists = tree_at + tree_size(n_nodes) * BYTES
    needed, node_at = integers_at(lists), integers_at(lists + n_nodes * BYTES)
    adjoint_at = integers_at(lists + 2 * n_nodes * BYTES)
    mark_variables(tree, needed)
    tape = aligned(lists + 3 * n_nodes * BYTES)
    for i in range(n_nodes):
        adjoint_at[i] = tape + (n_nodes + i) * BLOCK_BYTES
    n_rows = columns.shape[1]
    table = integers_at(address_of(addresses))
    fill_constants(tree, doubles_at(address_of(constants)), min(BLOCK, n_rows), tape)
    for row in range(0, n_rows, BLOCK):
        n = min(BLOCK, n_rows - row)
        record(table, tree, address_of(columns) + row * BYTES, n_rows, n, tape, node_at)
        fill(adjoint_at[n_nodes - 1], n, 1.0)
        play_back(table, tree, needed, n, node_at, adjoint_at)
        for i in range(n_nodes):
            if tree.codes[i] == VARIABLE:
                _add(address_of(gradient) + (tree.args[i] * n_rows + row) * BYTES, adjoint_at[i], n)
    keep(memory)
