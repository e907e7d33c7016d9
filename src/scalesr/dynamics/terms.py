"""The terms of a law that is a sum, with the numbers they are multiplied by."""

from __future__ import annotations

from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression, apply, constant, join, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ADD, DIV, MUL, NEG, POWI, SUB, VARIABLE

Weighted = tuple[float, Expression]


def weighted_terms(law: Expression) -> list[Weighted]:
    """The terms of a law that is a sum, with their factors; a number is a factor of 1."""

    def leaf(leaf: Leaf) -> tuple[Expression, list[Weighted]]:
        if leaf.code == VARIABLE:
            return variable(leaf.index), [(1.0, variable(leaf.index))]
        return constant(leaf.value), [(leaf.value, constant(1.0))]

    def node(node: Node, kids: list[tuple[Expression, list[Weighted]]]) -> tuple[Expression, list[Weighted]]:
        whole = join(node.code, [kid[0] for kid in kids], power=node.power)
        if node.code in (ADD, SUB):
            sign = 1.0 if node.code == ADD else -1.0
            return whole, [*kids[0][1], *((sign * c, term) for c, term in kids[1][1])]
        if node.code == NEG:
            return whole, [(-c, term) for c, term in kids[0][1]]
        numbers = [None if kid[0].variables else kid[1][0][0] for kid in kids]
        if node.code == MUL and numbers[0] is not None:
            return whole, [(numbers[0] * c, term) for c, term in kids[1][1]]
        if node.code == MUL and numbers[1] is not None:
            return whole, [(numbers[1] * c, term) for c, term in kids[0][1]]
        if node.code == DIV and numbers[1]:
            return whole, [(c / numbers[1], term) for c, term in kids[0][1]]
        if node.code == MUL and all(len(kid[1]) == 1 for kid in kids):
            (a, first), (b, second) = kids[0][1][0], kids[1][1][0]
            return whole, [(a * b, apply("*", first, second))]
        return whole, [(1.0, whole)]

    return _joined(fold(law, leaf, node)[1])


def _joined(parts: list[Weighted]) -> list[Weighted]:
    """Every term once; of terms that are the same the factors are added up."""
    found: dict[str, Weighted] = {}
    for factor, term in parts:
        key = canonical_key(term) if not len(term.constants) else str(term)
        found[key] = (found[key][0] + factor, term) if key in found else (factor, term)
    return list(found.values())


def is_sum_of_products(law: Expression) -> bool:
    """Whether every term is a product of columns."""
    return all(
        code in (VARIABLE, MUL) or (code == POWI and arg > 0)
        for _, term in weighted_terms(law) if term.variables
        for code, arg in zip(term.codes.tolist(), term.args.tolist(), strict=True)
    )  # fmt: skip
