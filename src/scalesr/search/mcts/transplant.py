"""Module transplantation: good formulas become productions of the next tree."""

from __future__ import annotations

from dataclasses import dataclass

from scalesr.search.mcts.grammar import A, Packed, Production


@dataclass(frozen=True, slots=True)
class Module:
    """A complete formula and its worth."""

    nodes: Packed
    size: int  # productions
    reward: float
    error: float


class Modules:
    """The best few formulas that are not too large; of those with equal errors the best alone.

    Equal errors to the last bit mean one formula in two forms, as these share their fit.
    """

    def __init__(self, n_kept: int) -> None:
        self._n_kept = n_kept
        self._by_error: dict[float, Module] = {}
        self._least = 0.0  # the smallest reward among the kept, once they are complete

    def wants(self, reward: float, size: int, *, max_size: int) -> bool:
        """Whether a formula of this worth and size may be among the best."""
        return self._n_kept > 0 and size <= max_size and reward > self._least

    def offer(self, module: Module, *, max_size: int) -> None:
        """Keep a formula if it is among the best."""
        if not self.wants(module.reward, module.size, max_size=max_size):
            return
        held = self._by_error.get(module.error)
        if held is None or held.reward < module.reward:
            self._by_error[module.error] = module
            best = sorted(self._by_error.values(), key=lambda m: -m.reward)[: self._n_kept]
            self._by_error = {kept.error: kept for kept in best}
            self._least = best[-1].reward if len(best) == self._n_kept else 0.0

    @property
    def best(self) -> list[Module]:
        """The kept formulas, best first."""
        return sorted(self._by_error.values(), key=lambda m: -m.reward)

    def productions(self, weight: float) -> list[Production]:
        """One-shot productions of A, each of which makes a whole formula; rollouts choose it by `weight`."""
        return [Production(A, (), (module.nodes,), weight, module.size) for module in self.best]


def allowed_size(outer: int, n_outer: int, sizes: tuple[int, int]) -> int:
    """Largest module after outer step 0 to n_outer - 1, growing evenly."""
    first, last = sizes
    return first + round((last - first) * outer / max(n_outer - 1, 1))
