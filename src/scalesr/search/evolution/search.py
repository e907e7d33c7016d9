"""EvolutionSearch: formulas that breed in compiled code, each child beginning with its parent's constants."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.constants import UNKNOWN_SIZE
from scalesr.evidence.criterion import EXACT, symbol_lengths
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Groups
from scalesr.expr.operators import Operators
from scalesr.expr.simpler import simpler, unwrapped
from scalesr.kernels.codes import OPEN
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.evolution.config import EVOLUTION
from scalesr.search.evolution.growth import AdditionProposer
from scalesr.search.evolution.population import Alphabet, Islands
from scalesr.search.genetic.variation import SizeLimits
from scalesr.search.scoring import Scorer

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolutionSearch:
    """Formulas over all variables, bred on islands of niches by size.

    Each is fitted with a factor on every term and a summand, from the constants that it inherits. Islands that make
    no progress start over. Formulas to `start` from live on the first island.
    """

    operators: Operators = field(default_factory=lambda: Operators("physics"))
    limits: SizeLimits = field(default_factory=lambda: SizeLimits(nesting=2))
    start: tuple[Expression, ...] = ()
    n_threads: int = 1
    max_generations: int = 20_000

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Breed until the budget is spent, and rank the best of every size."""
        if sweep.n_groups > 1:
            raise ValueError(f"Formulas are bred on one group of rows; this sweep has {sweep.n_groups}.")
        scorer = Scorer(sweep, budget, progress=progress, n_threads=self.n_threads)
        rows = Groups(sweep.columns, sweep.row_starts, sweep.y, sweep.roots)
        limits = replace(
            self.limits, max_open=max(min(self.limits.max_open, sweep.n_rows // EVOLUTION.rows_per_constant), 1)
        )
        population = Islands(
            Alphabet.over(self.operators), limits, sweep.n_variables, rows,
            seed=int(rng.integers(2**62)), n_threads=self.n_threads,
        )  # fmt: skip
        with scorer.running():
            for number, n_fitted in enumerate(self._generations(population, scorer), start=1):
                scorer.stage = f"generation {number}"
                scorer.count(n_fitted)
                is_exact = population.totals.min() <= rounding_floor(sweep)
                if is_exact or number % EVOLUTION.generations_between_looks == 0:
                    scorer.offer(population.best(EVOLUTION.n_shown, _costs(population, sweep)))
                if is_exact:
                    break
        scorer.offer(population.best(EVOLUTION.n_shown, _costs(population, sweep)))
        _trim(scorer)
        return scorer.ranking()

    def _generations(self, population: Islands, scorer: Scorer) -> Iterator[int]:
        """Generations of the islands in turn; each starts over, with more room, once it is stuck."""
        yield population.place(list(self.start), 0, scorer.stop)
        floor, proposer = rounding_floor(scorer.sweep), AdditionProposer(population, self.operators)
        lives, idle, least = [0] * EVOLUTION.n_islands, [0] * EVOLUTION.n_islands, [math.inf] * EVOLUTION.n_islands
        for number in range(self.max_generations):
            island = number % EVOLUTION.n_islands
            share = EVOLUTION.shares[(lives[island] + island) % len(EVOLUTION.shares)]
            max_nodes = math.ceil(share * self.limits.max_nodes)
            n_bred = population.advance(island, max_nodes, scorer.stop)
            additions = proposer.additions(island, _costs(population, scorer.sweep), max_nodes)
            yield n_bred + population.place(additions, island, scorer.stop)
            totals = population.totals_by_size(island)
            now = float(np.log(np.minimum.accumulate(totals) + floor).sum()) if np.isfinite(totals[0]) else math.inf
            idle[island] = 0 if now < least[island] - EVOLUTION.progress else idle[island] + 1
            least[island] = min(now, least[island])
            if idle[island] > EVOLUTION.patience:  # it is stuck, and remembered
                scorer.offer(population.best(EVOLUTION.n_shown, _costs(population, scorer.sweep)))
                population.clear(island)
                proposer.forget(island)
                lives[island], idle[island], least[island] = lives[island] + 1, 0, math.inf


def _trim(scorer: Scorer) -> None:
    """Offer what is left of the best formulas without a part, until none of these is better."""
    tried: set[Expression] = set()
    for _ in range(EVOLUTION.trimming_rounds):
        best = [
            one.in_group(0) for one in scorer.ranking().skeletons[: EVOLUTION.n_trimmed] if one.expression not in tried
        ]
        if not best:
            return
        tried.update(one.skeleton() for one in best)
        scorer.offer([form for one in best for form in (*simpler(one), *unwrapped(one)) if form.variables])


def rounding_floor(sweep: Sweep) -> float:
    """A residual sum of squares that rounding leaves: what is below says nothing."""
    return sweep.n_rows * (EXACT * sweep.scale) ** 2


def _costs(population: Islands, sweep: Sweep) -> Floats:
    """About what each member costs, in nats; infinite where there is none."""
    members, totals = population.members, population.totals
    known = np.arange(members.codes.shape[1]) < members.sizes[:, np.newaxis]
    symbols = np.where(known, symbol_lengths(members.codes), 0.0).sum(axis=1)
    n_open = ((members.codes == OPEN) & known).sum(axis=1)
    constants = n_open * (UNKNOWN_SIZE + 0.5 * math.log(sweep.n_rows))
    data = 0.5 * sweep.n_rows * np.log(totals + rounding_floor(sweep))
    return np.asarray(np.where(np.isfinite(totals), symbols + constants + data, np.inf))
