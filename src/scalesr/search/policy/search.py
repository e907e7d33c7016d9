"""Deep symbolic regression: a policy writes skeletons and learns from the best of each batch."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.policy.grading import reward
from scalesr.search.policy.rules import SequenceRules
from scalesr.search.policy.sampling import lessons, sample
from scalesr.search.policy.setup import policy_search
from scalesr.search.policy.training import Training, elite, risk_seeking_weights
from scalesr.search.policy.vocabulary import POWERS


@dataclass(frozen=True, slots=True)
class DsrSearch:
    """The risk-seeking policy gradient with its published settings; needs torch."""

    operators: Operators = field(default_factory=lambda: Operators("paper"))
    powers: tuple[int, ...] = POWERS  # exponents of integer powers, where the operators have them
    rules: SequenceRules = field(default_factory=SequenceRules)
    training: Training = field(default_factory=Training)
    batch_size: int = 1000
    n_batches: int = 2000
    effort: Effort = field(default_factory=Effort)
    n_threads: int = 1

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons; ends early where the best leaves nothing but noise."""
        with policy_search(self, sweep, budget, rng=rng, progress=progress) as at:
            for batch in range(self.n_batches):
                at.scorer.stage = f"batch {batch + 1}"
                tokens = sample(at.policy, at.vocabulary, self.rules, self.batch_size, rng)
                rewards = reward(at.grader.errors(tokens))
                if at.grader.is_done():
                    break
                best = elite(rewards, self.training.epsilon)
                at.policy.learn(lessons(tokens[best], at.vocabulary, self.rules), risk_seeking_weights(rewards[best]))
        return at.scorer.ranking()
