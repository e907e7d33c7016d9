"""What becomes a coefficient of the next variable, and how a coefficient's formula takes its place.

The paper replaces the constants of a formula by C_1, C_2, ... and shows 2 x + 6 -> C_1 x + C_2. Read
here as: one per term of a sum, where 1 or -1 is not written too, and one per number inside functions
and in real exponents. Integer powers are structure. Constants that change nothing beside the others,
by the rank of the Jacobian, are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final, NamedTuple

from scalesr.expr.expression import Expression, constant, join, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.redundancy import remove_redundant
from scalesr.kernels.codes import ADD, CONSTANT, DIV, MUL, NEG, OPEN, SUB, VARIABLE

MOST_TOLD_APART: Final = 40  # coefficients; of more, the rank on a few dozen rows says nothing


def open_coefficients(law: Expression) -> Expression:
    """The skeleton of a closed formula, with an open constant for every coefficient."""
    explicit = _sum(fold(law, _leaf, _node))
    skeleton = explicit.skeleton()
    return remove_redundant(skeleton, constants=explicit.constants) if skeleton.n_open <= MOST_TOLD_APART else skeleton


def put_coefficients(skeleton: Expression, formulas: Sequence[Expression]) -> Expression:
    """The skeleton with a formula in the place of each open constant, from left to right."""
    waiting = iter(formulas)

    def leaf(leaf: Leaf) -> Expression:
        if leaf.code == OPEN:
            return next(waiting)
        return variable(leaf.index) if leaf.code == VARIABLE else constant(leaf.value)

    return fold(skeleton, leaf, lambda node, operands: join(node.code, operands, power=node.power))


class _Term(NamedTuple):
    """One term of a sum."""

    written: Expression
    has_number: bool  # as a factor, so that it needs no other


def _leaf(leaf: Leaf) -> list[_Term]:
    if leaf.code == VARIABLE:
        return [_Term(variable(leaf.index), has_number=False)]
    return [_Term(constant(leaf.value), has_number=True)]


def _node(node: Node, operands: list[list[_Term]]) -> list[_Term]:
    """The terms of a subtree, from those of its operands."""
    if node.code == ADD:
        return operands[0] + operands[1]
    if node.code == SUB:
        return operands[0] + _negated(operands[1])
    if node.code == NEG:
        return _negated(operands[0])
    parts = [terms[0].written if len(terms) == 1 else _sum(terms) for terms in operands]
    has_number = node.code in (MUL, DIV) and any(len(terms) == 1 and terms[0].has_number for terms in operands)
    return [_Term(join(node.code, parts, power=node.power), has_number)]


def _negated(terms: list[_Term]) -> list[_Term]:
    return [_Term(_times(-1.0, term.written), has_number=True) for term in terms]


def _sum(terms: list[_Term]) -> Expression:
    """A sum in which every term has a number."""
    written = [term.written if term.has_number else _times(1.0, term.written) for term in terms]
    return reduce(lambda left, right: join(ADD, (left, right)), written)


def _times(factor: float, expr: Expression) -> Expression:
    if expr.n_nodes == 1 and expr.codes[0] == CONSTANT:
        return constant(factor * float(expr.constants[0]))
    return join(MUL, (constant(factor), expr))
