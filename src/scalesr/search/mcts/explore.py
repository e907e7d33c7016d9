"""One outer step: episodes of selection, expansion, rollouts and backup on one tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.canonical import no_collecting
from scalesr.expr.expression import Expression
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.mcts.config import MCTS
from scalesr.search.mcts.families import Family, families_of
from scalesr.search.mcts.grammar import A, ProductionRules
from scalesr.search.mcts.policy import WEIGHT, choose_action, uct_scores
from scalesr.search.mcts.reward import Measure, relative_error, reward
from scalesr.search.mcts.rollout import Draws, rollout
from scalesr.search.mcts.screen import Promotion, Screen, few_rows
from scalesr.search.mcts.transplant import Module, Modules
from scalesr.search.mcts.tree import ROOT, UNVISITED, Tree


class Scores(Protocol):
    """What the search needs of a Scorer."""

    sweep: Sweep
    stage: str

    @property
    def stop(self) -> Stop | None:
        """The end of the work that the search is a part of."""
        ...

    def score(self, skeletons: Sequence[Expression]) -> NDArray[np.float64]:
        """Relative error of each skeleton, infinite where it has no finite values."""
        ...

    def error_of(self, key: str) -> float | None:
        """The error of the family with this canonical key, if it has been scored."""
        ...

    def count(self, n_fits: int, *, n_screened: int) -> None:
        """Add fits to few rows, and how many skeletons had no other, to the account."""
        ...

    def check(self) -> None:
        """End the search here if the budget is spent."""
        ...


@dataclass(frozen=True, slots=True)
class TreeRules:
    """How an episode goes.

    `weight` is the paper's c. With `revisit` a complete formula can be visited again, as in SPL;
    without, finished parts of the tree are left alone. Episodes are taken `n_together` at a time:
    their visits count at once and their rewards when all of their formulas are fitted.
    """

    weight: float = WEIGHT
    greed: float = 0.8  # share of choices that go to the best upper-confidence score
    n_rollouts: int = 10  # per episode; the best counts
    max_productions: int = 10  # a module counts as one
    eta: float = 0.99  # worth of a formula falls by this factor with each production
    measure: Measure = relative_error
    revisit: bool = False
    n_together: int = 8


@dataclass(slots=True)
class Episode:
    """A path from the root and the complete sequences it led to."""

    path: list[int]
    complete: list[list[int]]


class Rewards:
    """Turns sequences into rewards, and keeps the best formulas; it outlives the trees.

    Every family is fitted once, by `screen` to few rows, and again to all rows where that could matter.
    """

    def __init__(self, scores: Scores, rules: TreeRules, n_modules: int, screen: Screen) -> None:
        self.modules = Modules(n_modules)
        self.best = 0.0  # reward
        self.error_of_best = math.inf  # as the rules measure it
        self.max_size = 0  # of modules
        few = few_rows(scores.sweep)
        self._scores, self._rules, self._std = scores, rules, scores.sweep.std
        self._screen, self._promotion = screen, Promotion(few)
        self._n_groups, self._size = few.n_groups, math.sqrt(few.n_rows) * few.std
        self._errors: dict[str, float] = {}  # by canonical key

    def rewards(self, grammar: ProductionRules, sequences: list[list[int]]) -> list[float]:
        """The worth of each complete sequence; the new ones are fitted in one call."""
        families = families_of(grammar, sequences)
        self._learn(families)
        found = []
        for sequence, family in zip(sequences, families, strict=True):
            size, error = grammar.derived_size(sequence), self._errors[family.key]
            measured = self._rules.measure(error, self._std)
            worth = reward(measured, size, eta=self._rules.eta)
            if self.modules.wants(worth, size, max_size=self.max_size):
                self.modules.offer(Module(grammar.nodes(sequence), size, worth, error), max_size=self.max_size)
            found.append(worth)
            if worth > self.best:
                self.best, self.error_of_best = worth, measured
        return found

    def _learn(self, families: list[Family]) -> None:
        """See to it that the errors of these families are known."""
        if len(self._errors) > MCTS.errors_remembered:
            self._errors.clear()
        fresh = {family.key: family for family in families if family.key not in self._errors}
        known = {key: self._scores.error_of(key) for key in fresh}
        self._errors.update({key: error for key, error in known.items() if error is not None})
        waiting = [family for key, family in fresh.items() if known[key] is None]
        for start in range(0, len(waiting), MCTS.fitted_at_a_time):
            self._fit(waiting[start : start + MCTS.fitted_at_a_time])
        self._scores.check()

    def _fit(self, families: list[Family]) -> None:
        """Fit new families."""
        forms, rss = self._screen.fitted(families)
        chosen = self._promotion.chosen(forms, rss)
        self._scores.count(len(forms) * self._n_groups, n_screened=len(forms) - len(chosen))
        best = [forms[place] for place in chosen]
        errors = np.sqrt(rss) / self._size
        errors[chosen] = self._scores.score(best)
        self._promotion.learn(best, (errors[chosen] * self._size) ** 2)
        self._errors.update((family.key, error) for family, error in zip(families, errors.tolist(), strict=True))


def outer_step(grammar: ProductionRules, rules: TreeRules, rewards: Rewards, draws: Draws, n_episodes: int) -> Tree:
    """The tree after this many episodes, or fewer if nothing new is left in it."""
    tree = Tree(grammar.width)
    for start in range(0, n_episodes, MCTS.episodes_uncollected):
        with no_collecting():
            _episodes(tree, grammar, rules, rewards, draws, min(MCTS.episodes_uncollected, n_episodes - start))
    return tree


def _episodes(
    tree: Tree, grammar: ProductionRules, rules: TreeRules, rewards: Rewards, draws: Draws, n_episodes: int
) -> None:
    """This many episodes on a tree, or fewer if nothing new is left in it."""
    for start in range(0, n_episodes, rules.n_together):
        episodes: list[Episode] = []
        while len(episodes) < min(rules.n_together, n_episodes - start) and not tree.closed[ROOT]:
            episodes.append(simulate(tree, grammar, rules, draws, best=rewards.best))
        if not episodes:
            return
        backup(tree, episodes, rewards.rewards(grammar, [one for episode in episodes for one in episode.complete]))


def simulate(tree: Tree, grammar: ProductionRules, rules: TreeRules, draws: Draws, *, best: float) -> Episode:
    """Go down to a new node, add it, and complete its sequence at random a few times."""
    path, n_valid, sequence, pending, room = [ROOT], list[int](), list[int](), [A], rules.max_productions
    is_new = False
    while pending and not is_new:
        left = pending.pop()
        valid = np.flatnonzero(grammar.needs[left] <= room - len(pending))
        action, is_new = _step(tree, path[-1], valid, rules, draws, best)
        chosen = grammar.choices[left][action]
        n_valid.append(len(valid))
        path.append(int(tree.children[path[-1], action]))
        sequence.append(chosen)
        pending += grammar.pushes[chosen]
        room -= 1
    tree.visit(path)
    if not pending:
        if not rules.revisit:
            tree.close(path, n_valid)
        return Episode(path, [sequence])
    tries = [rollout(grammar, sequence, pending, draws, room=room) for _ in range(rules.n_rollouts)]
    return Episode(path, [one for one in tries if one is not None])


def _step(
    tree: Tree, node: int, valid: NDArray[np.intp], rules: TreeRules, draws: Draws, best: float
) -> tuple[int, bool]:
    """The action to take at a node, and whether it was just added: a random new one while there are any."""
    children = tree.children[node, valid]
    fresh = valid[children == UNVISITED]
    if len(fresh):
        action = int(fresh[draws.below(len(fresh))])
        tree.expand(node, action)
        return action, True
    is_open = ~tree.closed[children]
    children, actions = children[is_open], valid[is_open]
    totals = tree.totals[children] / best if best > 0 else tree.totals[children]
    scores = uct_scores(totals, tree.visits[children], int(tree.visits[node]), weight=rules.weight)
    return int(actions[choose_action(scores, draws.next(), greed=rules.greed)]), False


def backup(tree: Tree, episodes: list[Episode], rewards: list[float]) -> None:
    """Add the best reward of each episode to its path."""
    start = 0
    for episode in episodes:
        own = rewards[start : start + len(episode.complete)]
        start += len(own)
        tree.reward(episode.path, max(own, default=0.0))
