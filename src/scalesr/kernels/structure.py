"""What a formula's tree says about its open constants: which enter linearly, what each one does."""

from __future__ import annotations

from collections import namedtuple

from scalesr.kernels.codes import (
    ADD,
    CONSTANT,
    COS,
    DIV,
    EXP,
    LAST_LEAF,
    LOG,
    MUL,
    NEG,
    OPEN,
    POW,
    SIN,
    SQRT,
    SUB,
    TAN,
    TANH,
    VARIABLE,
)  # fmt: skip
from scalesr.kernels.compile import part
from scalesr.kernels.evaluate import BYTES, arity_of
from scalesr.kernels.machine import integers_at

# A formula as three integer lists: code, arg and first operand of each node; the last operand of
# a node is the node just before it.
Tree = namedtuple("Tree", ["n_nodes", "codes", "args", "left"])

# What an open constant does, which decides where its first guesses lie (see starts.py).
(
    FREQUENCY, PHASE, RATE, EXPONENT, SCALE, OFFSET_OUTSIDE, OFFSET_WITHIN, OFFSET_OF_DENOMINATOR, SIZE,
) = range(9)  # fmt: skip
OF_RECIPROCAL = 16  # added to a role: the constant is divided by its partner


@part
def tree_size(n_nodes):
    """Integers of memory that a tree needs."""
    return 4 * n_nodes


@part
def make_tree(codes, args, n, memory):
    """Lay a formula of n nodes out in `memory`, the address of tree_size() integers."""
    tree = Tree(n, integers_at(memory), integers_at(memory + n * BYTES), integers_at(memory + 2 * n * BYTES))
    first = integers_at(memory + 3 * n * BYTES)  # where each node's subtree begins
    for i in range(n):
        tree.codes[i] = codes[i]
        tree.args[i] = args[i]
        first[i] = i
        arity = arity_of(codes[i])
        tree.left[i] = first[i - 1] - 1 if arity == 2 else i - 1
        if arity > 0:
            first[i] = first[tree.left[i]]
    return tree


@part
def mark_paths(tree, found):
    """Spread marks on leaves to every node above them."""
    for i in range(tree.n_nodes):
        if tree.codes[i] > LAST_LEAF:
            found[i] = found[i - 1] | found[tree.left[i]]


@part
def mark_constants(tree, wanted, found):
    """Mark the nodes whose subtree holds a constant with wanted[index]."""
    for i in range(tree.n_nodes):
        found[i] = wanted[tree.args[i]] if tree.codes[i] == OPEN or tree.codes[i] == CONSTANT else 0
    mark_paths(tree, found)


@part
def mark_variables(tree, found):
    """Mark the nodes whose subtree holds a variable."""
    for i in range(tree.n_nodes):
        found[i] = tree.codes[i] == VARIABLE
    mark_paths(tree, found)


@part
def _count_linear(tree, most):
    """Size of the largest set of open constants in which each subtree can be affine."""
    for i in range(tree.n_nodes):
        code = tree.codes[i]
        left, right = tree.left[i], i - 1
        most[i] = 0
        if code == OPEN:
            most[i] = 1
        elif code == ADD or code == SUB:
            most[i] = most[left] + most[right]
        elif code == MUL:
            most[i] = max(most[left], most[right])
        elif code == DIV or code == NEG:
            most[i] = most[left]


@part
def mark_linear(tree, linear, most, affine):
    """Mark a set of open constants in which the formula is affine when the others are held.

    `most` and `affine` are work space of one integer per node.
    """
    _count_linear(tree, most)
    for i in range(tree.n_nodes):
        affine[i] = i == tree.n_nodes - 1  # nodes through which the formula is affine
    for i in range(tree.n_nodes - 1, -1, -1):
        code = tree.codes[i]
        left, right = tree.left[i], i - 1
        if code == OPEN:
            linear[tree.args[i]] = affine[i]
        elif not affine[i]:
            continue
        elif code == ADD or code == SUB:
            affine[left] = affine[right] = 1
        elif code == MUL:
            affine[left if most[left] >= most[right] else right] = 1
        elif code == DIV or code == NEG:
            affine[left] = 1


@part
def _role_of_factor(outer):
    if outer == SIN or outer == COS or outer == TAN:
        return FREQUENCY
    if outer == EXP or outer == TANH:
        return RATE
    return SCALE


@part
def _role_of_offset(outer):
    if outer == SIN or outer == COS or outer == TAN:
        return PHASE
    if outer == LOG or outer == SQRT or outer == POW:
        return OFFSET_OUTSIDE
    if outer == DIV:
        return OFFSET_OF_DENOMINATOR
    return OFFSET_WITHIN


@part
def assign_roles(tree, role, partner, outer):
    """What each open constant does, and the node it multiplies or shifts (-1: none).

    `outer` becomes the nearest function, power or denominator around each node, 0 for none.
    """
    n = tree.n_nodes
    outer[n - 1] = 0
    for i in range(n - 1, -1, -1):
        code = tree.codes[i]
        a, b = tree.left[i], i - 1
        if code == OPEN:
            if i == n - 1:
                role[tree.args[i]], partner[tree.args[i]] = SIZE, -1
        elif code > LAST_LEAF:
            is_plain = code == ADD or code == SUB or code == MUL or code == DIV or code == NEG
            inner = outer[i] if is_plain else code
            outer[a] = inner
            outer[b] = DIV if code == DIV else inner
            _assign_role(tree, code, a, b, inner, role, partner)
            _assign_role(tree, code, b, a, inner, role, partner)


@part
def _assign_role(tree, code, own, other, inner, role, partner):
    """Give a role to a constant that is a direct operand of a node."""
    if tree.codes[own] != OPEN:
        return
    k = tree.args[own]
    partner[k] = -1 if own == other else other
    role[k] = SIZE
    if code == POW and own > other:
        role[k] = EXPONENT
    elif code == DIV and own > other:
        role[k] = SCALE
    elif code == MUL:
        role[k] = _role_of_factor(inner)
    elif code == DIV:
        role[k] = _role_of_factor(inner) + OF_RECIPROCAL
    elif code == ADD or code == SUB:
        role[k] = _role_of_offset(inner)
