"""Refit: the constants of proposed laws, decided by the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.criterion import structure_length
from scalesr.evidence.score import Evidence, are_exponents, exponents_cost
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, Fit, Fits, fit, fit_grid
from scalesr.expr.logarithms import with_joined_logarithms
from scalesr.expr.magnitudes import without_needless_abs
from scalesr.expr.operators import Operators
from scalesr.expr.phases import with_small_phases
from scalesr.expr.redundancy import redundant_constants, remove_redundant
from scalesr.expr.signs import with_plain_signs
from scalesr.expr.simpler import cleared
from scalesr.expr.simplify import simplify
from scalesr.expr.threads import Watch
from scalesr.kernels.codes import ABS, ADD, CONSTANT, DIV, MUL, NEG, OPEN, POWI, SUB, VARIABLE
from scalesr.records.dataset import Dataset
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]

ALWAYS = (VARIABLE, CONSTANT, OPEN, ADD, SUB, MUL, DIV, NEG, POWI)  # leaves and arithmetic
POLISH = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=12)  # of constants that are nearly right
WARM = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=100)
NEAR_WHOLE = 0.15  # of a constant: how far it may be from a whole number to be tried there
_ROWS_SEED = 4718  # of the choice of rows: the same table always gets the same ones
_WORSE = 1.0 + 1e-9  # residuals closer than this are the same


@dataclass(frozen=True, eq=False)
class FitData:
    """A dataset as fits take it: all of its rows, and a random few where there are many."""

    data: Dataset
    operators: Operators | None = None  # that a shortened formula may use besides those it has; None: all
    judged: Dataset | None = None  # rows that laws are compared on, with the user's own weights; None: `data`
    watch: Watch | None = None  # that long fits look at, and are counted by

    @cached_property
    def weights(self) -> Floats | None:
        """Weights with a mean of 1, so that a weighted sum of squares over the rows is a mean."""
        given = self.data.weights
        return None if given is None else given / given.mean()

    @cached_property
    def few(self) -> FitData:
        return self.thinned(EVIDENCE.first_fit_rows)

    def thinned(self, n_rows: int) -> FitData:
        """At most this many rows, chosen at random."""
        if self.data.n_rows <= n_rows:
            return self
        judged = None if self.judged is None else _some(self.judged, n_rows)
        return FitData(_some(self.data, n_rows), self.operators, judged, self.watch)

    def shortened(self, expr: Expression) -> Expression:
        """The formula as short as the rules make it; a large one without the zeros and ones in it."""
        return self.tidied(expr) if expr.n_nodes <= EVIDENCE.quickly_shortened else cleared(expr)

    def tidied(self, expr: Expression) -> Expression:
        """The formula in its shortest and plainest form on these rows that needs no other operators."""
        near = with_small_phases(expr)
        shorter = simplify(near)
        if ABS in shorter.codes:
            shorter = simplify(without_needless_abs(shorter, self.data.table))
        shorter, plain = (with_joined_logarithms(one) for one in (simplify(with_plain_signs(shorter)), cleared(near)))
        if _price(plain) < _price(shorter):  # the rules write products of sums out
            return plain
        if self.operators is None:
            return shorter
        known = {*expr.codes.tolist(), *ALWAYS, *self.operators.codes}
        return shorter if known.issuperset(shorter.codes.tolist()) else plain

    @cached_property
    def sweep(self) -> Sweep:
        return self.data.sweep()

    def residual(self, expr: Expression) -> Floats:
        """What a law leaves of each row, times the root of the row's weight."""
        left = self.data.y - evaluate(expr, self.data.table)
        return left if self.weights is None else left * np.sqrt(self.weights)

    @cached_property
    def evidence(self) -> Evidence:
        return Evidence(self.judged or self.data)

    def score(self, done: Fit) -> float:
        """What a law costs on these rows, in nats: the less, the better."""
        return self.evidence.score(done).total

    def loss(self, expr: Expression) -> float:
        """Mean squared error of a closed formula, infinite where it has no value on some row."""
        with np.errstate(all="ignore"):
            residual = self.data.y - evaluate(expr, self.data.table)
            squares = residual**2 if self.weights is None else self.weights * residual**2
            mean = float(squares.mean()) if len(squares) else 0.0
        return mean if np.isfinite(mean) else np.inf

    def fit(self, skeleton: Expression, *, start: Floats | None = None, effort: Effort | None = None) -> Fit:
        """Fit one skeleton, from one warm start or from starts of the fit's own."""
        return fit(
            skeleton, self.data.table, self.data.y, weights=self.weights,
            starts=None if start is None else start[np.newaxis], effort=effort, watch=self.watch,
        )  # fmt: skip

    def fit_all(self, skeletons: Sequence[Expression], starts: Sequence[Floats], effort: Effort = WARM) -> Fits:
        """Fit many skeletons, each from one warm start."""
        guesses = np.zeros((len(skeletons), 1, max((len(skeleton.constants) for skeleton in skeletons), default=0)))
        for place, start in enumerate(starts):
            guesses[place, 0, : len(start)] = start
        roots = np.empty(0) if self.weights is None else np.sqrt(self.weights)
        ends = np.array([0, self.data.n_rows])
        return fit_grid(skeletons, self.data.columns, ends, self.data.y, roots, guesses, effort, watch=self.watch)


def refit(expr: Expression, rows: FitData) -> Fit | None:
    """The best fit found of a closed formula's form to a few rows; None where it has no values.

    Every constant becomes open and starts from its value, from starts of the fit's own, and from
    the whole number it is near, which may lie on the other side of a pole. Integer powers belong
    to the form.
    """
    skeleton = expr.skeleton()
    best = rows.few.fit(skeleton, start=expr.constants, effort=WARM)
    for start in (_rounded, _own):
        if skeleton.n_open and not _is_perfect(best, rows):
            other = start(best if best.ok else None, expr, rows)
            best = other if other is not None and other.ok and not (best.ok and best.rss <= other.rss) else best
    return without_redundant(best, rows) if best.ok else None


def _own(_: Fit | None, expr: Expression, rows: FitData) -> Fit:
    return rows.few.fit(expr.skeleton())


def _rounded(done: Fit | None, expr: Expression, rows: FitData) -> Fit | None:
    """A fit with whole numbers in the place of constants near one, then with all constants open."""
    values = expr.constants if done is None else done.constants
    whole = {
        place: float(round(value))
        for place, value in enumerate(values.tolist())
        if 0 < abs(value - round(value)) < NEAR_WHOLE * abs(value) < 1
    }
    if not whole:
        return None
    kept = [value for place, value in enumerate(values.tolist()) if place not in whole]
    some = rows.few.fit(fixed(expr.skeleton(), whole), start=np.array(kept), effort=WARM)
    return rows.few.fit(expr.skeleton(), start=some.expression.constants, effort=WARM) if some.ok else None


def fixed(skeleton: Expression, values: Mapping[int, float]) -> Expression:
    """A skeleton with some of its open constants, counted from the left, closed."""
    codes, constants = skeleton.codes.copy(), skeleton.constants.copy()
    nodes = np.flatnonzero(skeleton.codes == OPEN)
    for place, value in values.items():
        codes[nodes[place]] = CONSTANT
        constants[skeleton.args[nodes[place]]] = value
    return Expression(codes, skeleton.args, constants)


def polished(done: Fit, rows: FitData) -> Fit:
    """A fit to a few rows, continued on all of them."""
    if rows.few is rows:
        return done
    return rows.fit(done.skeleton, start=done.constants, effort=POLISH)


def without_redundant(done: Fit, rows: FitData) -> Fit:
    """The same fit with as many constants as the rows can tell apart, if it can be written so."""
    if done.rank == len(done.constants):
        return done
    shorter = rows.shortened(done.expression)
    again = rows.few.fit(shorter.skeleton(), start=shorter.constants, effort=WARM)
    done = again if _replaces(again, done, rows) else done
    if done.rank == len(done.constants):
        return done
    table = rows.few.data.table[: 4 * len(done.constants) + 60]
    fewer = remove_redundant(done.skeleton, table, constants=done.constants)
    kept = np.delete(done.constants, redundant_constants(done.skeleton, table))
    tries = [rows.few.fit(fewer)]
    if len(kept) == fewer.n_open:
        tries.append(rows.few.fit(fewer, start=kept))
    again = min(tries, key=lambda one: one.rss if one.ok else np.inf)
    return again if _replaces(again, done, rows) else done


def _price(writing: Expression) -> tuple[int, float]:
    """What tells ways to write one law apart: their constants besides exponents, then the cost of all else."""
    is_constant = (writing.codes == CONSTANT) & ~are_exponents(writing)
    return int(np.count_nonzero(is_constant)), structure_length(writing) + exponents_cost(writing)


def _some(data: Dataset, n_rows: int) -> Dataset:
    """At most this many rows, the same for the same table."""
    if data.n_rows <= n_rows:
        return data
    return data.rows(np.sort(np.random.default_rng(_ROWS_SEED).choice(data.n_rows, n_rows, replace=False)))


def _replaces(again: Fit, done: Fit, rows: FitData) -> bool:
    """Whether a fit with fewer constants is as good."""
    fewer = len(again.constants) < len(done.constants)
    return fewer and again.ok and again.rss <= done.rss * _WORSE + _rounding_share(rows)


def _is_perfect(done: Fit, rows: FitData) -> bool:
    return done.ok and done.rss <= _rounding_share(rows)


def _rounding_share(rows: FitData) -> float:
    """A sum of squares below which a residual is rounding error."""
    y = rows.few.data.y
    return 1e-26 * float(y @ y)
