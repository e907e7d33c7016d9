"""Deep symbolic regression: a policy writes skeletons and learns from the best of each batch."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.policy.grading import Grader, reward
from scalesr.search.policy.rules import Rules
from scalesr.search.policy.sampling import lessons, sample
from scalesr.search.policy.training import Training, elite, risk_seeking_weights
from scalesr.search.policy.vocabulary import POWERS, Vocabulary
from scalesr.search.scoring import Scorer


@dataclass(frozen=True, slots=True)
class DsrSearch:
    """The risk-seeking policy gradient with its published settings; needs torch."""

    operators: Operators = field(default_factory=lambda: Operators("paper"))
    powers: tuple[int, ...] = POWERS  # exponents of integer powers, where the operators have them
    rules: Rules = field(default_factory=Rules)
    training: Training = field(default_factory=Training)
    batch_size: int = 1000
    n_batches: int = 2000
    effort: Effort = field(default_factory=Effort)
    n_threads: int = 1

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons; ends early where the best leaves nothing but noise."""
        scorer = Scorer(sweep, budget, progress=progress, effort=self.effort, n_threads=self.n_threads)
        from scalesr.search.policy.network import Policy, one_thread  # torch loads only for those who search

        vocabulary = Vocabulary.over(self.operators, sweep.n_variables, powers=self.powers)
        policy = Policy(vocabulary, self.training, rng)
        grader = Grader(scorer, vocabulary, share=self.training.epsilon, n_threads=self.n_threads)
        with one_thread(), scorer.running():
            for batch in range(self.n_batches):
                scorer.stage = f"batch {batch + 1}"
                tokens = sample(policy, vocabulary, self.rules, self.batch_size, rng)
                rewards = reward(grader.errors(tokens))
                if grader.is_done():
                    break
                best = elite(rewards, self.training.epsilon)
                policy.learn(lessons(tokens[best], vocabulary, self.rules), risk_seeking_weights(rewards[best]))
        return scorer.ranking()
