"""Random completion of a sequence of productions."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from scalesr.search.mcts.grammar import Grammar

_DRAWN = 4096


class Draws:
    """Uniform numbers in [0, 1), drawn in bulk, as a call for each would take longer than its use."""

    __slots__ = ("_left", "_rng")

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._left: list[float] = []

    def next(self) -> float:
        """One number."""
        if not self._left:
            self._left = self._rng.random(_DRAWN).tolist()
        return self._left.pop()

    def below(self, n: int) -> int:
        """One of 0 to n - 1."""
        return int(self.next() * n)


def rollout(grammar: Grammar, sequence: list[int], pending: list[int], draws: Draws, *, room: int) -> list[int] | None:
    """Complete a sequence by random productions; None if it does not close within `room` more.

    `pending` are the open non-terminals, the leftmost last.
    """
    choices, thresholds, pushes = grammar.choices, grammar.thresholds, grammar.pushes
    complete, stack = sequence.copy(), pending.copy()
    while stack:
        if len(stack) > room:
            return None
        left = stack.pop()
        among = choices[left]
        place = bisect_right(thresholds[left], draws.next())
        chosen = among[place if place < len(among) else -1]
        room -= 1
        complete.append(chosen)
        stack += pushes[chosen]
    return complete
