"""Neural-guided genetic programming: a policy seeds populations and is trained on the best ever found."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.genetic.symbols import Symbols
from scalesr.search.hybrid.breeding import Breeder, Evolution
from scalesr.search.hybrid.sequences import ScoredSequences
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import Lessons, lessons, sample
from scalesr.search.policy.setup import policy_search
from scalesr.search.policy.training import Training, share_of
from scalesr.search.policy.vocabulary import POWERS, Vocabulary

NESTING = 3  # of functions in new subtrees; what may stand inside what is the policy's business


@dataclass(frozen=True, slots=True)
class NggpSearch:
    """Priority-queue training around genetic programming with its published settings; needs torch.

    One setting is ours: published are lengths up to 256, and we stop at 64, DSR's own limit.
    """

    operators: Operators = field(default_factory=lambda: Operators("paper"))
    powers: tuple[int, ...] = POWERS  # exponents of integer powers, where the operators have them
    rules: SequenceRules = field(default_factory=SequenceRules)
    training: Training = field(default_factory=lambda: Training(learning_rate=2.5e-3, epsilon=0.02))
    evolution: Evolution = field(default_factory=Evolution)
    batch_size: int = 500
    n_batches: int = 200
    queue_size: int = 10
    queue_weight: float = 200.0
    effort: Effort = field(default_factory=Effort)
    n_threads: int = 1

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons; ends early where the best leaves nothing but noise."""
        with policy_search(self, sweep, budget, rng=rng, progress=progress) as at:
            symbols = Symbols.over(self.operators, sweep.n_variables, nesting=NESTING)
            breeder = Breeder(at.vocabulary, self.rules, symbols, self.evolution)
            queue = ScoredSequences.empty(at.vocabulary, self.rules.max_length)
            for batch in range(self.n_batches):
                at.scorer.stage = f"batch {batch + 1}"
                drawn = sample(at.policy, at.vocabulary, self.rules, self.batch_size, rng)
                seeds = ScoredSequences(drawn, at.grader.errors(drawn))
                whole = seeds.joined(breeder.evolve(seeds, at.grader, rng))
                if at.grader.is_done():
                    break
                queue = queue.joined(whole).best(self.queue_size)
                at.policy.learn(*self._queue_lessons(queue, whole, at.vocabulary))
        return at.scorer.ranking()

    def _queue_lessons(
        self, queue: ScoredSequences, batch: ScoredSequences, vocabulary: Vocabulary
    ) -> tuple[Lessons, NDArray[np.float64]]:
        """The queue to be imitated, and the best of the batch, which only the entropy looks at."""
        top = batch.best(share_of(len(batch), self.training.epsilon))
        both = queue.joined(top)
        weights = np.zeros(len(both))
        weights[: len(queue)] = self.queue_weight / max(len(queue), 1)
        return lessons(both.tokens, vocabulary, self.rules), weights
