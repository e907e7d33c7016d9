"""Distinct skeletons that searches really score until they have the law, on formulas that can be run.

A sampled formula can be run where all its values on a random table are finite, moderate and not
constant; its constants are drawn between 1 and 3. A search that has not found the law after `cap`
skeletons is censored: it needs more than that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr import pipeline
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict
from scalesr.records.interfaces import Search
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.default import DefaultSearch
from scalesr.search.mcts import MctsSearch
from scalesr_bench.analysis.decompose import chain
from scalesr_bench.analysis.study import Sampled

Floats = NDArray[np.float64]

N_ROWS: Final = 1000
ROWS_OF_A_SEARCH: Final = 200
BOX: Final = (1.0, 3.0)  # of variables and constants
LARGEST: Final = 1e6
N_DRAWS: Final = 20  # of the constants of a curve, until it has values
FOUND: Final = 1e-9  # relative error at which the law is found


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """Distinct skeletons scored for one formula; `censored` where the law was not found."""

    way: str
    complexity: int
    n_scored: int
    censored: bool


@dataclass(frozen=True, slots=True, eq=False)
class Runnable:
    """A formula with numbers for its constants, and a table of it."""

    complexity: int
    tree: Expression
    closed: Expression
    X: Floats
    y: Floats


def runnable(equations: Iterable[Sampled], *, rng: np.random.Generator) -> list[Runnable]:
    """Those of the formulas that can be run."""
    made = (_with_numbers(equation.complexity, equation.tree, rng) for equation in equations)
    return [one for one in made if one is not None]


def effort_of_tree_search(one: Runnable, *, cap: int, seconds: float, rng: np.random.Generator) -> SearchEffort:
    """MCTS over all variables at once."""
    found = _search(one.X[:ROWS_OF_A_SEARCH], one.y[:ROWS_OF_A_SEARCH], cap, seconds, rng)
    return SearchEffort("mcts", one.complexity, *found)


def effort_of_chain(one: Runnable, *, cap: int, seconds: float, rng: np.random.Generator) -> SearchEffort:
    """MCTS for each formula in one variable on the way, with exact curves: the paper's method without its errors."""
    total = 0
    for step in chain(one.tree, one.X.shape[1]):
        if not step.skeleton.variables:
            continue  # this variable is not in it
        draws = (_with_numbers(0, step.skeleton, rng, n_variables=1) for _ in range(N_DRAWS))
        curve = next((curve for curve in draws if curve is not None), None)
        if curve is None:
            return SearchEffort("mcts, control variables", one.complexity, total, True)
        n_scored, is_censored = _search(curve.X[:ROWS_OF_A_SEARCH], curve.y[:ROWS_OF_A_SEARCH], cap, seconds, rng)
        total += n_scored
        if is_censored:  # the law needs this formula
            return SearchEffort("mcts, control variables", one.complexity, total, True)
    return SearchEffort("mcts, control variables", one.complexity, total, False)


def effort_of_default(one: Runnable, *, seconds: float, rng: np.random.Generator) -> SearchEffort:
    """Our default without sparse laws: what its searches in one variable score. Sparse linear fits do not count."""
    counting = Counting(DefaultSearch(operators=Operators("physics")))
    settings = Settings(time_limit=seconds, plain_laws=False, search=counting)
    found = pipeline.discover(Dataset.from_table(one.X, one.y), settings, rng=rng)
    return SearchEffort("default", one.complexity, counting.n_scored, found.verdict is not Verdict.EXACT)


@dataclass(slots=True)
class Counting:
    """A search that adds up the distinct skeletons it scores."""

    inner: Search
    n_scored: int = field(default=0)

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank skeletons as the inner search does."""
        ranking = self.inner.search(sweep, budget, rng=rng, progress=progress)
        self.n_scored += ranking.n_scored
        return ranking


def _search(X: Floats, y: Floats, cap: int, seconds: float, rng: np.random.Generator) -> tuple[int, bool]:
    """Distinct skeletons until the law is found, and whether it was not."""
    search = replace(MctsSearch(operators=Operators("paper")), coefficients=False)
    budget = Budget(seconds=seconds, target_error=FOUND, n_fits=cap)
    ranking = search.search(Sweep.from_groups([X], [y], noise=0.0), budget, rng=rng)
    is_found = ranking.best is not None and ranking.best.error <= FOUND
    return ranking.n_scored, not is_found


def _with_numbers(
    complexity: int, tree: Expression, rng: np.random.Generator, *, n_variables: int = 4
) -> Runnable | None:  # fmt: skip
    """A table of a formula, or None where it has none that is worth a search."""
    closed = tree.skeleton().bind(rng.uniform(*BOX, tree.n_open))
    X = rng.uniform(*BOX, (N_ROWS, n_variables))
    with np.errstate(all="ignore"):
        y = evaluate(closed, X)
    if not np.isfinite(y).all() or np.abs(y).max() > LARGEST or np.ptp(y) <= 1e-9 * np.abs(y).max():
        return None
    return Runnable(complexity, tree, closed, X, y)
