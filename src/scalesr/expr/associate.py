"""Associate: sums and products of sums and products written from left to right, without brackets that say nothing."""

from __future__ import annotations

from typing import Final, NamedTuple

from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import ADD, DIV, MUL, OPEN, SUB, VARIABLE

_OPPOSITE: Final = {ADD: SUB, SUB: ADD, MUL: DIV, DIV: MUL}
_FIRST: Final = {ADD: ADD, SUB: ADD, MUL: MUL, DIV: MUL}  # what an operand comes with that has none before it


class _Chain(NamedTuple):
    """A sum or a product as its operands, each with the operator before it; any other formula is one operand."""

    operands: tuple[tuple[int, Expression], ...]

    def whole(self) -> Expression:
        """The formula, joined from left to right."""
        (_, found), *rest = self.operands
        for code, operand in rest:
            found = join(code, [found, operand])
        return found

    def is_of(self, kind: int) -> bool:
        return len(self.operands) > 1 and _FIRST[self.operands[1][0]] == kind


def associated(expr: Expression) -> Expression:
    """a + (b + c) as a + b + c, a - (b - c) as a - b + c, a*(b*c) as a*b*c; all leaves keep their order."""
    return fold(expr, _leaf, _node).whole()


def _leaf(leaf: Leaf) -> _Chain:
    if leaf.code == VARIABLE:
        return _one(variable(leaf.index))
    return _one(open_constant() if leaf.code == OPEN else constant(leaf.value))


def _one(expr: Expression) -> _Chain:
    return _Chain(((-1, expr),))


def _node(node: Node, chains: list[_Chain]) -> _Chain:
    if node.code not in _OPPOSITE:
        return _one(join(node.code, [chain.whole() for chain in chains], power=node.power))
    kind = _FIRST[node.code]
    left, right = (chain if chain.is_of(kind) else _one(chain.whole()) for chain in chains)
    (_, first), *rest = right.operands
    turned = [(_OPPOSITE[code] if node.code in (SUB, DIV) else code, operand) for code, operand in rest]
    return _Chain((*left.operands, (node.code, first), *turned))
