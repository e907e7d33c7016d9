"""A grammar of formulas: productions that replace the leftmost non-terminal.

A is any expression, B the argument of a function. A formula is a sequence of productions in the
order in which they are applied, which is its tree in preorder.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression
from scalesr.kernels.codes import OPEN

A, B = 0, 1  # non-terminals; A is the start
N_NON_TERMINALS = 2

Packed = tuple[int, ...]  # postfix nodes, code and arg in one number each
_SHIFT, _BIAS = 16, 1 << 15


def packed(code: int, arg: int = 0) -> int:
    """A postfix node in one number; constants are numbered when the formula is whole."""
    return (code << _SHIFT) + arg + _BIAS


def unpacked(node: int) -> tuple[int, int]:
    """Code and arg of a node."""
    return node >> _SHIFT, (node & (2 * _BIAS - 1)) - _BIAS


@dataclass(frozen=True, slots=True)
class Production:
    """Replaces `left` by nodes with `slots` among them.

    `blocks` are the postfix nodes before, between and after the slots: one more than there are slots.
    """

    left: int
    slots: tuple[int, ...]  # non-terminals from left to right
    blocks: tuple[Packed, ...]
    weight: float = 1.0  # how often rollouts choose it, next to the others of the same `left`
    size: int = 1  # productions it stands for: more than one in a transplanted module


@dataclass(frozen=True)
class ProductionRules:
    """Productions of A and B and, for speed, what rollouts ask of them as plain lists."""

    productions: tuple[Production, ...]
    frame: tuple[Packed, Packed] = ((), ())  # nodes before and after every whole formula

    def with_modules(self, modules: Iterable[Production]) -> ProductionRules:
        """The same grammar with one-shot productions added."""
        return replace(self, productions=(*self.productions, *modules))

    @cached_property
    def choices(self) -> list[list[int]]:
        """Productions of each non-terminal."""
        every = range(len(self.productions))
        return [[p for p in every if self.productions[p].left == left] for left in range(N_NON_TERMINALS)]

    @cached_property
    def thresholds(self) -> list[list[float]]:
        """Where each production's share of the numbers from 0 to 1 ends, the last one's left out, by non-terminal."""
        weights = [[self.productions[p].weight for p in choices] for choices in self.choices]
        return [[up_to / sum(some) for up_to in accumulate(some)][:-1] for some in weights]

    @cached_property
    def pushes(self) -> list[tuple[int, ...]]:
        """Slots of each production in the order in which a stack takes them: the leftmost last."""
        return [production.slots[::-1] for production in self.productions]

    @cached_property
    def blocks(self) -> list[tuple[Packed, ...]]:
        return [production.blocks for production in self.productions]

    @cached_property
    def sizes(self) -> list[int]:
        return [production.size for production in self.productions]

    @cached_property
    def needs(self) -> list[NDArray[np.int64]]:
        """Productions that each one of each non-terminal leads to at least: itself, and a leaf per slot."""
        return [np.array([1 + len(self.productions[p].slots) for p in some], np.int64) for some in self.choices]

    @cached_property
    def width(self) -> int:
        """Most productions of one non-terminal."""
        return max(len(choices) for choices in self.choices)

    def nodes(self, sequence: Sequence[int]) -> Packed:
        """Postfix nodes of a complete sequence of productions."""
        before, after = self.frame
        built = list(before)
        waiting: list[tuple[tuple[Packed, ...], int]] = []  # blocks of productions with open slots, next block
        for p in sequence:
            blocks = self.productions[p].blocks
            built += blocks[0]
            place = 1
            while place == len(blocks) and waiting:
                blocks, place = waiting.pop()
                built += blocks[place]
                place += 1
            if place < len(blocks):
                waiting.append((blocks, place))
        built += after
        return tuple(built)

    def derived_size(self, sequence: Sequence[int]) -> int:
        """Productions of a sequence, those inside modules counted."""
        return sum(self.sizes[p] for p in sequence)


def to_expression(nodes: Packed) -> Expression:
    """The formula of postfix nodes that are known to be one whole tree."""
    array = np.array(nodes, np.int64)
    codes = (array >> _SHIFT).astype(np.int32)
    args = ((array & (2 * _BIAS - 1)) - _BIAS).astype(np.int32)
    is_open = codes == OPEN
    n_open = int(np.count_nonzero(is_open))
    args[is_open] = np.arange(n_open, dtype=np.int32)
    return Expression(codes, args, np.full(n_open, np.nan))
