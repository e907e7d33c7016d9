"""Finished candidates against the rows of the table: warm fits on a few of them, and what is exact."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.refit import Rows
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.records.dataset import Dataset
from scalesr.records.proposal import Proposal

Floats = NDArray[np.float64]

FEW, MANY = 400, 2000  # rows of a quick fit, exact and noisy ones
EXACT = 1e-12  # residual over the size of the target
NO_LESS, NO_MORE = 0.9, 1.02  # times the noise of the rows: what a law leaves; if less, it was no noise
KEPT = 12  # proposals


@dataclass(frozen=True, slots=True, eq=False)
class Finished:
    """A law in all variables, fitted to rows."""

    fit: Fit
    origin: str
    error: float  # root mean square residual
    score: float  # description length on the rows, in nats
    exact: bool


@dataclass
class Judge:
    """Fits candidates to the rows and keeps the best; no form is fitted twice."""

    data: Dataset
    noise: float  # of the rows; 0 where it is not known
    finished: list[Finished] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._few = Rows(self.data.thinned(MANY if self.noise else FEW))
        self._size = float(np.abs(self.data.y).max()) or 1.0

    @property
    def best(self) -> Finished | None:
        return self.finished[0] if self.finished else None

    @property
    def is_solved(self) -> bool:
        """Whether a law is exact: nothing else needs to be tried."""
        return any(one.exact for one in self.finished)

    @property
    def is_within_noise(self) -> bool:
        """Whether the best law leaves no more than the noise of the rows: a shorter one may still be found."""
        return self.best is not None and NO_LESS * self.noise <= self.best.error <= NO_MORE * self.noise

    def try_law(self, skeleton: Expression, starts: Floats, origin: str) -> None:
        """Fit a skeleton to the rows, from `starts` (starts, open constants) and from starts of the fit's own."""
        if not self._is_new(skeleton):
            return
        found = [self._few.fit(skeleton, start=start) for start in starts if np.isfinite(start).all()]
        if skeleton.n_open:
            found.append(self._few.fit(skeleton))
        self._keep(found, origin)

    def try_closed(self, law: Expression, origin: str) -> None:
        """Fit a closed law's form to the rows, from the constants it has."""
        if self._is_new(law.skeleton()):
            self._keep([self._few.fit(law.skeleton(), start=law.constants)], origin)

    def _is_new(self, skeleton: Expression) -> bool:
        key = canonical_key(skeleton)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new

    def _keep(self, fits: list[Fit], origin: str) -> None:
        """Note the best of some fits of one form, if it has values."""
        good = [done for done in fits if done.ok and np.isfinite(done.constants).all()]
        if not good:
            return
        done = min(good, key=lambda one: one.rss)
        loss = done.rss / done.n_rows
        error = float(np.sqrt(loss))
        exact = error <= EXACT * self._size and done.n_rows > 2 * len(done.constants)
        one = Finished(done, origin, error, self._few.evidence.score(done).promise, exact)
        ranked = sorted([*self.finished, one], key=lambda f: (not f.exact, f.score, f.fit.skeleton.n_nodes))
        self.finished = ranked[:KEPT]

    def proposals(self) -> tuple[Proposal, ...]:
        """The best so far, the best first."""
        return tuple(Proposal(one.fit.expression, one.origin) for one in self.finished)
