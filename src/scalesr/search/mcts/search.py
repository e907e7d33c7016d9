"""MctsSearch: outer steps on ever new trees, each with the best formulas so far as productions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.mcts.explore import Rewards, Scores, TreeRules, outer_step
from scalesr.search.mcts.grammar import ProductionRules
from scalesr.search.mcts.productions import default_grammar, spl_grammar
from scalesr.search.mcts.reward import absolute_error
from scalesr.search.mcts.rollout import Draws
from scalesr.search.mcts.screen import QuickFits, Screen, few_rows
from scalesr.search.mcts.transplant import allowed_size
from scalesr.search.scoring import Scorer

QUICK = Effort(n_screened=16, n_polished=3, polish_trials=20)  # half the time of a full fit, rarely worse


@dataclass(frozen=True, slots=True)
class Schedule:
    """Outer steps, and the modules transplanted between them.

    Many short steps find laws sooner than few long ones, as it is the modules that carry what was learnt.
    """

    n_outer: int = 1000
    n_episodes: int = 100  # per outer step
    n_modules: int = 5
    module_sizes: tuple[int, int] = (25, 25)  # most productions of a module, after the first and the last step
    module_weight: float = 0.05  # in rollouts, next to the other productions, which have 1 in all
    weight_growth: float = 1.0  # factor on the weight of exploration after each outer step
    enough: float = -math.inf  # error of the formula with the highest reward from which down no outer step is begun


@dataclass(frozen=True, slots=True)
class MctsSearch:
    """Monte-Carlo tree search over a grammar; `MctsSearch.spl()` is the published algorithm.

    The default is one grammar for all problems, a reward in the relative error, a constant weight
    of exploration, and a tree in which finished parts are left alone. The constants of every
    formula are fitted in every group; equal formulas are fitted once.
    """

    operators: Operators = field(default_factory=lambda: Operators("physics"))
    nested: bool = False  # functions inside functions
    coefficients: bool = True  # an open one on every term and argument
    grammar: Callable[[int], ProductionRules] | None = None  # of the number of variables, instead of the default one
    rules: TreeRules = field(default_factory=TreeRules)
    schedule: Schedule = field(default_factory=Schedule)
    effort: Effort = QUICK
    n_threads: int = 1

    @classmethod
    def spl(cls, *, operators: Operators | None = None, eta: float = 0.9999, n_threads: int = 1) -> MctsSearch:
        """The algorithm of SPL at its published settings, with two differences.

        Constants are found by the compiled fit, where SPL runs Powell's method once from ones and
        rounds; and formulas scored before are not fitted again. The reward has the absolute error.
        """
        chosen = operators or Operators("paper", "sqrt")
        return cls(
            operators=chosen, grammar=partial(spl_grammar, chosen), n_threads=n_threads,
            rules=TreeRules(max_productions=50, eta=eta, measure=absolute_error, revisit=True, n_together=1),
            schedule=Schedule(n_outer=20, n_episodes=10_000, module_sizes=(10, 50), module_weight=1.0),
        )  # fmt: skip

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons; the same `rng` state gives the same ranking unless time cuts it short."""
        scorer = Scorer(sweep, budget, progress=progress, effort=self.effort, n_threads=self.n_threads)
        with scorer.running():
            self.explore(scorer, rng=rng)
        return scorer.ranking()

    def explore(self, scores: Scores, *, rng: np.random.Generator, screen: Screen | None = None) -> None:
        """Run the whole schedule, scoring by `scores`, which may end it at any time; `screen` fits to few rows."""
        base = grammar = self._base(scores.sweep.n_variables)
        plan, rules, draws = self.schedule, self.rules, Draws(rng)
        rewards = Rewards(scores, rules, plan.n_modules, screen or self._quick(scores))
        for outer in range(plan.n_outer):
            scores.stage = f"tree search, outer step {outer + 1} of {plan.n_outer}"
            rewards.max_size = allowed_size(outer, plan.n_outer, plan.module_sizes)
            outer_step(grammar, rules, rewards, draws, plan.n_episodes)
            if rewards.error_of_best <= plan.enough:
                return
            grammar = base.with_modules(rewards.modules.productions(plan.module_weight))
            rules = replace(rules, weight=rules.weight * plan.weight_growth)

    def _quick(self, scores: Scores) -> QuickFits:
        return QuickFits(few_rows(scores.sweep), self.n_threads, scores.stop)

    def _base(self, n_variables: int) -> ProductionRules:
        if self.grammar is not None:
            return self.grammar(n_variables)
        return default_grammar(self.operators, n_variables, nested=self.nested, coefficients=self.coefficients)
