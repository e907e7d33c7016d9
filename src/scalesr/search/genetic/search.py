"""GeneticSearch: skeletons that breed, with the constants of each distinct one fitted once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import EXACT, structure_length
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr.records.sweep import Sweep
from scalesr.search.genetic.coefficients import with_coefficients, without_coefficients
from scalesr.search.genetic.config import GENETIC
from scalesr.search.genetic.population import NOBODY, Nursery, Population, children, first_members
from scalesr.search.genetic.reduction import reductions
from scalesr.search.genetic.symbols import Symbols
from scalesr.search.genetic.variation import SizeLimits
from scalesr.search.pruning import prune
from scalesr.search.scoring import Scorer

SHARES: Final = (0.4, 0.6, 0.8, 1.0)  # of the limits, in successive populations: small laws come first


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneticSearch:
    """Genetic programming on forms; each is fitted with a factor on every term and a summand.

    Populations follow one another, each until it makes no progress for `patience` generations.
    Formulas to `start` from are among the first members of each that they are small enough for, and the
    very first one then has all the room there is. Without any limit in the budget the search ends after
    `max_generations`.
    """

    operators: Operators = field(default_factory=lambda: Operators("physics"))
    limits: SizeLimits = field(default_factory=SizeLimits)
    population: int = 200
    patience: int = 10
    max_generations: int = 2_000
    start: tuple[Expression, ...] = ()  # the most promising first; their constants are forgotten
    effort: Effort | None = None  # of each fit
    n_threads: int = 1

    def __post_init__(self) -> None:
        if min(self.population, self.patience, self.max_generations) < 1:
            raise ValueError(f"Population, patience and generations are 1 or more each: {self}.")

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Breed until the budget is spent, and keep the best free of parts that carry nothing."""
        untargeted = replace(budget, target_error=None)  # at the target the best is reduced before the end
        scorer = Scorer(sweep, untargeted, progress=progress, effort=self.effort, n_threads=self.n_threads)
        symbols = Symbols.over(self.operators, sweep.n_variables, nesting=self.limits.nesting)
        tried: set[Expression] = set()
        ended = ""
        scorer.stage = "generation 1"
        with scorer.running():
            for number, _ in enumerate(islice(self._generations(scorer, symbols, rng), self.max_generations), start=2):
                prune(scorer, n_best=GENETIC.reduced, neighbours=partial(reductions, symbols=symbols), tried=tried)
                scorer.stage = f"generation {number}"
                if _reaches(scorer.best, budget.target_error):
                    ended = f"The target error of {budget.target_error:g} was reached."
                    break
        ranking = scorer.ranking()
        return replace(ranking, ended=ended or ranking.ended)

    def _generations(self, scorer: Scorer, symbols: Symbols, rng: np.random.Generator) -> Iterator[Population]:
        """Population after population, until nothing new is found with any share of the limits."""
        n_before = -1
        if self.start:
            yield from self._run(scorer, symbols, self.limits, rng)
        while scorer.n_scored > n_before:
            n_before = scorer.n_scored
            for share in SHARES:
                yield from self._run(scorer, symbols, self.limits.scaled(share), rng)

    def _run(
        self, scorer: Scorer, symbols: Symbols, limits: SizeLimits, rng: np.random.Generator
    ) -> Iterator[Population]:
        """The generations of one population, until it is stuck."""
        nursery = Nursery(symbols, limits, self.limits.max_open)
        start = [form for one in self.start if (form := without_coefficients(one)) is not None]
        made = first_members(nursery, self.population, rng, start)
        population = NOBODY.followed_by(made, self._scores(made, scorer), self.population)
        yield population
        idle = 0
        while idle < self.patience:
            scorer.check()
            made = children(population, nursery, self.population, rng)
            best = population.scores[0]
            population = population.followed_by(made, self._scores(made, scorer), self.population)
            idle = 0 if population.scores[0] < best else idle + 1
            yield population

    def _scores(self, members: list[Expression], scorer: Scorer) -> NDArray[np.float64]:
        """Description lengths as if rows were few and errors below the noise all alike."""
        sweep = scorer.sweep
        forms = [with_coefficients(member, self.limits.max_open) for member in members]
        n_rows = min(sweep.n_rows, GENETIC.most_counted_rows)
        floor = max(EXACT, (sweep.noise or 0.0) / sweep.std)
        structure = np.array([structure_length(member) for member in members])
        constants = np.array([0.5 * math.log(n_rows) * form.n_open for form in forms])
        data = n_rows * np.log(np.hypot(scorer.score(forms), floor))
        return np.asarray(structure + constants + data, np.float64)


def _reaches(best: Skeleton | None, target: float | None) -> bool:
    return best is not None and target is not None and best.error <= target
