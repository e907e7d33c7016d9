"""The search tree as flat arrays, which grow as needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ROOT = 0
UNVISITED = -1


class Tree:
    """Nodes are numbers; node 0 is the root, the empty sequence of productions.

    An action is the place of a production among those of the node's leftmost non-terminal.
    """

    __slots__ = ("children", "closed", "n_nodes", "totals", "visits")

    def __init__(self, n_actions: int, capacity: int = 1024) -> None:
        self.children = np.full((capacity, n_actions), UNVISITED, np.int32)  # UNVISITED where not expanded
        self.visits = np.zeros(capacity, np.int64)
        self.totals = np.zeros(capacity)  # sums of rewards
        self.closed = np.zeros(capacity, np.bool_)  # nothing new below
        self.n_nodes = 1

    def expand(self, node: int, action: int) -> int:
        """Add a child that was not there before."""
        child = self.n_nodes
        if child == len(self.visits):
            self._grow()
        self.children[node, action] = child
        self.n_nodes += 1
        return child

    def visit(self, path: Sequence[int]) -> None:
        """Count a visit of every node on a path, before its reward is known."""
        self.visits[path] += 1

    def reward(self, path: Sequence[int], reward: float) -> None:
        """Add a reward to every node on a path; one that is not finite counts nothing."""
        if np.isfinite(reward):
            self.totals[path] += reward

    def close(self, path: Sequence[int], n_valid: Sequence[int]) -> None:
        """Close the last node of a path, and those above it of which every valid child is closed."""
        self.closed[path[-1]] = True
        for node, valid in zip(path[-2::-1], n_valid[::-1], strict=True):
            children = self.children[node]
            if np.count_nonzero(self.closed[children[children != UNVISITED]]) < valid:
                return
            self.closed[node] = True

    def _grow(self) -> None:
        n = len(self.visits)
        more: NDArray[np.int32] = np.full_like(self.children, UNVISITED)
        self.children = np.concatenate([self.children, more])
        self.visits = np.concatenate([self.visits, np.zeros(n, np.int64)])
        self.totals = np.concatenate([self.totals, np.zeros(n)])
        self.closed = np.concatenate([self.closed, np.zeros(n, np.bool_)])
