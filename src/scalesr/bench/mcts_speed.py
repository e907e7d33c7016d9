"""How many distinct skeletons the tree search scores per second, next to itself with SciPy's Powell.

Both run the same search from the same seed on the same curve, in one thread, and both know the
canonical form, so that no skeleton is fitted twice. SPL fits a candidate's constants by one run of
Powell's method from ones; here that run sees the canonical form, which has fewer constants.
Seconds are those of the processor, so that a busy machine changes little.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from scalesr.bench.timing import one_core
from scalesr.expr.canonical import canonical, canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr.search.mcts import MctsSearch
from scalesr.search.scoring import Scorer

NO_VALUES: Final = 1e30  # what Powell sees where a formula has no finite values
LAW: Final = "sin(x^2)*cos(x) - 1"


class _Spent(Exception):
    """The time is used up."""


class PowellScores:
    """Scores skeletons one by one with SciPy's Powell from ones, until the time is used up."""

    def __init__(self, sweep: Sweep, seconds: float) -> None:
        self.sweep = sweep
        self.stage = ""
        self._started, self._limit = time.process_time(), seconds
        self._errors: dict[str, float] = {}

    @property
    def n_scored(self) -> int:
        return len(self._errors)

    @property
    def seconds(self) -> float:
        return time.process_time() - self._started

    def score(self, skeletons: Sequence[Expression]) -> NDArray[np.float64]:
        """Relative error of each skeleton, infinite where it has no finite values."""
        return np.array([self._score(skeleton) for skeleton in skeletons], np.float64)

    def check(self) -> None:
        """End the search here if the time is used up."""
        if self.seconds >= self._limit:
            raise _Spent

    def _score(self, skeleton: Expression) -> float:
        key = canonical_key(skeleton)
        if key not in self._errors:
            self.check()
            form = canonical(skeleton)
            rss = sum(_powell(form, *self.sweep.group(g)) for g in range(self.sweep.n_groups))
            self._errors[key] = float(np.sqrt(rss / self.sweep.n_rows)) / self.sweep.spread
        return self._errors[key]


def _powell(form: Expression, X: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Sum of squares that Powell's method reaches from ones."""

    def rss(constants: NDArray[np.float64]) -> float:
        if not np.isfinite(constants).all():
            return NO_VALUES
        residual = evaluate(form.bind(constants), X) - y
        total = float(residual @ residual)
        return total if total < NO_VALUES else NO_VALUES  # NaN too

    with np.errstate(all="ignore"):
        reached = (
            rss(np.empty(0)) if form.n_open == 0 else float(minimize(rss, np.ones(form.n_open), method="Powell").fun)
        )
    return reached if reached < NO_VALUES else np.inf


@dataclass(frozen=True, slots=True)
class Pace:
    """Distinct skeletons in a time."""

    n_scored: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.n_scored / self.seconds


def measure_mcts(
    *, seconds: float = 20.0, seed: int = 0, n_rows: int = 200, search: MctsSearch | None = None
) -> dict[str, object]:
    """Skeletons per second of the search with compiled fits and with Powell, and their `ratio`.

    Powell gets `seconds`. `ratio` is over as long a time for both; `ratio_at_equal_count` lets the
    compiled fits stop at as many skeletons as Powell had, as the first ones are the smallest.
    """
    x = np.linspace(-1, 1, n_rows)
    sweep = Sweep.from_groups([x], [np.sin(x**2) * np.cos(x) - 1], names=["x"])
    chosen = search or MctsSearch.spl()
    _compiled(chosen, sweep, Budget(n_fits=100), seed)  # compile before the clock starts
    with one_core():
        powell = _with_powell(chosen, sweep, seconds, seed)
        timed = _compiled(chosen, sweep, Budget(seconds=seconds), seed)
        counted = _compiled(chosen, sweep, Budget(n_fits=powell.n_scored), seed)
    return {
        "law": LAW, "rows": n_rows, "seed": seed,
        "compiled": _as_json(timed), "powell": _as_json(powell), "compiled_at_equal_count": _as_json(counted),
        "ratio": timed.per_second / powell.per_second,
        "ratio_at_equal_count": counted.per_second / powell.per_second,
    }  # fmt: skip


def _with_powell(search: MctsSearch, sweep: Sweep, seconds: float, seed: int) -> Pace:
    scores = PowellScores(sweep, seconds)
    with suppress(_Spent):
        search.explore(scores, rng=np.random.default_rng(seed))
    return Pace(scores.n_scored, scores.seconds)


def _compiled(search: MctsSearch, sweep: Sweep, budget: Budget, seed: int) -> Pace:
    scorer = Scorer(sweep, budget, effort=search.effort, clock=time.process_time)
    with scorer.running():
        search.explore(scorer, rng=np.random.default_rng(seed))
    return Pace(scorer.n_scored, scorer.seconds)


def _as_json(pace: Pace) -> dict[str, float]:
    return {"skeletons": pace.n_scored, "seconds": pace.seconds, "skeletons_per_second": pace.per_second}
