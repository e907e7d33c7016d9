"""Random completion of a sequence of productions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import chain, repeat

import numpy as np

from scalesr.search.mcts.grammar import ProductionRules

_DRAWN = 4096


class Draws:
    """Uniform numbers in [0, 1), drawn in bulk, as a call for each would take longer than its use."""

    __slots__ = ("next",)

    def __init__(self, rng: np.random.Generator) -> None:
        numbers = chain.from_iterable(rng.random(_DRAWN).tolist() for _ in repeat(None))
        self.next: Callable[[], float] = numbers.__next__  # one number

    def below(self, n: int) -> int:
        """One of 0 to n - 1."""
        return int(self.next() * n)


def rollout(
    grammar: ProductionRules, sequence: list[int], pending: list[int], draws: Draws, *, room: int
) -> list[int] | None:
    """Complete a sequence by random productions; None if it does not close within `room` more.

    `pending` are the open non-terminals, the leftmost last.
    """
    choices, thresholds, pushes, draw = grammar.choices, grammar.thresholds, grammar.pushes, draws.next
    complete, stack = sequence.copy(), pending.copy()
    while stack:
        if len(stack) > room:
            return None
        left = stack.pop()
        chosen = choices[left][bisect_right(thresholds[left], draw())]
        room -= 1
        complete.append(chosen)
        stack += pushes[chosen]
    return complete
