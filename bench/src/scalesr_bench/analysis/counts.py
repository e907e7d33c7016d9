"""How many expression trees there are of each complexity, exactly.

Complexity is twice the number of binary operators plus the number of unary ones: nodes minus one. A
valid tree has no unary operator inside another. F counts trees without a unary operator and G those
with one or more; trees count as different by their structure, not by algebra.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

BINARY: Final = ("+", "-", "*", "/")
UNARY: Final = ("sin", "cos", "log", "exp")


@dataclass(frozen=True, slots=True)
class Counts:
    """F and G by complexity, for trees over some terminals (the paper's M_t) and the paper's operators."""

    n_terminals: int
    without: tuple[int, ...]  # F_0, F_1, ...
    with_unary: tuple[int, ...]  # G_0, G_1, ...

    def of(self, complexity: int) -> int:
        """All valid trees of one complexity."""
        return self.without[complexity] + self.with_unary[complexity]

    def up_to(self, complexity: int) -> int:
        """All valid trees up to a complexity: what brute force looks at."""
        return sum(self.without[: complexity + 1]) + sum(self.with_unary[: complexity + 1])


@cache
def count_trees(n_terminals: int, most: int) -> Counts:
    """Counts up to the complexity `most`."""
    n_binary, n_unary = len(BINARY), len(UNARY)
    f, g = [n_terminals], [0]
    for i in range(1, most + 1):
        splits = [(j, i - 2 - j) for j in range(i - 1)]
        f.append(n_binary * sum(f[j] * f[k] for j, k in splits))
        pairs = sum(g[j] * g[k] + g[j] * f[k] + f[j] * g[k] for j, k in splits)
        g.append(n_unary * f[i - 1] + n_binary * pairs)
    return Counts(n_terminals, tuple(f), tuple(g))
