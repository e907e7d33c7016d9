"""Setup: what every search by a policy begins with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from scalesr.expr.fitting import Effort
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.sweep import Sweep
from scalesr.search.policy.grading import Grader
from scalesr.search.policy.training import Training
from scalesr.search.policy.vocabulary import Vocabulary
from scalesr.search.scoring import Scorer

if TYPE_CHECKING:
    from scalesr.search.policy.network import Policy


class PolicySettings(Protocol):
    """What the searches by a policy have in common."""

    @property
    def operators(self) -> Operators: ...
    @property
    def powers(self) -> tuple[int, ...]: ...
    @property
    def training(self) -> Training: ...
    @property
    def effort(self) -> Effort: ...
    @property
    def n_threads(self) -> int: ...


@dataclass(frozen=True, slots=True)
class PolicySearch:
    """A policy with its vocabulary, who grades what it writes, and who keeps the best of it."""

    scorer: Scorer
    vocabulary: Vocabulary
    policy: Policy
    grader: Grader


@contextmanager
def policy_search(
    settings: PolicySettings, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None
) -> Iterator[PolicySearch]:
    """A block of work with a new policy, which the budget or an interrupt may end; torch keeps to one thread in it."""
    scorer = Scorer(sweep, budget, progress=progress, effort=settings.effort, n_threads=settings.n_threads)
    from scalesr.search.policy.network import Policy, one_thread  # torch loads only for those who search

    vocabulary = Vocabulary.over(settings.operators, sweep.n_variables, powers=settings.powers)
    policy = Policy(vocabulary, settings.training, rng)
    grader = Grader(scorer, vocabulary, share=settings.training.epsilon, n_threads=settings.n_threads)
    with one_thread(), scorer.running():
        yield PolicySearch(scorer, vocabulary, policy, grader)
