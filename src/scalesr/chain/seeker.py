"""Seeker: the searches that the chain is handed, and what they may spend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scalesr.chain.config import CHAIN
from scalesr.expr.expression import Expression
from scalesr.records.budget import Budget, Report
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Search
from scalesr.records.skeleton import Ranking
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep

Select = Callable[[Sequence[Expression], Dataset], list[Expression]]  # sparse sums of terms, the best first


@dataclass(frozen=True, slots=True)
class Seeker:
    """Searches of curves in one variable; `linear` finds sums of plain functions, `select` sums of given terms."""

    search: Search
    rng: np.random.Generator
    deadline: Stop
    linear: Search | None = None
    select: Select | None = None
    progress: Report | None = None

    def rank(self, sweep: Sweep, n_fits: int) -> Ranking:
        """Skeletons for a sweep, by this many fits at most."""
        return self._ask(self.search, sweep, n_fits)

    def rank_linear(self, sweep: Sweep) -> Ranking | None:
        """Sums of plain functions for a sweep; None where no such search was handed in."""
        return None if self.linear is None else self._ask(self.linear, sweep, None)

    def _ask(self, search: Search, sweep: Sweep, n_fits: int | None) -> Ranking:
        level = (sweep.noise or 0.0) / sweep.std
        target = level if level < CHAIN.conclusive else None
        budget = Budget(seconds=self.deadline.left, n_fits=n_fits, target_error=target, stop=self.deadline)
        return search.search(sweep, budget, rng=self.rng, progress=self.progress)
