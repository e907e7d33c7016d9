"""Candidates: forms that some look at the rows suggests, refitted on the target itself and compared there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import description_length
from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit
from scalesr.records.dataset import Dataset
from scalesr.records.proposal import Proposal
from scalesr.reduce.plain.targets import AS_IT_IS, Target

Floats = NDArray[np.float64]

N_ROWS = 4000  # on which constants are refitted and laws compared
EXACT = 1e-13  # of the target's spread: a residual that an exact law may have,
ROUNDING = 3e-15  # with so much of its size besides
WARM = Effort(n_screened=1, n_polished=1, polish_trials=20, final_trials=60)


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A form with open constants and a first guess of them."""

    form: Expression
    guess: Floats  # (open constants,)
    target: Target  # whose law it was found as

    @property
    def origin(self) -> str:
        """How it came about, for the trace."""
        return "plain law" if self.target is AS_IT_IS else f"plain law for {self.target.text}"


@dataclass(frozen=True, slots=True)
class Judged:
    """A closed law and what the rows say of it."""

    proposal: Proposal
    target: Target
    length: float  # description length on the target's own rows
    is_exact: bool


class Board:
    """The laws judged so far on a dataset, no form twice."""

    def __init__(self, data: Dataset) -> None:
        self.data, self._thin = data, data.thinned(N_ROWS)
        self._sweep = self._thin.sweep()
        self._judged: dict[str, Judged] = {}

    @property
    def is_exact(self) -> bool:
        """Whether some law holds on every row."""
        return any(judged.is_exact for judged in self._judged.values())

    def promising(self) -> list[Target]:
        """Functions of the target whose laws describe it better than those for itself, the best first."""
        ranked = sorted(self._judged.values(), key=lambda one: one.length)
        targets = list(dict.fromkeys(judged.target for judged in ranked))
        return targets[: targets.index(AS_IT_IS)] if AS_IT_IS in targets else targets

    def best_of(self, target: Target) -> Expression:
        """The law found for a function of the target that describes the target best."""
        mine = (judged for judged in self._judged.values() if judged.target is target)
        return min(mine, key=lambda one: one.length).proposal.expression

    def judge(self, candidate: Candidate) -> None:
        """Refit and note a candidate, unless it has no value on some row."""
        key = canonical_key(candidate.form)
        judged = None if key in self._judged else self._refitted(candidate)
        if judged is not None:
            self._judged[key] = judged

    def ranked(self, number: int) -> list[Proposal]:
        """The best laws, exact ones first."""
        found = sorted(self._judged.values(), key=lambda one: (not one.is_exact, one.length))
        return [judged.proposal for judged in found[:number]]

    def _refitted(self, candidate: Candidate) -> Judged | None:
        thin = self._thin
        if candidate.form.n_open == 0:
            closed, rss = candidate.form, _rss(candidate.form, thin)
        else:
            done = fit(candidate.form, thin.table, thin.y, weights=thin.weights, starts=candidate.guess, effort=WARM)
            if not done.ok:
                return None
            closed, rss = done.expression, done.rss / (1.0 if thin.weights is None else float(thin.weights.mean()))
        if not math.isfinite(rss):
            return None
        length = description_length(candidate.form, rss, self._sweep)
        is_exact = math.sqrt(rss / thin.n_rows) <= self._allowed and self._holds(closed)
        return Judged(Proposal(closed, candidate.origin), candidate.target, length, is_exact)

    @property
    def _allowed(self) -> float:
        """Root mean square residual of an exact law."""
        return EXACT * self._sweep.spread + ROUNDING * self._sweep.scale

    def _holds(self, law: Expression) -> bool:
        """Whether a law is exact on all rows too, and was not made to measure for a few."""
        left = math.sqrt(_rss(law, self.data) / self.data.n_rows)
        return left <= 10 * self._allowed and 2 * len(law.constants) < self._thin.n_rows


def _rss(law: Expression, data: Dataset) -> float:
    """What a closed law leaves, under weights of mean 1."""
    with np.errstate(all="ignore"):
        left = data.y - evaluate(law, data.table)
        if data.weights is not None:
            left = left * np.sqrt(data.weights / data.weights.mean())
        return float(left @ left)
