"""Smooth: functions without a formula in the empty holes of a frame, fitted jointly with everything that is open in it.

Each hole is a sum of splines of its arguments. The law need not be linear in them: the fit is by Gauss-Newton steps
through the frame, from several starts. What may move between holes without a change of the law is held by a small
ridge. The result is a first guess, good enough to tell a formula from its curve.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline

from scalesr.expr.evaluate import evaluate, evaluate_many, gradient
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import ROWS_PER_UNIT
from scalesr.expr.printing import to_text
from scalesr.expr.threads import Watch
from scalesr.polish.template.filling import Filling
from scalesr.polish.template.fitting import slopes_by_values
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

SPLINE_DEGREE: Final = 3
MOST_SPLINES: Final = {1: 14, 2: 7, 3: 5, 4: 4}  # along one argument, by the number of arguments
FEWEST_SPLINES: Final = SPLINE_DEGREE + 1  # a cubic
ROWS_PER_SPLINE: Final = 4
MOST_FITTED_ROWS: Final = 1500  # that are fitted to
SPLINE_RIDGE: Final = 1e-5  # of the size of the derivatives: what the rows do not determine stays where it began
N_STARTS: Final = 6
MAX_SPLINE_STEPS: Final = 40
LEAST_STEP: Final = 1e-7  # relative improvement below which steps end
GOOD: Final = 1e-3  # of the standard deviation: a start that gets there needs no other
LEAST_WEIGHT: Final = 1e-9  # of the largest: rows on which the law hardly depends on a hole say nothing of it
NO_FORMULAS: Final[Mapping[int, Expression]] = MappingProxyType({})
_DAMPING: Final = (1e-3, 1e-9, 1e9)  # of the first step, and its bounds


class SplineBasis(NamedTuple):
    """Splines of the arguments of a hole: products of one per argument."""

    knots: tuple[Floats, ...]  # of each argument

    def __call__(self, columns: Floats) -> Floats:  # (arguments, rows) -> (rows, splines)
        whole = np.ones((columns.shape[1], 1))
        for knots, column in zip(self.knots, columns, strict=True):
            inside = np.clip(column, knots[SPLINE_DEGREE], knots[-SPLINE_DEGREE - 1])
            own = BSpline.design_matrix(inside, knots, SPLINE_DEGREE).toarray()
            whole = (whole[:, :, np.newaxis] * own[:, np.newaxis, :]).reshape(len(whole), -1)
        return whole


@dataclass(frozen=True, eq=False)
class SplineFilling:
    """A filling whose empty holes are sums of splines, and how much of the rows that leaves."""

    filling: Filling
    bases: dict[int, SplineBasis]  # by hole
    weights: dict[int, Floats]  # of the splines of each hole
    loss: float  # mean square of what is left, by the weights of the rows

    @property
    def n_splines(self) -> int:
        """How many weights were fitted."""
        return sum(len(own) for own in self.weights.values())

    def told(self, hole: int, data: Dataset) -> Dataset | None:
        """What the rows say of a hole, to first order: its value there, moved by what is left over the slope.

        A row tells it once for each use of the hole. None where most rows say nothing.
        """
        frame = self.filling.frame
        with np.errstate(all="ignore"):
            table = self._with_values(data)
            law = self.filling.closed_law
            off, slopes = data.y - evaluate(law, table), gradient(law, table)
            parts = []
            for place, use in enumerate(frame.uses):
                if use.hole == hole:
                    own = slopes[:, frame.n_columns + place]
                    moved = table[:, frame.n_columns + place] + off / own
                    shares = own**2 * (1.0 if data.weights is None else data.weights)
                    parts.append((evaluate_many(use.arguments, data.table), moved, shares))
        columns, values, weights = (np.concatenate(piece, axis=-1) for piece in zip(*parts, strict=True))
        weights = weights / np.nanmax(weights)
        usable = np.isfinite(values) & np.isfinite(columns).all(axis=0) & (np.nan_to_num(weights) >= LEAST_WEIGHT)
        if np.count_nonzero(usable) * 2 < len(values):
            return None
        names = tuple(to_text(one, frame.names) for one in frame.arguments(hole))
        counted = None if np.ptp(weights[usable]) == 0 else weights[usable]
        return Dataset(np.ascontiguousarray(columns[:, usable]), values[usable], names, frame.title(hole), counted)

    def _with_values(self, data: Dataset) -> Floats:
        """The table with one more column per use of a hole: the function's values, nothing where it has a formula."""
        return _table(self.filling, self.bases, self.weights, data)


def smooth(
    begun: Filling,
    data: Dataset,
    *,
    rng: np.random.Generator,
    watch: Watch,
    near: Mapping[int, Expression] = NO_FORMULAS,
) -> SplineFilling | None:
    """Fit the empty holes of a filling; None where no start leads to a law with values on the rows.

    `near` are formulas of holes that the first start is close to.
    """
    some = data
    if data.n_rows > MOST_FITTED_ROWS:
        some = data.rows(np.sort(rng.choice(data.n_rows, MOST_FITTED_ROWS, replace=False)))
    empty = [hole for hole, part in enumerate(begun.parts) if part is None]
    bases = {hole: _basis(begun, hole, some, len(empty)) for hole in empty}
    scale = float(np.sqrt(np.average(some.y**2, weights=some.weights))) or 1.0
    best: SplineFilling | None = None
    for number in range(N_STARTS):
        guess = _start(begun, bases, scale, number, rng)
        if number == 0:
            known = {hole: _weights_near(form, begun, hole, bases[hole], some) for hole, form in near.items()}
            guess = _of(begun, bases, begun.values, guess.weights | known)
        found = _stepped(guess, some, watch)
        if found is not None and (best is None or found.loss < best.loss):
            best = found
        if best is not None and math.sqrt(best.loss) < GOOD * (some.std or 1.0):
            break
    return best


def _weights_near(form: Expression, begun: Filling, hole: int, basis: SplineBasis, data: Dataset) -> Floats:
    """The weights of splines that come closest to a formula of a hole's arguments."""
    use = next(use for use in begun.frame.uses if use.hole == hole)
    columns = evaluate_many(use.arguments, data.table)
    values = np.nan_to_num(evaluate(form, columns.T), posinf=0.0, neginf=0.0)
    return np.asarray(np.linalg.lstsq(basis(columns), values, rcond=None)[0])


def _size(basis: SplineBasis) -> int:
    return math.prod(len(knots) - SPLINE_DEGREE - 1 for knots in basis.knots)


def _basis(filling: Filling, hole: int, data: Dataset, n_empty: int) -> SplineBasis:
    """Splines with knots where the rows are; as many as these bear."""
    uses = [use for use in filling.frame.uses if use.hole == hole]
    with np.errstate(all="ignore"):
        columns = np.concatenate([evaluate_many(use.arguments, data.table) for use in uses], axis=1)
    n_arguments = len(columns)
    borne = (data.n_rows / ROWS_PER_SPLINE / n_empty) ** (1 / n_arguments)
    n_splines = int(np.clip(borne, FEWEST_SPLINES, MOST_SPLINES[n_arguments]))
    return SplineBasis(tuple(_knots(column[np.isfinite(column)], n_splines) for column in columns))


def _knots(column: Floats, n_splines: int) -> Floats:
    inner = np.quantile(column, np.linspace(0, 1, n_splines - SPLINE_DEGREE + 1)[1:-1]) if len(column) else np.empty(0)
    low, high = (float(column.min()), float(column.max())) if len(column) else (0.0, 1.0)
    high = high if high > low else low + 1.0
    inner = np.unique(inner[(inner > low) & (inner < high)])
    return np.concatenate([[low] * (SPLINE_DEGREE + 1), inner, [high] * (SPLINE_DEGREE + 1)])


def _start(
    begun: Filling, bases: dict[int, SplineBasis], scale: float, number: int, rng: np.random.Generator
) -> SplineFilling:
    """Every hole a constant or a slope: one first, then the size of the target, then anything."""
    weights = {}
    for hole, basis in bases.items():
        size = _size(basis)
        if number < 2:
            weights[hole] = np.full(size, 1.0 if number == 0 else scale)
        else:
            low, high = rng.normal(0, 1.0 if number % 2 else scale, 2).tolist()
            weights[hole] = np.linspace(low, high, size)
    shift = 0.0 if number < 2 else rng.normal(0, 0.5, len(begun.values))
    return _of(begun, bases, begun.values * np.exp(shift), weights)


def _of(begun: Filling, bases: dict[int, SplineBasis], values: Floats, weights: dict[int, Floats]) -> SplineFilling:
    return SplineFilling(begun.with_values(values), bases, weights, math.inf)


def _table(filling: Filling, bases: dict[int, SplineBasis], weights: dict[int, Floats], data: Dataset) -> Floats:
    columns = [*data.columns]
    for use in filling.frame.uses:
        if use.hole in bases:
            columns.append(bases[use.hole](evaluate_many(use.arguments, data.table)) @ weights[use.hole])
        else:
            columns.append(np.ones(data.n_rows))
    return np.column_stack(columns)


def _stepped(guess: SplineFilling, data: Dataset, watch: Watch) -> SplineFilling | None:
    """Damped Gauss-Newton steps until they bring no more."""
    filling, bases = guess.filling, guess.bases
    roots = np.ones(data.n_rows) if data.weights is None else np.sqrt(data.weights / data.weights.mean())
    uses = [(place, use) for place, use in enumerate(filling.frame.uses) if use.hole in bases]
    designs = {place: bases[use.hole](evaluate_many(use.arguments, data.table)) for place, use in uses}
    here = _left(guess, data, roots)
    if here is None:
        return None
    damping, before = _DAMPING[0], float(here @ here)
    for _ in range(MAX_SPLINE_STEPS):
        watch.check()
        watch.spend(data.n_rows / ROWS_PER_UNIT)
        slopes = _slopes(guess, data, designs) * roots[:, np.newaxis]
        lengths = np.linalg.norm(slopes, axis=0) + SPLINE_RIDGE * np.linalg.norm(slopes)
        held = SPLINE_RIDGE * float(np.linalg.norm(slopes) / math.sqrt(slopes.shape[1]) or 1.0)
        step = _step(slopes, here, lengths, damping, held)
        trial = _moved(guess, step)
        after = _left(trial, data, roots)
        reached = math.inf if after is None else float(after @ after)
        if after is None or not reached < before:
            damping *= 10
            if damping > _DAMPING[2]:
                break
            continue
        is_done = before - reached <= LEAST_STEP * before
        guess, here, before, damping = trial, after, reached, max(damping / 10, _DAMPING[1])
        if is_done:
            break
    return SplineFilling(guess.filling, bases, guess.weights, before / data.n_rows)


def _step(slopes: Floats, left: Floats, lengths: Floats, damping: float, held: float) -> Floats:
    """The step of least squares, held back where the rows say nothing."""
    square = slopes.T @ slopes
    square[np.diag_indices_from(square)] += damping * lengths**2 + held**2
    return np.asarray(np.linalg.solve(square, slopes.T @ left))


def _moved(guess: SplineFilling, step: Floats) -> SplineFilling:
    n_values = len(guess.filling.values)
    weights, place = {}, n_values
    for hole, own in guess.weights.items():
        weights[hole] = own + step[place : place + len(own)]
        place += len(own)
    return _of(guess.filling, guess.bases, guess.filling.values + step[:n_values], weights)


def _left(guess: SplineFilling, data: Dataset, roots: Floats) -> Floats | None:
    with np.errstate(all="ignore"):
        table = _table(guess.filling, guess.bases, guess.weights, data)
        if not np.isfinite(table).all() or not np.isfinite(guess.filling.values).all():
            return None
        left = (data.y - evaluate(guess.filling.closed_law, table)) * roots
    return left if np.isfinite(left).all() else None


def _slopes(guess: SplineFilling, data: Dataset, designs: dict[int, Floats]) -> Floats:
    """Derivatives of the law by its values and by the weights of all splines, (rows, unknowns)."""
    frame = guess.filling.frame
    table = _table(guess.filling, guess.bases, guess.weights, data)
    with np.errstate(all="ignore"):
        by_column = np.nan_to_num(gradient(guess.filling.closed_law, table), posinf=0.0, neginf=0.0)
    found = [slopes_by_values(guess.filling, table)]
    for hole in guess.weights:
        own = np.zeros((data.n_rows, _size(guess.bases[hole])))
        for place, design in designs.items():
            if frame.uses[place].hole == hole:
                own += by_column[:, frame.n_columns + place, np.newaxis] * design
        found.append(own)
    return np.column_stack(found)
