"""Niches: bred formulas as programs to be fitted, and those that fit better in the niche of their size.

Formulas are lines of nodes as in breeding.py. `wrap` lays them end to end as programs in which every term has a free
factor and the sum a free summand; `place` takes those that fit better than a member of their size.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from scalesr.kernels.breeding import COUNTS, FLAT, LINES, NUMBERS, REALS, count_nodes, first_of
from scalesr.kernels.codes import ADD, DIV, MUL, NEG, OPEN, SUB
from scalesr.kernels.compile import entry, part

SAME = 1e-10  # relative: two members of a niche that err so much alike are one formula


@part
def _carries_factor(codes, root):
    """Whether a term is a product with a constant, or a quotient of one, which is its factor then."""
    if codes[root] != MUL and codes[root] != DIV:
        return False
    right_first = first_of(codes, root - 1)
    return codes[root - 1] == OPEN or codes[right_first - 1] == OPEN


@entry(LINES, LINES, NUMBERS, COUNTS, types.int64, FLAT, FLAT, COUNTS, REALS, COUNTS, COUNTS, types.int64)
def wrap(
    codes, args, values, sizes, n_children, out_codes, out_args, starts, guesses, constant_starts, nodes, max_open
):
    """Lay formulas end to end, with a free factor at every term and a free summand; returns the most constants of one.

    `nodes` tells of each constant which node of the formula it is, -1 for a factor or summand that came along.
    Factors come along as far as there are no more than `max_open` constants.
    """
    at, k, widest = 0, 0, 0
    stack = np.empty(codes.shape[1], np.int64)
    starts[0], constant_starts[0] = 0, 0
    for c in range(n_children):
        line, n = codes[c], sizes[c]
        first_constant = k
        allowed = max_open - count_nodes(line, n, OPEN) - 1
        out_codes[at], out_args[at], guesses[k], nodes[k] = OPEN, 0, 0.0, -1
        at, k = at + 1, k + 1
        stack[0], depth = n - 1, 1
        while depth > 0:
            depth -= 1
            root = stack[depth]
            if line[root] == ADD or line[root] == SUB:
                stack[depth], stack[depth + 1] = root - 1, first_of(line, root - 1) - 1
                depth += 2
                continue
            if line[root] == NEG:
                stack[depth] = root - 1
                depth += 1
                continue
            if line[root] == OPEN:
                continue
            for i in range(first_of(line, root), root + 1):
                out_codes[at], out_args[at] = line[i], args[c, i]
                if line[i] == OPEN:
                    out_args[at], guesses[k], nodes[k] = k - first_constant, values[c, i], i
                    k += 1
                at += 1
            if not _carries_factor(line, root) and allowed > 0:
                out_codes[at], out_args[at], guesses[k], nodes[k] = OPEN, k - first_constant, 1.0, -1
                out_codes[at + 1], out_args[at + 1] = MUL, 0
                at, k, allowed = at + 2, k + 1, allowed - 1
            out_codes[at], out_args[at] = ADD, 0
            at += 1
        starts[c + 1], constant_starts[c + 1] = at, k
        widest = max(widest, k - first_constant)
    return widest


@part
def _place_in(totals, first, n_each, total):
    """Which member of a niche gives way to a formula that errs so much; -1 where none does."""
    worst = first
    for one in range(first, first + n_each):
        if abs(totals[one] - total) <= SAME * total:
            return -1
        if totals[one] > totals[worst]:
            worst = one
    return worst if total < totals[worst] else -1


@entry(
    LINES, LINES, NUMBERS, COUNTS, types.int64, NUMBERS, COUNTS, COUNTS, REALS, types.int64, types.int64, types.int64,
    LINES, LINES, NUMBERS, COUNTS, REALS,
)  # fmt: skip
def place(
    child_codes, child_args, child_values, child_sizes, n_children, fitted, constant_starts, nodes, child_totals,
    island, n_niches, n_each, codes, args, values, sizes, totals,
):  # fmt: skip
    """Take children with their fitted constants into the niches of their sizes; returns how many were taken."""
    taken = 0
    for c in range(n_children):
        total, n = child_totals[c], child_sizes[c]
        if not total < math.inf or n > n_niches:
            continue
        one = _place_in(totals, (island * n_niches + n - 1) * n_each, n_each, total)
        if one < 0:
            continue
        for i in range(n):
            codes[one, i], args[one, i], values[one, i] = child_codes[c, i], child_args[c, i], child_values[c, i]
        for k in range(constant_starts[c], constant_starts[c + 1]):
            if nodes[k] >= 0:
                values[one, nodes[k]] = fitted[c, k - constant_starts[c]]
        sizes[one], totals[one] = n, total
        taken += 1
    return taken
