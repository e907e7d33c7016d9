"""Grouped search: forms for groups of rows, by what each group leaves when it is fitted alone.

How many of a form's constants differ between groups is not known here, so forms compete only with forms of as many
constants, and the residual counts by its degrees of freedom: five rows meet any form of five constants.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from scalesr.evidence.criterion import EXACT, structure_length
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.expr.operators import Operators
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.exhaustive.ladders import ladders
from scalesr.search.exhaustive.lists import skeleton_lists

QUICK: Final = Effort(n_screened=16, n_polished=3, polish_trials=10, final_trials=15)
ENOUGH_ROWS: Final = 240  # that forms are screened on, in the largest groups
ROWS_PER_GROUP: Final = 30  # of one group
LEAST_GROUPS: Final = 4
PROMOTED: Final = 6  # forms of a size and a number of constants that are looked at closely
WORTH: Final = 60.0  # nats from the best form of as many constants so far, up to which one is looked at closely
LEAST_FREEDOM: Final = 8  # degrees of freedom: below them a residual says nothing of a form
LARGEST: Final = {1: 7, 2: 6, 3: 6}  # by number of variables, see search/exhaustive/search.py
LARGEST_OTHERWISE: Final = 5
LADDERS_AFTER: Final = 5
FORMS_AT_ONCE: Final = 128  # forms fitted between two looks at the clock


@dataclass(frozen=True, slots=True)
class Promising:
    """A form and what it would cost if its residual decided alone."""

    form: Expression
    score: float


@dataclass(frozen=True, slots=True)
class GroupedSearch:
    """Every form in order of size, screened on the largest groups."""

    operators: Operators
    n_threads: int = 1

    def levels(self, sweep: Sweep, stop: Stop) -> Iterator[list[Promising]]:
        """For each size the forms that are worth a closer look, the best first."""
        lists = skeleton_lists(self.operators, sweep.n_variables, False)
        quick = some_groups(sweep)
        best: dict[int, float] = {}
        for size in range(1, LARGEST.get(sweep.n_variables, LARGEST_OTHERWISE) + 1):
            forms = [form for chunk in lists.level(size, check=stop.check).chunks() for form in chunk]
            if size == LADDERS_AFTER:
                forms += ladders(self.operators, sweep.n_variables)
            found = self._screened(forms, quick, stop)
            for one in found:
                best[one.form.n_open] = min(best.get(one.form.n_open, math.inf), one.score)
            yield [one for one in found if one.score <= best[one.form.n_open] + WORTH]

    def _screened(self, forms: list[Expression], quick: Sweep, stop: Stop) -> list[Promising]:
        """The best forms of each number of constants, together by what they would cost."""
        by_number: dict[int, list[Promising]] = {}
        for start in range(0, len(forms), FORMS_AT_ONCE):
            stop.check()
            for one in self._scored(forms[start : start + FORMS_AT_ONCE], quick, stop):
                by_number.setdefault(one.form.n_open, []).append(one)
        kept = [one for ones in by_number.values() for one in sorted(ones, key=lambda one: one.score)[:PROMOTED]]
        return sorted(kept, key=lambda one: one.score)

    def _scored(self, forms: list[Expression], quick: Sweep, stop: Stop) -> list[Promising]:
        fits = fit_grid(
            forms, quick.columns, quick.row_starts, quick.y, quick.roots, effort=QUICK, n_threads=self.n_threads,
            watch=stop,
        )  # fmt: skip
        rss = np.where(fits.n_failed > 0, np.inf, fits.rss).reshape(len(forms), -1)
        sizes = np.diff(quick.row_starts)
        floor = (EXACT * quick.scale) ** 2
        found = []
        for form, own in zip(forms, rss, strict=True):
            told = sizes > form.n_open
            freedom = int((sizes[told] - form.n_open).sum())
            total = float(own[told].sum())
            if freedom >= LEAST_FREEDOM and math.isfinite(total):
                data = 0.5 * quick.n_rows * math.log(total / freedom + floor)
                found.append(Promising(form, structure_length(form) + data))
        return found


def some_groups(sweep: Sweep) -> Sweep:
    """The largest groups, so many that their rows tell forms apart, each with a moderate number of rows."""
    sizes = np.minimum(np.diff(sweep.row_starts), ROWS_PER_GROUP)
    order = np.argsort(-sizes, kind="stable")
    enough = int(np.searchsorted(np.cumsum(sizes[order]), ENOUGH_ROWS)) + 1
    chosen = np.sort(order[: max(enough, LEAST_GROUPS)])
    parts = [sweep.group(int(place)) for place in chosen]
    roots = [sweep.roots_of(int(place)) for place in chosen]
    weights = None if sweep.weights is None else [np.asarray(own) ** 2 for own in roots if own is not None]
    few = Sweep.from_groups([X for X, _ in parts], [y for _, y in parts], names=sweep.names, weights=weights)
    return few.thinned(len(parts), ROWS_PER_GROUP)
