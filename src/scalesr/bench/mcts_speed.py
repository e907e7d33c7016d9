"""How many distinct skeletons the tree search scores per second, next to itself with SciPy's Powell.

Both run the same search from the same seed on the same curve, in one thread, and both know the
canonical form, so that no skeleton is scored twice. As in SPL, Powell's method runs once from ones
on the constants of the candidate as written; beside it stands the same on the canonical form, which
has fewer constants: what canonical forms alone save, and what the compiled fit does.
Seconds are those of the processor, so that a busy machine changes little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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

    def __init__(self, sweep: Sweep, seconds: float, *, form: Callable[[Expression], Expression]) -> None:
        self.sweep = sweep
        self.stage = ""
        self._form = form  # what is fitted for a skeleton
        self._limit = seconds
        self._started: float | None = None  # with the first score
        self._errors: dict[str, float] = {}

    @property
    def n_scored(self) -> int:
        return len(self._errors)

    @property
    def seconds(self) -> float:
        return 0.0 if self._started is None else time.process_time() - self._started

    def score(self, skeletons: Sequence[Expression]) -> NDArray[np.float64]:
        """Relative error of each skeleton, infinite where it has no finite values."""
        if self._started is None:
            self._started = time.process_time()
        return np.array([self._score(skeleton) for skeleton in skeletons], np.float64)

    def check(self) -> None:
        """End the search here if the time is used up."""
        if self.seconds >= self._limit:
            raise _Spent

    def _score(self, skeleton: Expression) -> float:
        key = canonical_key(skeleton)
        if key not in self._errors:
            self.check()
            form = self._form(skeleton)
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

    def as_json(self) -> dict[str, float]:
        """The pace with keys that say what was measured."""
        return {"skeletons": self.n_scored, "seconds": self.seconds, "skeletons_per_second": self.per_second}


def measure_mcts(
    *, seconds: float = 20.0, seed: int = 0, n_rows: int = 200, search: MctsSearch | None = None
) -> dict[str, object]:
    """Skeletons per second of the search with compiled fits and with Powell, and their `ratio`.

    Every run gets `seconds`. The first formulas are the smallest, and the compiled fits go far beyond
    them in that time; `at_equal_count` has their pace over as many as Powell scored.
    """
    x = np.linspace(-1, 1, n_rows)
    sweep = Sweep.from_groups([x], [np.sin(x**2) * np.cos(x) - 1], names=["x"])
    chosen = search or MctsSearch()
    _compiled(chosen, sweep, Budget(n_fits=100), seed)  # compile before the clock starts
    with one_core():
        ours = _compiled(chosen, sweep, Budget(seconds=seconds), seed)
        written = _with_powell(chosen, PowellScores(sweep, seconds, form=_as_written), seed)
        reduced = _with_powell(chosen, PowellScores(sweep, seconds, form=canonical), seed)
        counted = [_compiled(chosen, sweep, Budget(n_fits=powell.n_scored), seed) for powell in (written, reduced)]
    return {
        "law": LAW, "rows": n_rows, "seed": seed, "compiled": ours.as_json(),
        "powell": written.as_json(), "powell_on_canonical_forms": reduced.as_json(),
        "ratio": ours.per_second / written.per_second,
        "ratio_at_equal_count": counted[0].per_second / written.per_second,
        "ratio_on_canonical_forms": ours.per_second / reduced.per_second,
        "ratio_on_canonical_forms_at_equal_count": counted[1].per_second / reduced.per_second,
    }  # fmt: skip


def _as_written(skeleton: Expression) -> Expression:
    return skeleton


def _with_powell(search: MctsSearch, scores: PowellScores, seed: int) -> Pace:
    with suppress(_Spent):
        search.explore(scores, rng=np.random.default_rng(seed))
    return Pace(scores.n_scored, scores.seconds)


def _compiled(search: MctsSearch, sweep: Sweep, budget: Budget, seed: int) -> Pace:
    scorer = Scorer(sweep, budget, effort=search.effort, clock=time.process_time)
    with scorer.running():
        search.explore(scorer, rng=np.random.default_rng(seed))
    return Pace(scorer.n_scored, scorer.seconds)
