"""What control variables make of a formula: a chain of formulas in one variable each.

With all variables but the first held, every largest part without the first is a constant: what is left
is the first skeleton. Each of those constants is a function of the next variable, and so on. Parts
without any variable stay constants.
"""

from __future__ import annotations

from dataclasses import dataclass

from scalesr.expr.expression import Expression, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import VARIABLE
from scalesr_bench.analysis.counts import count_trees


@dataclass(frozen=True, slots=True)
class OneVariable:
    """A formula in one variable that has to be found on the way."""

    variable: int
    skeleton: Expression  # the variable is number 0 in it


def complexity(tree: Expression) -> int:
    """Twice the number of binary operators plus the number of unary ones."""
    return tree.n_nodes - 1


def brute_force(tree: Expression, n_variables: int = 4) -> int:
    """Formulas that a search by size looks at until it has all of the tree's complexity."""
    n = complexity(tree)
    return count_trees(n_variables + 1, n).up_to(n)


def by_control_variables(tree: Expression, n_variables: int = 4) -> int:
    """The same where one variable is added after the other: the sum over all formulas of the chain."""
    steps = chain(tree, n_variables)
    sizes = [complexity(step.skeleton) for step in steps]
    return sum(count_trees(2, n).up_to(n) for n in sizes)


def chain(tree: Expression, n_variables: int = 4) -> list[OneVariable]:
    """The formulas in one variable, in the order in which they are found."""
    waiting, steps = [tree], []
    for number in range(n_variables):
        parts: list[Expression] = []
        for whole in waiting:
            skeleton, held = _held(whole, number)
            steps.append(OneVariable(number, skeleton))
            parts += held
        waiting = [part for part in parts if part.variables]
    return steps


@dataclass(frozen=True, slots=True)
class _Part:
    whole: Expression  # as it is
    skeleton: Expression  # with held parts as constants
    held: tuple[Expression, ...]  # those parts, from left to right
    has_variable: bool


def _held(tree: Expression, number: int) -> tuple[Expression, tuple[Expression, ...]]:
    """The skeleton of a tree in one variable, and what its constants stand for."""

    def leaf(leaf: Leaf) -> _Part:
        is_variable = leaf.code == VARIABLE
        whole = variable(leaf.index) if is_variable else open_constant()
        if is_variable and leaf.index == number:
            return _Part(whole, variable(0), (), True)
        return _Part(whole, open_constant(), (whole,), False)

    def node(node: Node, kids: list[_Part]) -> _Part:
        whole = join(node.code, [kid.whole for kid in kids], power=node.power)
        if not any(kid.has_variable for kid in kids):
            return _Part(whole, open_constant(), (whole,), False)
        skeleton = join(node.code, [kid.skeleton for kid in kids], power=node.power)
        return _Part(whole, skeleton, tuple(part for kid in kids for part in kid.held), True)

    found = fold(tree, leaf, node)
    return found.skeleton, found.held
