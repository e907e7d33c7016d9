"""The one traversal: every question about a formula's tree is a fold."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scalesr.kernels.codes import LAST_LEAF

if TYPE_CHECKING:
    from scalesr.expr.expression import Expression

T = TypeVar("T")


class Leaf(NamedTuple):
    """A variable (`index` is its column) or a constant (`index` counts constants)."""

    code: int
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody asks a leaf for
    value: float  # NaN for variables and open constants


class Node(NamedTuple):
    """An operator in the tree; `power` is the exponent of an integer power, else 0."""

    code: int
    power: int


def fold(expr: Expression, leaf: Callable[[Leaf], T], node: Callable[[Node, list[T]], T]) -> T:
    """Reduce a formula bottom up: `leaf` makes a value, `node` joins its operands' values."""
    stack: list[T] = []
    constants = expr.constants.tolist()
    for code, arg, arity in zip(expr.codes.tolist(), expr.args.tolist(), expr.arities(), strict=True):
        if code <= LAST_LEAF:
            value = constants[arg] if code else float("nan")
            stack.append(leaf(Leaf(code, arg, value)))
        else:
            operands = stack[-arity:]
            del stack[-arity:]
            stack.append(node(Node(code, arg), operands))
    return stack[0]
