"""Sparse laws: power products, sparse sums and ratios, for the target itself and for functions of it.

All of it works on the rows alone. What a look at a transformed target suggests is refitted and
compared on the target itself, so the transformation only proposes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator, Search
from scalesr.records.proposal import Proposal
from scalesr.records.stop import Stop
from scalesr.reduce.sparse.candidates import Suggestion, Suggestions
from scalesr.reduce.sparse.config import SPARSE
from scalesr.reduce.sparse.powers import power_products
from scalesr.reduce.sparse.targets import AS_IT_IS, SQUARE, TargetFunction, TargetView, usable_targets

Floats = NDArray[np.float64]


def sparse_laws(
    data: Dataset,
    *,
    operators: Operators,
    linear: Search,
    screen: Search,
    ratios: Search,
    stop: Stop,
    rng: np.random.Generator,
    learn: Callable[[Dataset], Generator | None] = lambda _: None,
) -> Iterator[list[Proposal]]:
    """Laws for the target, look after look, the cheap ones first; each look gives the best laws so far.

    An exact law comes first, and no look follows it. `linear` looks for sums of terms thoroughly
    and `screen` quickly; `ratios` looks for quotients of sums. `learn` gives what tells the target without
    its noise, or None as long as the rows are not known to have any.
    """
    suggested = Suggestions(data)
    shortlist = suggested.shortlist
    looks = _Looks(data.thinned(SPARSE.searched_rows), suggested, _Finders(linear, screen, ratios), stop, rng, learn)
    for look in looks.in_turn(operators):
        for suggestion in look:
            suggested.take(suggestion)
            if shortlist.is_exact or stop.passed:
                break
        yield [one.proposal for one in shortlist.ranked[: SPARSE.laws_n_proposed]]
        if shortlist.is_exact or stop.passed:
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
    suggested: Suggestions
    finders: _Finders
    stop: Stop
    rng: np.random.Generator
    learn: Callable[[Dataset], Generator | None]

    def in_turn(self, operators: Operators) -> Iterator[Iterator[Suggestion]]:
        """Looks with what they suggest; the last ones depend on what the rows say of the earlier ones."""
        here = self._as_it_is(self.data)
        yield chain(power_products(here, operators), self._found(self.finders.screen, AS_IT_IS, here))
        here = self._as_it_is(self.data)  # by now noise may be known
        few, targets = here.thinned(SPARSE.n_screened), usable_targets(operators)
        views = [(target, view) for of in few.readings for target in targets if (view := target.view(of)) is not None]
        products = [pair for pair in views if not pair[0].is_power]
        yield chain.from_iterable(self._products(*pair, operators) for pair in products)
        yield chain.from_iterable(self._found(self.finders.screen, *pair) for pair in views)
        both = [(target, view) for target in (AS_IT_IS, SQUARE) if (view := target.view(here)) is not None]
        yield chain.from_iterable(self._found(self.finders.ratios, *pair) for pair in both)
        yield self._found(self.finders.linear, AS_IT_IS, here)
        for target in self.suggested.promising()[: SPARSE.n_followed]:
            if (view := target.view(self._expected_by(target, here))) is not None:
                yield self._found(self.finders.ratios, target, view)
                yield self._found(self.finders.linear, target, view)

    def _as_it_is(self, data: Dataset) -> TargetView:
        """The rows with what a learned function expects of them, where they are known to have noise."""
        learned = self.learn(data)
        return TargetView(data, None if learned is None else learned.predict(data.table))

    def _expected_by(self, target: TargetFunction, here: TargetView) -> TargetView:
        """The rows with what the best law so far for a function of the target expects, where they have noise."""
        if here.expected is None:
            return here
        return TargetView(here.rows, evaluate(self.suggested.best_of(target), here.rows.table))

    def _products(self, target: TargetFunction, view: TargetView, operators: Operators) -> Iterator[Suggestion]:
        """Products of powers for a function of the target, turned into laws for the target."""
        if self.stop.passed:
            return
        for found in power_products(view, operators):
            yield Suggestion(target.law(found.form, self.data.y), found.guess, target)

    def _found(self, search: Search, target: TargetFunction, view: TargetView) -> Iterator[Suggestion]:
        """The best laws of a search for a function of the target, turned into laws for the target."""
        if self.stop.passed:
            return
        ranking = search.search(view.rows.sweep(), self.stop.budget(), rng=self.rng)
        for skeleton in ranking.skeletons[: SPARSE.n_tried]:
            yield Suggestion(target.law(skeleton.expression, self.data.y), skeleton.constants[0], target)
