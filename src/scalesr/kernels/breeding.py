"""Breeding: formulas in flat arrays that are varied without an object for each.

A formula is a line of postfix nodes: codes, args (column, power, or 0) and the values of its constants, each at
its own node. `breed` makes children of such lines, `wrap` lays them end to end as programs in which every term has
a free factor and the sum a free summand, and `place` takes those that fit better into the niche of their size.
"""

from __future__ import annotations

import math

import numpy as np
from numba import types

from scalesr.kernels.codes import ADD, DIV, LAST_LEAF, MUL, NEG, OPEN, POW, SQRT, SUB, VARIABLE
from scalesr.kernels.compile import entry, inlined, part
from scalesr.kernels.evaluate import arity_of

LINES = types.Array(types.int32, 2, "C")
NUMBERS = types.Array(types.float64, 2, "C")
COUNTS = types.Array(types.int64, 1, "C")
FLAT = types.Array(types.int32, 1, "C")
REALS = types.Array(types.float64, 1, "C")

TRIES = 8  # at each child, until one is within the limits and new
TOURNAMENT = 3  # members of a niche, the best of which becomes a parent
DOMINATED = 4  # one in this many parents may come from a niche to which a smaller one is to be preferred
MIGRANTS = 16  # one in this many donors comes from another island
MOST_GROWTH = 4  # operators of a random part, at most
PROBES = 16  # places of the memory of forms that one form may lie in
CONSTANT_SHARE = 0.25  # of the leaves
UNARY_SHARE = 0.35  # of the operators


@inlined
def _uniform(state):
    """A random number from 0 to 1, of a linear congruential generator modulo 2^64."""
    state[0] = state[0] * 6364136223846793005 + 1442695040888963407
    return ((state[0] >> 11) & 9007199254740991) * 1.1102230246251565e-16


@inlined
def _below(state, n):
    """A random whole number below n."""
    return int(_uniform(state) * n)


@part
def _random_value(state):
    """A constant of either sign over some two decades about 1, as of rows whose columns have been scaled."""
    size = math.exp(3.0 * (_uniform(state) + _uniform(state) - 1.0))
    return size if _uniform(state) < 0.7 else -size


@part
def _random_exponent(state):
    """An exponent of either sign, mostly between a half and two."""
    size = math.exp(1.5 * (_uniform(state) + _uniform(state) - 1.0))
    return size if _uniform(state) < 0.5 else -size


@inlined
def _mixed(a, b):
    """One number of two, in which every bit counts."""
    mixed = (a ^ (b * 7046029254386353131)) * 2685821657736338717
    return mixed ^ ((mixed >> 29) & 34359738367)


@part
def first_of(codes, root):
    """Where the subtree that ends at `root` begins."""
    needed, first = 1, root
    while True:
        needed += arity_of(codes[first]) - 1
        if needed == 0:
            return first
        first -= 1


@part
def _random_leaf(state, codes, args, values, at, n_variables):
    if _uniform(state) < CONSTANT_SHARE:
        codes[at], args[at], values[at] = OPEN, 0, _random_value(state)
    else:
        codes[at], args[at], values[at] = VARIABLE, _below(state, n_variables), 0.0


@part
def _grow(state, codes, args, values, n, limit, unary, unary_args, binary, n_variables):
    """Put a random operator over the formula of n nodes; returns its new length, n where there is no room."""
    if len(binary) == 0 or (len(unary) > 0 and _uniform(state) < UNARY_SHARE):
        if n + 1 > limit or len(unary) == 0:
            return n
        chosen = _below(state, len(unary))
        codes[n], args[n], values[n] = unary[chosen], unary_args[chosen], 0.0
        return n + 1
    if n + 2 > limit:
        return n
    code = binary[_below(state, len(binary))]
    if code == POW or _uniform(state) < 0.5:
        _random_leaf(state, codes, args, values, n, n_variables)
        if code == POW and _uniform(state) < 0.7:
            codes[n], args[n], values[n] = OPEN, 0, _random_exponent(state)
    else:  # the new leaf is the left operand
        for i in range(n, 0, -1):
            codes[i], args[i], values[i] = codes[i - 1], args[i - 1], values[i - 1]
        _random_leaf(state, codes, args, values, 0, n_variables)
    codes[n + 1], args[n + 1], values[n + 1] = code, 0, 0.0
    return n + 2


@part
def _random_formula(state, codes, args, values, limit, unary, unary_args, binary, n_variables):
    """A random formula of a few operators; returns its length."""
    _random_leaf(state, codes, args, values, 0, n_variables)
    n = 1
    for _ in range(_below(state, MOST_GROWTH + 1)):
        n = _grow(state, codes, args, values, n, limit, unary, unary_args, binary, n_variables)
    return n


@part
def _spliced(codes, args, values, n, first, root, new_codes, new_args, new_values, start, m, limit):
    """Put m nodes from `start` of other lines in the place of those from `first` to `root`; the new length, or 0."""
    length = n - (root + 1 - first) + m
    if length > limit:
        return 0
    move = first + m - (root + 1)
    if move > 0:
        for i in range(n - 1, root, -1):
            codes[i + move], args[i + move], values[i + move] = codes[i], args[i], values[i]
    elif move < 0:
        for i in range(root + 1, n):
            codes[i + move], args[i + move], values[i + move] = codes[i], args[i], values[i]
    for i in range(m):
        codes[first + i], args[first + i], values[first + i] = (
            new_codes[start + i], new_args[start + i], new_values[start + i],
        )  # fmt: skip
    return length


@part
def _folded(codes, args, values, n, is_constant):
    """Make one constant of every part without a variable; returns the new length.

    Its value is worked out for sums and products, which is a guess like any other.
    """
    at, depth = 0, 0
    for i in range(n):
        code, arg, value = codes[i], args[i], values[i]
        arity = arity_of(code)
        if arity == 0:
            is_constant[depth] = code == OPEN
            depth += 1
        elif arity == 1:
            if is_constant[depth - 1]:
                if code == NEG:
                    values[at - 1] = -values[at - 1]
                continue
        else:
            depth -= 1
            if is_constant[depth] and is_constant[depth - 1]:
                left, right = values[at - 2], values[at - 1]
                at -= 1
                result = left + right if code == ADD else left - right if code == SUB else left * right
                values[at - 1] = left / right if code == DIV and right != 0 else result
                continue
            is_constant[depth - 1] = False
        codes[at], args[at], values[at] = code, arg, value
        at += 1
    return at


@part
def _nesting(codes, n, stack):
    """The most functions inside one another; powers, roots and signs are none."""
    depth = 0
    for i in range(n):
        arity = arity_of(codes[i])
        if arity == 0:
            stack[depth] = 0
            depth += 1
        elif arity == 1:
            stack[depth - 1] += 1 if codes[i] > SQRT else 0
        else:
            depth -= 1
            stack[depth - 1] = max(stack[depth - 1], stack[depth])
    return stack[0]


@part
def _form(codes, args, n, stack):
    """A number for the form of a formula, whatever its constants and the order of its summands and factors."""
    depth = 0
    for i in range(n):
        code, arg = codes[i], args[i]
        own = _mixed(code + 101, arg + 7)
        arity = arity_of(code)
        if arity == 0:
            stack[depth] = own
            depth += 1
        elif arity == 1:
            stack[depth - 1] = _mixed(stack[depth - 1], own)
        else:
            depth -= 1
            left, right = stack[depth - 1], stack[depth]
            both = (left + right) ^ ((left ^ right) * 31) if code == ADD or code == MUL else _mixed(left, right * 3 + 1)
            stack[depth - 1] = _mixed(both, own)
    return stack[0] | 1  # 0 is an empty place


@part
def _is_new(forms, form):
    """Whether a form is not in the memory, where it lies from now on."""
    size = len(forms)
    at = (form >> 7) & (size - 1)
    for k in range(PROBES):
        place = (at + k) & (size - 1)
        if forms[place] == form:
            return False
        if forms[place] == 0:
            forms[place] = form
            return True
    forms[at] = form
    return True


@part
def _best_of(totals, first, n):
    best = math.inf
    for i in range(first, first + n):
        best = min(best, totals[i])
    return best


@part
def _is_dominated(totals, first, niche, n_each, best, price):
    """Whether a smaller niche is to be preferred: a node has to gain `price` in the logarithm of the squares."""
    for smaller in range(niche):
        if _best_of(totals, first + smaller * n_each, n_each) <= best * math.exp(price * (niche - smaller)):
            return True
    return False


@part
def _chosen(state, totals, island, n_niches, n_each, limit, price):
    """A member of an island by tournament within a niche, or -1 where none was found.

    Niches are equally likely, but that one to which a smaller one is to be preferred is taken less often.
    """
    for _ in range(4 * n_niches):
        niche = _below(state, min(n_niches, limit))
        first = (island * n_niches + niche) * n_each
        best = _best_of(totals, first, n_each)
        if best == math.inf:
            continue
        is_dominated = _is_dominated(totals, island * n_niches * n_each, niche, n_each, best, price)
        if is_dominated and _below(state, DOMINATED) > 0:
            continue
        winner = -1
        for _ in range(4 * TOURNAMENT):
            one = first + _below(state, n_each)
            if totals[one] < math.inf and (winner < 0 or totals[one] < totals[winner]):
                winner = one
        if winner >= 0:
            return winner
    return -1


@part
def _joined(state, codes, args, values, first, root, other_codes, other_args, other_values, start, start_root, binary,
            part_codes, part_args, part_values):  # fmt: skip
    """Two parts joined by a random operator that is no power; returns the length, 0 where it failed."""
    k, j = root + 1 - first, start_root + 1 - start
    code = binary[_below(state, len(binary))] if len(binary) > 0 else POW
    if code == POW or k + j + 1 > len(part_codes):
        return 0
    for i in range(k):
        part_codes[i], part_args[i], part_values[i] = codes[first + i], args[first + i], values[first + i]
    for i in range(j):
        part_codes[k + i], part_args[k + i], part_values[k + i] = (
            other_codes[start + i], other_args[start + i], other_values[start + i],
        )  # fmt: skip
    part_codes[k + j], part_args[k + j], part_values[k + j] = code, 0, 0.0
    return k + j + 1


@part
def _varied(state, codes, args, values, n, limit, other_codes, other_args, other_values, m, symbols, n_variables,
            part_codes, part_args, part_values):  # fmt: skip
    """One random change of a formula, with another one for crossing; returns the new length, 0 where it failed."""
    unary, unary_args, binary = symbols
    kind = _uniform(state)
    root = _below(state, n)
    if kind < 0.12 and m > 0:  # a part, the whole formula as likely as another, joined with one of the other
        root = n - 1 if _uniform(state) < 0.5 else root
        start_root = _below(state, m) if _uniform(state) < 0.7 else m - 1
        first, start = first_of(codes, root), first_of(other_codes, start_root)
        k = _joined(
            state, codes, args, values, first, root, other_codes, other_args, other_values, start, start_root,
            binary, part_codes, part_args, part_values,
        )  # fmt: skip
        if k == 0:
            return 0
        return _spliced(codes, args, values, n, first, root, part_codes, part_args, part_values, 0, k, limit)
    if kind < 0.4 and m > 0:  # a subtree of the other
        start_root = _below(state, m)
        start = first_of(other_codes, start_root)
        return _spliced(
            codes, args, values, n, first_of(codes, root), root, other_codes, other_args, other_values, start,
            start_root + 1 - start, limit,
        )  # fmt: skip
    if kind < 0.52:  # a random part
        k = _random_formula(state, part_codes, part_args, part_values, limit, unary, unary_args, binary, n_variables)
        return _spliced(
            codes, args, values, n, first_of(codes, root), root, part_codes, part_args, part_values, 0, k, limit
        )
    if kind < 0.76:  # an operator over a part, of the whole formula more often than of another
        if _uniform(state) < 0.3:
            root = n - 1
        first = first_of(codes, root)
        k = root + 1 - first
        for i in range(k):
            part_codes[i], part_args[i], part_values[i] = codes[first + i], args[first + i], values[first + i]
        grown = _grow(
            state, part_codes, part_args, part_values, k, len(part_codes), unary, unary_args, binary, n_variables
        )
        return _spliced(codes, args, values, n, first, root, part_codes, part_args, part_values, 0, grown, limit)
    if kind < 0.88:  # a part in the place of what it is a part of
        if codes[root] <= LAST_LEAF:
            return 0
        first = first_of(codes, root)
        inner = first + _below(state, root - first)
        start = first_of(codes, inner)
        k = inner + 1 - start
        for i in range(k):
            part_codes[i], part_args[i], part_values[i] = codes[start + i], args[start + i], values[start + i]
        return _spliced(codes, args, values, n, first, root, part_codes, part_args, part_values, 0, k, limit)
    code = codes[root]
    if code <= LAST_LEAF:  # another leaf
        _random_leaf(state, codes, args, values, root, n_variables)
    elif arity_of(code) == 1:
        if len(unary) == 0:
            return 0
        chosen = _below(state, len(unary))
        codes[root], args[root] = unary[chosen], unary_args[chosen]
    else:
        if len(binary) == 0:
            return 0
        codes[root] = binary[_below(state, len(binary))]
    return n


@part
def count_nodes(codes, n, kind):
    total = 0
    for i in range(n):
        total += 1 if codes[i] == kind else 0
    return total


@entry(
    COUNTS, LINES, LINES, NUMBERS, COUNTS, REALS, COUNTS, FLAT, FLAT, FLAT, COUNTS, types.float64,
    LINES, LINES, NUMBERS, COUNTS,
)  # fmt: skip
def breed(
    state, codes, args, values, sizes, totals, forms, unary, unary_args, binary, shape, price,
    child_codes, child_args, child_values, child_sizes,
):  # fmt: skip
    """Fill the children of one island; returns how many there are.

    `shape` is island, islands, niches, members of each, most nodes, most constants, nesting and variables; `price` is
    what a node more has to gain in the logarithm of the residual's squares.
    """
    island, n_islands, n_niches, n_each = shape[0], shape[1], shape[2], shape[3]
    limit, max_open, nesting, n_variables = shape[4], shape[5], shape[6], shape[7]
    width = child_codes.shape[1]
    stack = np.empty(width, np.int64)
    part_codes, part_args, part_values = child_codes[-1], child_args[-1], child_values[-1]  # the last line is scratch
    made = 0
    for _ in range(TRIES * (len(child_sizes) - 1)):
        if made == len(child_sizes) - 1:
            break
        line_codes, line_args, line_values = child_codes[made], child_args[made], child_values[made]
        mother = _chosen(state, totals, island, n_niches, n_each, limit, price)
        if mother < 0 or _uniform(state) < 0.02:
            n = _random_formula(
                state, line_codes, line_args, line_values, limit, unary, unary_args, binary, n_variables
            )
        else:
            n = sizes[mother]
            for i in range(n):
                line_codes[i], line_args[i], line_values[i] = codes[mother, i], args[mother, i], values[mother, i]
            home = _below(state, n_islands) if _below(state, MIGRANTS) == 0 else island
            father = _chosen(state, totals, home, n_niches, n_each, limit, price)
            father = mother if father < 0 else father
            for _ in range(1 + _below(state, 2)):
                n = _varied(
                    state, line_codes, line_args, line_values, n, min(limit, width), codes[father], args[father],
                    values[father], sizes[father], (unary, unary_args, binary), n_variables, part_codes, part_args,
                    part_values,
                )  # fmt: skip
                if n == 0:
                    break
        if n == 0:
            continue
        n = _folded(line_codes, line_args, line_values, n, part_codes)
        if count_nodes(line_codes, n, VARIABLE) == 0 or count_nodes(line_codes, n, OPEN) > max_open:
            continue
        if _nesting(line_codes, n, stack) <= nesting and _is_new(forms, _form(line_codes, line_args, n, stack)):
            child_sizes[made] = n
            made += 1
    return made
