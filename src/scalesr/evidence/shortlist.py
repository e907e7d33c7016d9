"""Shortlist: forms that a stage has in mind, each fitted once to some of the rows, the best first.

A stage offers what comes first on it to the archive. What a stage may ask here, of many forms and in little
time, is which of its own forms are worth offering; what a law is worth is decided in the archive alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.refit import FitData
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, Fit
from scalesr.records.dataset import Dataset
from scalesr.records.proposal import Proposal

Floats = NDArray[np.float64]
Cost = Callable[[Fit], float]  # nats on the rows of the shortlist, the less the better


@dataclass(frozen=True, slots=True, eq=False)
class Shortlisted:
    """A form with the fit that it is ranked by."""

    fit: Fit  # to some of the rows
    origin: str
    error: float  # root mean square residual there
    score: float  # in nats
    exact: bool  # at rounding level on all rows

    @property
    def proposal(self) -> Proposal:
        """The closed law as it is offered to the archive."""
        return Proposal(self.fit.expression, self.origin)


class Shortlist:
    """The forms of one stage; a form that could not be fitted may be tried again from another guess."""

    def __init__(self, data: Dataset, n_rows: int, *, rounding: float, cost: Cost | None = None) -> None:
        """`rounding` is the root mean square residual that an exact law may leave."""
        self._all = FitData(data)
        self.rows = FitData(data.thinned(n_rows))
        self._rounding, self._cost = rounding, cost or self._promise
        self._known: dict[str, Shortlisted] = {}

    @property
    def ranked(self) -> list[Shortlisted]:
        """Exact laws first, then by what they cost."""
        return sorted(self._known.values(), key=lambda one: (not one.exact, one.score, one.fit.skeleton.n_nodes))

    @property
    def best(self) -> Shortlisted | None:
        return next(iter(self.ranked), None)

    @property
    def is_exact(self) -> bool:
        """Whether some form is exact: nothing else needs to be tried."""
        return any(one.exact for one in self._known.values())

    def try_form(
        self,
        form: Expression,
        starts: Sequence[Floats],
        origin: str,
        *,
        own: bool = False,
        effort: Effort | None = None,
    ) -> None:
        """Fit a form from some starts, and from starts of the fit's own where asked for (`own`); note the best."""
        key = canonical_key(form)
        if key in self._known:
            return
        given: list[Floats | None] = [start for start in starts if np.isfinite(start).all()]
        if own and form.n_open:
            given.append(None)
        fits = [self.rows.fit(form, start=start, effort=effort) for start in given]
        good = [done for done in fits if done.ok and np.isfinite(done.constants).all()]
        if good:
            self._known[key] = self._shortlisted(min(good, key=lambda done: done.rss), origin)

    def _shortlisted(self, done: Fit, origin: str) -> Shortlisted:
        error = math.sqrt(done.rss / done.n_rows)
        return Shortlisted(done, origin, error, self._cost(done), error <= self._rounding and self._holds(done))

    def _holds(self, done: Fit) -> bool:
        """Whether a law is exact on all rows too, and was not made to measure for a few."""
        return done.n_rows > 2 * len(done.constants) and self._all.loss(done.expression) <= (10 * self._rounding) ** 2

    def _promise(self, done: Fit) -> float:
        return self.rows.evidence.score(done).promise
