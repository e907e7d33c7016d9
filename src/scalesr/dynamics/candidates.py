"""Candidates: laws that the search on rates believes in, for the trajectories to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from scalesr.dynamics.views import views
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression, variable
from scalesr.expr.fitting import Effort, fit
from scalesr.expr.substitute import substitute
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law
from scalesr.records.proposal import Proposal

MOST = 6  # laws per state and view
VIEW_SHARE = 0.3
ROWS = 1_500  # that laws are compared on
WORSE = 2.0  # squared errors above the least that a law may still be right with
NEXT_TO_NOTHING = 1e-6  # of the target's standard deviation: errors of differentiation that are not compared
SHARP = 1e-4  # of the same: error at which a view is seen through, as what it takes out is not exact
WARM = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=60)


class Discover(Protocol):
    """The search for the law of a table whose target is known to `error`; it begins from the laws of `start`."""

    def __call__(self, data: Dataset, *, share: float, error: float, start: tuple[Proposal, ...] = ()) -> Discovery: ...


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What the search on the rates of one state found."""

    discovery: Discovery
    laws: tuple[Expression, ...]  # over the columns of its table, the best first

    def renumbered(self, columns: Sequence[int]) -> list[Expression]:
        """The laws over a wider table, in which the columns have these places."""
        places = {j: variable(place) for j, place in enumerate(columns)}
        return [substitute(law, places) for law in self.laws]


def candidates_of(data: Dataset, own: int | None, error: float, discover: Discover) -> Candidates:
    """Laws for one table; `own` is the column whose rate the target is, None where there is no such column.

    The views come first: they are quick, and what they find is where the search on all columns begins.
    """
    laws: list[Expression] = []
    for view in views(data, own) if own is not None else ():
        seen = discover(view.data, share=VIEW_SHARE, error=max(error, SHARP * view.data.std))
        laws += [view.restore(law) for law in laws_of(seen)]
        if min(squared_errors(laws, data)) <= error**2:
            break
    main = discover(data, share=1.0, error=error, start=tuple(Proposal(law, "a view of the rates") for law in laws))
    best = [*laws_of(main), *laws]
    unique = {canonical_key(law): law for law in reversed(best)}
    return Candidates(main, _worth_a_trial(list(reversed(unique.values())), data))


def laws_of(discovery: Discovery) -> list[Expression]:
    """The best law and those of the Pareto front that come near to it, by description length."""
    rest: Sequence[Law] = sorted(discovery.front, key=lambda law: law.score)
    return [law.equation.expression for law in (discovery.law, *rest)][:MOST]


def squared_errors(laws: Sequence[Expression], data: Dataset) -> list[float]:
    """Mean squared error of each law on some of the rows, its constants fitted to them."""
    some = data.thinned(ROWS)
    found = []
    for law in laws:
        done = fit(law.skeleton(), some.table, some.y, starts=law.constants[np.newaxis], effort=WARM)
        found.append(done.rss / some.n_rows if done.ok and law.variables else np.inf)
    return found


def _worth_a_trial(laws: list[Expression], data: Dataset) -> tuple[Expression, ...]:
    """Laws that err on the rates not much more than the best."""
    errors = squared_errors(laws, data)
    most = WORSE * min(errors) + (NEXT_TO_NOTHING * data.std) ** 2
    kept = [law for law, error in zip(laws, errors, strict=True) if error <= most]
    return tuple(kept or laws[:1])
