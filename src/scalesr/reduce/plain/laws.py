"""Plain laws: power products, sparse sums and ratios, for the target itself and for functions of it.

All of it works on the rows alone. What a look at a transformed target suggests is refitted and
compared on the target itself, so the transformation only proposes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Search
from scalesr.records.proposal import Proposal
from scalesr.records.stop import Stop
from scalesr.reduce.plain.candidates import Board, Candidate
from scalesr.reduce.plain.powers import power_products
from scalesr.reduce.plain.targets import AS_IT_IS, SQUARE, Target, usable_targets

N_PROPOSED = 10
N_TRIED = 4  # of the best laws of each search
N_SCREENED = 1200  # rows of the first look at a transformed target
N_FOLLOWED = 1  # transformed targets that get more than a look
N_ROWS = 10_000  # of a search, at most


def plain_laws(
    data: Dataset,
    *,
    operators: Operators,
    linear: Search,
    screen: Search,
    ratios: Search,
    stop: Stop,
    rng: np.random.Generator,
) -> Iterator[list[Proposal]]:
    """Laws for the target, look after look, the cheap ones first; each look gives the best laws so far.

    An exact law comes first, and no look follows it. `linear` looks for sums of terms thoroughly
    and `screen` quickly; `ratios` looks for quotients of sums.
    """
    board = Board(data)
    looks = _Looks(data.thinned(N_ROWS), board, _Finders(linear, screen, ratios), stop, rng)
    for look in looks.in_turn(operators):
        for candidate in look:
            board.judge(candidate)
            if board.is_exact or stop.passed:
                break
        yield board.ranked(N_PROPOSED)
        if board.is_exact or stop.passed:
            return


@dataclass(frozen=True, slots=True)
class _Finders:
    """The searches that were handed in."""

    linear: Search
    screen: Search
    ratios: Search


@dataclass(frozen=True, slots=True)
class _Looks:
    """The looks at a dataset, in the order of what they cost."""

    data: Dataset
    board: Board
    finders: _Finders
    stop: Stop
    rng: np.random.Generator

    def in_turn(self, operators: Operators) -> Iterator[Iterator[Candidate]]:
        """Looks with their candidates; the last ones depend on what the board says of the earlier ones."""
        yield chain(power_products(self.data, operators), self._found(self.finders.screen, AS_IT_IS, self.data))
        few, targets = self.data.thinned(N_SCREENED), usable_targets(operators)
        yield chain.from_iterable(self._products(target, few, operators) for target in targets if not target.is_power)
        yield chain.from_iterable(self._found(self.finders.screen, target, few) for target in targets)
        yield chain.from_iterable(self._found(self.finders.ratios, t, self.data) for t in (AS_IT_IS, SQUARE))
        yield self._found(self.finders.linear, AS_IT_IS, self.data)
        for target in self.board.promising()[:N_FOLLOWED]:
            yield self._found(self.finders.ratios, target, self.data)
            yield self._found(self.finders.linear, target, self.data)

    def _products(self, target: Target, data: Dataset, operators: Operators) -> Iterator[Candidate]:
        """Products of powers for a function of the target, turned into laws for the target."""
        y = target.of(data.y)
        if y is None or self.stop.passed:
            return
        for found in power_products(data.with_target(y, target.text), operators):
            yield Candidate(target.law(found.form, data.y), found.guess, target)

    def _found(self, search: Search, target: Target, data: Dataset) -> Iterator[Candidate]:
        """The best laws of a search for a function of the target, turned into laws for the target."""
        y = target.of(data.y)
        if y is None or self.stop.passed:
            return
        weights = None if data.weights is None else target.weights(data.y, data.weights)
        sweep = replace(data, y=y, target=target.text, weights=weights).sweep()
        ranking = search.search(sweep, self.stop.budget(), rng=self.rng)
        for skeleton in ranking.skeletons[:N_TRIED]:
            yield Candidate(target.law(skeleton.expression, data.y), skeleton.constants[0], target)
