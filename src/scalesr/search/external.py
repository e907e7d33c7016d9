"""ExternalSearch: any regressor with `fit` that can show its formulas, behind our interface.

The regressor sees one table: that of the group whose y has the largest spread. Every formula it
shows is opened, its numbers forgotten, and fitted again by our own least squares to all groups, so
that it is ranked as those of the other searches are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import MissingExtra
from scalesr.expr.expression import Expression, apply, open_constant
from scalesr.expr.fold import Leaf, Node, fold
from scalesr.expr.simplify import simplify
from scalesr.kernels.codes import ADD, CONSTANT, NEG, OPEN, SUB
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.scoring import Scorer

Floats = NDArray[np.float64]

MODERATE = 1e6  # a target larger than this, or smaller than one over it, is scaled for the regressor


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
    the formulas of a fitted one, over variables 0, 1, ...; `go_on`, where there is one, prepares a
    fitted regressor for another round of `fit` and answers whether there is to be one. Between
    rounds the formulas so far are scored and the budget is looked at; within a round the time limit
    is honoured as far as the regressor does.
    """

    regressor_factory: Callable[[int, float | None], R]
    to_expressions: Callable[[R], Sequence[Expression]]
    go_on: Callable[[R], bool] | None = None
    name: str = "external regressor"
    n_threads: int = 1

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank the opened formulas of all rounds."""
        scorer = Scorer(sweep, budget, progress=progress, n_threads=self.n_threads)
        scorer.stage = self.name
        with scorer.running():
            scorer.score([open_constant()])
            scorer.check()
            seconds = None if budget.seconds is None else budget.seconds - scorer.seconds
            regressor = self.regressor_factory(int(rng.integers(2**31)), seconds)
            for formulas in self._rounds(regressor, *_widest(sweep)):
                scorer.score(_scorable(formulas, sweep))
                scorer.check()
        return scorer.ranking()

    def _rounds(self, regressor: R, X: Floats, y: Floats) -> Iterator[Sequence[Expression]]:
        wanted = True
        while wanted:
            regressor.fit(X, y)
            yield self.to_expressions(regressor)
            wanted = self.go_on is not None and self.go_on(regressor)


def require(package: str) -> None:
    """Refuse to go on without a package that comes with an extra."""
    if find_spec(package) is None:
        raise MissingExtra(f"This search needs {package}: pip install 'scalesr[rivals]'")


def opened(formula: Expression) -> list[Expression]:
    """Skeletons of a formula: its own, and with a coefficient and an offset for the whole and for every term.

    A regressor without constants of its own would otherwise have none to fit.
    """
    skeleton = simplify(formula).skeleton()
    offset = open_constant()
    whole = apply("+", apply("*", open_constant(), skeleton), offset)
    by_term = offset
    for term in _terms(skeleton):
        by_term = apply("+", by_term, apply("*", open_constant(), term))
    return [skeleton, whole, by_term]


def _terms(expr: Expression) -> list[Expression]:
    """The summands at the top of a formula, without their signs."""

    def leaf(leaf: Leaf) -> tuple[int, list[tuple[int, int]]]:
        return 1, [(0, 1)]

    def node(node: Node, kids: list[tuple[int, list[tuple[int, int]]]]) -> tuple[int, list[tuple[int, int]]]:
        """Length of a subtree and its summands, as places (start, end) within it."""
        length = 1 + sum(size for size, _ in kids)
        if node.code not in (ADD, SUB, NEG):
            return length, [(0, length)]
        places, start = [], 0
        for size, own in kids:
            places += [(start + first, start + last) for first, last in own]
            start += size
        return length, places

    _, places = fold(expr, leaf, node)
    return [_slice(expr, start, end) for start, end in places]


def _slice(expr: Expression, start: int, end: int) -> Expression:
    """The subtree that is written from `start` to `end`."""
    codes, args = expr.codes[start:end], expr.args[start:end].copy()
    is_constant = np.isin(codes, (CONSTANT, OPEN))
    values = expr.constants[args[is_constant]]
    args[is_constant] = np.arange(len(values))
    return Expression.from_arrays(codes, args, values)


def _scorable(formulas: Sequence[Expression], sweep: Sweep) -> list[Expression]:
    """Skeletons of formulas, those without more constants than the rows of a group can tell."""
    n_rows = int(np.diff(sweep.row_starts).min())
    return [one for formula in formulas for one in opened(formula) if one.n_open < n_rows]


def _widest(sweep: Sweep) -> tuple[Floats, Floats]:
    """Table and target of the group with the largest spread; an immoderate target is scaled to about 1."""
    X, y = max((sweep.group(g) for g in range(sweep.n_groups)), key=lambda pair: float(np.std(pair[1])))
    scale = float(np.sqrt(np.mean((y / (np.abs(y).max() or 1.0)) ** 2)) * np.abs(y).max())
    is_moderate = scale == 0 or 1 / MODERATE <= scale <= MODERATE
    return np.ascontiguousarray(X), y if is_moderate else y / scale
