"""Screen: every formula is fitted quickly on few rows, and those that could matter go on to a full fit."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import constants_length, data_length, structure_length
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.mcts.config import MCTS
from scalesr.search.mcts.families import Family

Floats = NDArray[np.float64]

QUICK: Final = Effort(n_screened=4, n_polished=2, polish_trials=6, final_trials=40)


def few_rows(sweep: Sweep) -> Sweep:
    """The rows on which all formulas are fitted."""
    return sweep.thinned(MCTS.screen_groups, MCTS.screen_rows)


class Screen(Protocol):
    """Fits families to the few rows of a sweep."""

    def fitted(self, families: Sequence[Family]) -> tuple[list[Expression], Floats]:
        """Of each family the skeleton that was fitted, and its sum of squares, infinite without finite values."""
        ...


class QuickFits:
    """The compiled fit of canonical skeletons at little effort."""

    def __init__(self, few: Sweep, n_threads: int = 1, stop: Stop | None = None) -> None:
        self._few, self._n_threads, self._stop = few, n_threads, stop

    def fitted(self, families: Sequence[Family]) -> tuple[list[Expression], Floats]:
        """Of each family the canonical skeleton, and its sum of squares, infinite without finite values."""
        few = self._few
        forms = [family.representative() for family in families]
        fits = fit_grid(
            forms, few.columns, few.row_starts, few.y, few.roots, effort=QUICK, n_threads=self._n_threads,
            watch=self._stop,
        )  # fmt: skip
        totals = np.where(fits.n_failed > 0, np.inf, fits.rss)
        return forms, np.asarray(totals.reshape(len(forms), few.n_groups).sum(axis=1))


class Promotion:
    """Which formulas look, by their fits to few rows, like one of the shortest descriptions of all rows so far.

    Those it is compared with count as they fit all rows: what fits the few by luck stands in nobody's way.
    """

    def __init__(self, few: Sweep) -> None:
        self._few, self._per_constant = few, constants_length(1, few)
        self._best: list[float] = []  # negative lengths, the longest description first

    def chosen(self, forms: Sequence[Expression], rss: Floats) -> list[int]:
        """Places of the formulas that are worth a full fit."""
        longest = -self._best[0] if len(self._best) == MCTS.screen_compared else np.inf
        return [place for place, form in enumerate(forms) if self._length(form, float(rss[place])) < longest]

    def learn(self, forms: Sequence[Expression], rss: Floats) -> None:
        """Take note of fits to all rows; their sums of squares are given for as many rows as the few are."""
        for form, total in zip(forms, rss.tolist(), strict=True):
            heappush(self._best, -self._length(form, total))
            if len(self._best) > MCTS.screen_compared:
                heappop(self._best)

    def _length(self, form: Expression, rss: float) -> float:
        """Description length of a formula and the few rows."""
        return structure_length(form) + self._per_constant * form.n_open + data_length(rss, self._few)
