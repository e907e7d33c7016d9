"""ExternalSearch: any regressor with `fit` that can show its formulas, behind our interface.

The regressor sees one table: that of the group whose y has the largest standard deviation. Every formula it
shows is opened, its numbers forgotten, and fitted again by our own least squares to all groups, so
that it is ranked as those of the other searches are. Weights of rows count in that fit and in the
ranking; the regressor itself is not told them.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from importlib.util import find_spec
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import MissingExtra
from scalesr.expr.expression import Expression, apply, join, open_constant, variable
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.simplify import simplify
from scalesr.kernels.codes import ADD, NEG, SUB, VARIABLE
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.pruning import prune
from scalesr.search.scoring import Scorer
from scalesr_bench.adapters.config import EXTERNAL

Floats = NDArray[np.float64]
Part = tuple[Expression, list[Expression]]  # a subtree, and what is asked about it


class Regressor(Protocol):
    """What a regressor has to offer."""

    def fit(self, X: Any, y: Any) -> Any:
        """Learn from a table (rows, columns) and a target."""
        ...

    def predict(self, X: Any) -> Any:
        """Values on another table."""
        ...


R = TypeVar("R", bound=Regressor)


@dataclass(frozen=True, slots=True)
class ExternalSearch(Generic[R]):
    """A search by someone else's regressor.

    `regressor_factory(seed, seconds)` makes one, with a time limit or None; `to_expressions` reads
    the formulas of a fitted one, over variables 0, 1, ...; `go_on(regressor, n_rounds)`, where there
    is one, prepares a regressor for another round of `fit` and answers whether there is to be one.
    After a round its formulas are scored and the budget is looked at: no round is begun that would not
    end in time if it took as long as the last. Within a round the time limit is honoured as far as
    the regressor does.
    """

    regressor_factory: Callable[[int, float | None], R]
    to_expressions: Callable[[R], Sequence[Expression]]
    go_on: Callable[[R, int], bool] | None = None
    name: str = "external regressor"
    n_threads: int = 1

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank the opened formulas of all rounds."""
        clock = _Clock()
        scorer = Scorer(sweep, budget, progress=progress, n_threads=self.n_threads, clock=clock)
        scorer.stage = self.name
        with scorer.running():
            scorer.score([open_constant()])
            scorer.check()
            seconds = None if budget.seconds is None else EXTERNAL.fit_share * (budget.seconds - scorer.seconds)
            regressor = self.regressor_factory(int(rng.integers(2**31)), seconds)
            started = scorer.seconds
            for formulas in self._rounds(regressor, *_widest(sweep)):
                with clock.stopped():  # a round that ends too late has something to show all the same
                    scorer.score([one for formula in formulas[:1] for one in _scorable(formula, sweep)])
                for formula in formulas[1:]:  # one by one: some are so long that each deserves a look at the clock
                    scorer.score(_scorable(formula, sweep))
                prune(scorer, n_best=1)
                scorer.check(ahead=scorer.seconds - started)
                started = scorer.seconds
        return scorer.ranking()

    def _rounds(self, regressor: R, X: Floats, y: Floats) -> Iterator[Sequence[Expression]]:
        for n_rounds in count(1):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of someone else's numerics; our fits decide
                regressor.fit(X, y)
            yield self.to_expressions(regressor)
            if self.go_on is None or not self.go_on(regressor, n_rounds):
                return


class _Clock:
    """The time, which can be stopped at the beginning."""

    def __init__(self) -> None:
        self._started, self._is_stopped = time.monotonic(), False

    def __call__(self) -> float:
        return self._started if self._is_stopped else time.monotonic()

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """A block during which no time passes."""
        self._is_stopped = True
        try:
            yield
        finally:
            self._is_stopped = False


def has_package(package: str) -> bool:
    """Whether a package is installed."""
    return find_spec(package) is not None


def require(package: str) -> None:
    """Refuse to go on without a package that comes with an extra."""
    if not has_package(package):
        raise MissingExtra(f"This search needs {package}: pip install 'scalesr-bench[rivals]'")


def opened(formula: Expression) -> list[Expression]:
    """Skeletons of a formula: its own, and with a coefficient and an offset for the whole and for every term.

    A regressor without constants of its own would otherwise have none to fit.
    """
    skeleton = simplify(formula).skeleton()
    return [skeleton, _weighted([skeleton, open_constant()]), _weighted([*_terms(skeleton), open_constant()])]


def _weighted(terms: Sequence[Expression]) -> Expression:
    """The sum of the terms, each with a coefficient; a constant where there are none."""
    weighted = [apply("*", open_constant(), term) for term in terms] or [open_constant()]
    return reduce(lambda left, right: apply("+", left, right), weighted)


def _terms(skeleton: Expression) -> list[Expression]:
    """The summands at the top of a skeleton, without their signs."""

    def node(node: Node, kids: list[Part]) -> Part:
        whole = join(node.code, [part for part, _ in kids], power=node.power)
        is_sum = node.code in (ADD, SUB, NEG)
        return whole, [term for _, terms in kids for term in terms] if is_sum else [whole]

    return fold(skeleton, lambda leaf: (_leaf(leaf), [_leaf(leaf)]), node)[1]


def _leaf(leaf: Leaf) -> Expression:
    return variable(leaf.index) if leaf.code == VARIABLE else open_constant()


def _scorable(formula: Expression, sweep: Sweep) -> list[Expression]:
    """Skeletons of a formula, those without more constants than the rows of a group determine."""
    n_rows = int(np.diff(sweep.row_starts).min())
    return [one for one in opened(formula) if one.n_open < n_rows]


def _widest(sweep: Sweep) -> tuple[Floats, Floats]:
    """Table and target of the group with the largest standard deviation; an immoderate target is scaled to about 1."""
    X, y = max((sweep.group(g) for g in range(sweep.n_groups)), key=lambda pair: float(np.std(pair[1])))
    scale = float(np.sqrt(np.mean((y / (np.abs(y).max() or 1.0)) ** 2)) * np.abs(y).max())
    is_moderate = scale == 0 or 1 / EXTERNAL.moderate_target <= scale <= EXTERNAL.moderate_target
    return np.ascontiguousarray(X), y if is_moderate else y / scale
