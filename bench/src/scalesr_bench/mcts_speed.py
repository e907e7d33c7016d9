"""How many distinct skeletons the tree search scores per second, next to itself with SciPy's Powell.

Both run the same search from the same seed on the same curve, in one thread. Both are counted alike:
families of functions, told apart by their canonical keys, whose constants were fitted by least squares
to the few rows on which the search judges its formulas. A family counts once. What the compiled search
does besides, the full fits of its best to all rows, is in its time and not in its count; Powell's
method is spared it. As in SPL it runs once from ones on the constants of the candidate as written;
beside it stands the same on the canonical form, which has fewer constants: what canonical forms alone
save, and what the compiled fit does.

The first formulas are the smallest, and the compiled fits go far beyond them in the same time. So
Powell is also timed on a sample of the very candidates that the compiled search scored.
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

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr.search.mcts import MctsSearch
from scalesr.search.mcts.families import Family
from scalesr.search.mcts.screen import QuickFits, few_rows
from scalesr.search.scoring import Scorer
from scalesr_bench.timing import one_core

NO_VALUES: Final = 1e30  # what Powell sees where a formula has no finite values
LAW: Final = "sin(x^2)*cos(x) - 1"
COUNTED: Final = (
    "distinct canonical keys whose constants were fitted by least squares to the same few rows; full fits of the "
    "best to all rows take time on the compiled side and count nothing"
)

Floats = NDArray[np.float64]
Written = Callable[[Family], Expression]  # the skeleton of a family that is fitted


class _Spent(Exception):
    """The time is used up."""


class PowellScores:
    """Scores and screens by SciPy's Powell from ones, one skeleton after the other, until the time is used up."""

    stop = None  # the time that it is given is all

    def __init__(self, sweep: Sweep, seconds: float, *, form: Written = Family.written) -> None:
        self.sweep, self.few = sweep, few_rows(sweep)
        self.stage = ""
        self.n_scored = 0
        self._form, self._limit = form, seconds
        self._started: float | None = None  # with the first fit
        self._rss: dict[Expression, float] = {}

    @property
    def seconds(self) -> float:
        return 0.0 if self._started is None else time.process_time() - self._started

    def fitted(self, families: Sequence[Family]) -> tuple[list[Expression], Floats]:
        """Of each family its skeleton, and the sum of squares on few rows, infinite without finite values."""
        if self._started is None:
            self._started = time.process_time()
        forms = [self._form(family) for family in families]
        return forms, np.array([self._fit(form) for form in forms], np.float64)

    def score(self, skeletons: Sequence[Expression]) -> Floats:
        """Relative error of each skeleton on few rows, once more."""
        totals = np.array([self._rss[skeleton] for skeleton in skeletons], np.float64)
        return np.asarray(np.sqrt(totals / self.few.n_rows) / self.few.std)

    def error_of(self, key: str) -> float | None:  # noqa: ARG002  the search asks only for what is new to it
        """Nothing is known from elsewhere."""
        return None

    def count(self, n_fits: int, *, n_screened: int) -> None:
        """Fits are counted as they are made."""

    def check(self) -> None:
        """End the search here if the time is used up."""
        if self.seconds >= self._limit:
            raise _Spent

    def _fit(self, form: Expression) -> float:
        self.check()
        rss = sum(_powell(form, *self.few.group(g)) for g in range(self.few.n_groups))
        self._rss[form] = rss
        self.n_scored += 1
        return rss


def _powell(form: Expression, X: Floats, y: Floats) -> float:
    """Sum of squares that Powell's method reaches from ones."""

    def rss(constants: Floats) -> float:
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


class _Remembering:
    """Quick fits that remember the families and their sums of squares."""

    def __init__(self, sweep: Sweep) -> None:
        self._fits = QuickFits(few_rows(sweep))
        self.families: list[Family] = []
        self.rss: list[float] = []

    def fitted(self, families: Sequence[Family]) -> tuple[list[Expression], Floats]:
        forms, rss = self._fits.fitted(families)
        self.families += families
        self.rss += rss.tolist()
        return forms, rss


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
    """Skeletons per second of the search with compiled fits and with Powell, and their `ratio`; `seconds` a run."""
    x = np.linspace(-1, 1, n_rows)
    sweep = Sweep.from_groups([x], [np.sin(x**2) * np.cos(x) - 1], names=["x"])
    chosen = search or MctsSearch()
    _compiled(chosen, sweep, Budget(n_fits=100), seed)  # compile before the clock starts
    with one_core():
        ours, met = _compiled(chosen, sweep, Budget(seconds=seconds), seed)
        written = _with_powell(chosen, PowellScores(sweep, seconds), seed)
        reduced = _with_powell(chosen, PowellScores(sweep, seconds, form=Family.representative), seed)
        sampled, no_worse = _on_a_sample(met, PowellScores(sweep, seconds), seed)
    return {
        "law": LAW, "rows": n_rows, "rows_of_each_fit": few_rows(sweep).n_rows, "seed": seed, "counted": COUNTED,
        "compiled": ours.as_json(), "powell": written.as_json(), "powell_on_canonical_forms": reduced.as_json(),
        "powell_on_a_sample_of_the_compiled_searchs_candidates": sampled.as_json(),
        "share_of_the_sample_with_a_compiled_fit_no_worse": no_worse,
        "ratio": ours.per_second / written.per_second,
        "ratio_on_canonical_forms": ours.per_second / reduced.per_second,
        "ratio_on_the_same_candidates": ours.per_second / sampled.per_second,
    }  # fmt: skip


def _with_powell(search: MctsSearch, scores: PowellScores, seed: int) -> Pace:
    with suppress(_Spent):
        search.explore(scores, rng=np.random.default_rng(seed), screen=scores)
    return Pace(scores.n_scored, scores.seconds)


def _on_a_sample(met: _Remembering, scores: PowellScores, seed: int) -> tuple[Pace, float]:
    """Powell's pace on candidates drawn from those met, and how often the compiled fit was as good or better."""
    n_no_worse = 0
    with suppress(_Spent):
        for place in np.random.default_rng(seed).permutation(len(met.families)).tolist():
            _, (rss,) = scores.fitted([met.families[place]])
            n_no_worse += met.rss[place] <= 1.001 * rss or met.rss[place] == rss
    return Pace(scores.n_scored, scores.seconds), n_no_worse / max(scores.n_scored, 1)


def _compiled(search: MctsSearch, sweep: Sweep, budget: Budget, seed: int) -> tuple[Pace, _Remembering]:
    scorer, screen = Scorer(sweep, budget, effort=search.effort, clock=time.process_time), _Remembering(sweep)
    with scorer.running():
        search.explore(scorer, rng=np.random.default_rng(seed), screen=screen)
    return Pace(scorer.n_scored, scorer.seconds), screen
