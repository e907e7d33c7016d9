"""Merge: formulas put in the places of a skeleton's open constants."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, constant, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.kernels.codes import OPEN, VARIABLE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A formula that may take the place of an open constant, with values for its own ones."""

    expression: Expression
    constants: Floats  # (settings, open constants)
    score: float  # how far it is from the first choice


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


def merged(skeleton: Expression, constants: Floats, pieces: Mapping[int, Piece]) -> tuple[Expression, Floats]:
    """The skeleton with pieces in some places, and values of all open constants (settings, open constants)."""
    whole = replace_open(skeleton, {place: piece.expression for place, piece in pieces.items()})
    places = range(skeleton.n_open)
    columns = [pieces[place].constants if place in pieces else constants[:, [place]] for place in places]
    return whole, np.concatenate([*columns, np.empty((len(constants), 0))], axis=1)


def choices(alternatives: Mapping[int, Sequence[Piece]], most: int) -> Iterator[dict[int, Piece]]:
    """One piece for each place, the likely combinations first; pieces of a place come in ascending order of score."""
    places = list(alternatives)
    lists = [alternatives[place] for place in places]

    def entry(taken: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
        return sum(pieces[i].score for pieces, i in zip(lists, taken, strict=True)), taken

    waiting = [entry((0,) * len(lists))]
    seen = {waiting[0][1]}
    for _ in range(most):
        if not waiting:
            return
        _, taken = heapq.heappop(waiting)
        yield {place: pieces[i] for place, pieces, i in zip(places, lists, taken, strict=True)}
        for k, pieces in enumerate(lists):
            following = (*taken[:k], taken[k] + 1, *taken[k + 1 :])
            if following[k] < len(pieces) and following not in seen:
                seen.add(following)
                heapq.heappush(waiting, entry(following))
