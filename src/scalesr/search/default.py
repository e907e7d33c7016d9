"""DefaultSearch: the complete search, then Monte-Carlo tree search with the time that is left."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.exhaustive.search import THOROUGH, ExhaustiveSearch
from scalesr.search.mcts import MctsSearch
from scalesr.search.pruning import prune
from scalesr.search.scoring import Scorer


@dataclass(frozen=True, slots=True)
class DefaultSearch:
    """Every formula in order of size; where none fits within the noise, larger ones by tree search.

    Both score through one scorer, so nothing is fitted twice.
    """

    operators: Operators = field(default_factory=lambda: Operators("physics"))
    nested: bool = False  # functions of functions
    n_threads: int = 1

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons; the same `rng` state gives the same ranking unless time cuts it short."""
        scorer = Scorer(sweep, budget, progress=progress, effort=THOROUGH, n_threads=self.n_threads)
        with scorer.running():
            ExhaustiveSearch(self.operators, nested=self.nested, n_threads=self.n_threads).explore(scorer)
            scorer.stop_within_noise = True
            scorer.check()
            MctsSearch(self.operators, nested=self.nested, n_threads=self.n_threads).explore(scorer, rng=rng)
        scorer.stop_within_noise = False
        with scorer.running():
            prune(scorer)
        return scorer.ranking()
