"""Merge: formulas put in the places of a skeleton's open constants."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import OPEN, VARIABLE
from scalesr.records.skeleton import Skeleton

Floats = NDArray[np.float64]


def replace_open(skeleton: Expression, replacements: Mapping[int, Expression]) -> Expression:
    """Put formulas in the places of open constants, counted from the left; the others stay open."""
    count = iter(range(skeleton.n_open))

    def leaf(leaf: Leaf) -> Expression:
        if leaf.code == VARIABLE:
            return variable(leaf.index)
        if leaf.code == OPEN:
            return replacements.get(next(count)) or open_constant()
        return constant(leaf.value)

    def node(node: Node, operands: list[Expression]) -> Expression:
        return join(node.code, operands, power=node.power)

    return fold(skeleton, leaf, node)


def merged(skeleton: Expression, constants: Floats, formulas: Mapping[int, Skeleton]) -> tuple[Expression, Floats]:
    """A skeleton with formulas for some coefficients, and values of all open constants (settings, open constants)."""
    whole = replace_open(skeleton, {place: one.expression for place, one in formulas.items()})
    places = range(skeleton.n_open)
    columns = [formulas[place].constants if place in formulas else constants[:, [place]] for place in places]
    return whole, np.concatenate([*columns, np.empty((len(constants), 0))], axis=1)


def choices(alternatives: Mapping[int, Sequence[Skeleton]], most: int) -> Iterator[dict[int, Skeleton]]:
    """One skeleton for each place, the likely combinations first; those of a place come with the likeliest first."""
    places = list(alternatives)
    lists = [alternatives[place] for place in places]

    waiting = [(0, (0,) * len(lists))]  # the sum of the places in the lists, and these
    seen = {waiting[0][1]}
    for _ in range(most):
        if not waiting:
            return
        _, taken = heapq.heappop(waiting)
        yield {place: formulas[i] for place, formulas, i in zip(places, lists, taken, strict=True)}
        for k, formulas in enumerate(lists):
            following = (*taken[:k], taken[k] + 1, *taken[k + 1 :])
            if following[k] < len(formulas) and following not in seen:
                seen.add(following)
                heapq.heappush(waiting, (sum(following), following))
