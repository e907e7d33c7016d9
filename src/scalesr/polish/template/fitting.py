"""Fits of filled frames: constants, those that are to spare, parts that carry nothing, numbers that are simple."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from scalesr.evidence.constants import read_constants
from scalesr.evidence.neighbours import neighbours
from scalesr.evidence.numbers import simple_number
from scalesr.evidence.refit import WARM, FitData, fixed, polished
from scalesr.evidence.rounding import at_rounding
from scalesr.expr.evaluate import evaluate, jacobian
from scalesr.expr.fitting import ROWS_PER_UNIT, Fit, Status
from scalesr.expr.redundancy import removals
from scalesr.expr.simpler import cleared, with_usual_signs
from scalesr.polish.snap import EXACT_SIGMAS
from scalesr.polish.template.filling import Filling
from scalesr.records.stop import Stop

Floats = NDArray[np.float64]

MOST_TRIALS: Final = 100  # evaluations of a law whose constants are tied
TOLERANCE: Final = 1e-15  # relative change of tied constants: rounding decides when they stay
OUT_OF_REACH: Final = 1e150  # what a row is off where the law has no value
TINY: Final = 1e-9  # singular value, of the largest, below which constants cannot be told apart
ROWS_OF_A_RANK: Final = 300
TRIED: Final = 3  # of the simpler neighbours, those that a few rows like best are tried on all
MAX_ROUNDS: Final = 20
_CONSTANTS_SEED: Final = 4718  # of generic constants: the same law always gets the same answer


class Filled(NamedTuple):
    """A filling with the fit of its law."""

    filling: Filling
    fit: Fit


def fitted(filling: Filling, rows: FitData) -> Filled | None:
    """A fit to a few rows from the values that the filling has; None where the law has no value on some."""
    return _checked(filling, _tied(filling, rows.few) if filling.is_tied else _free(filling, rows.few))


def on_all(one: Filled, rows: FitData) -> Filled | None:
    """A fit to a few rows, continued on all of them."""
    return _checked(one.filling, _tied(one.filling, rows) if one.filling.is_tied else polished(one.fit, rows))


def shortest(one: Filled, rows: FitData) -> Filled:
    """The same law without constants to spare: a summand that may move between holes, a factor of two of them."""
    filling = one.filling
    spare = _spare(filling, rows.few.data.table[:ROWS_OF_A_RANK])
    if not spare:
        return one
    again = fitted(closed_at(filling, spare), rows)
    return again if again is not None and again.fit.rss <= one.fit.rss * (1 + 1e-6) + _rounding(rows) else one


def pruned(one: Filled, rows: FitData, until: Stop) -> Filled:
    """The law without the parts of its holes that the rows do not ask for."""
    near = at_rounding(one.fit, rows)
    for _ in range(MAX_ROUNDS):
        around = [found for simpler in _simpler(one.filling) if (found := fitted(simpler, rows)) is not None]
        until.check()
        for found in sorted(around, key=lambda found: rows.few.score(found.fit))[:TRIED]:
            again = on_all(shortest(found, rows), rows)
            if again is not None and _is_better(again.fit, one.fit, rows, near):
                one = again
                break
        else:
            return one
    return one


def snapped(one: Filled, rows: FitData) -> Filled:
    """The law with constants that are simple numbers closed, as far as the rows do not object."""
    near = at_rounding(one.fit, rows)
    while (again := _some_read(one, rows, near)) is not None:
        one = again
    return one


def _some_read(one: Filled, rows: FitData, near: bool) -> Filled | None:
    """The law with as many of its constants closed as the rows allow at once, the surest first."""
    numbers = list(_numbers(one, near).items())
    for count in range(len(numbers), 0, -1):
        again = fitted(closed_at(one.filling, dict(numbers[:count])), rows)
        again = None if again is None else on_all(again, rows)
        is_closed = again is not None and len(again.filling.values) < len(one.filling.values)
        if again is not None and is_closed and _is_better(again.fit, one.fit, rows, near):
            return again
    return None


def closed_at(filling: Filling, values: Mapping[int, float]) -> Filling:
    """A filling with some of its values as numbers that belong to the formulas, without ones and zeros."""
    for number in range(len(filling.pieces) - 1, -1, -1):
        piece, (low, high) = filling.pieces[number], filling.ends[number : number + 2]
        own = {place - low: value for place, value in values.items() if low <= place < high}
        if piece is not None and own:
            kept = [value for place, value in enumerate(filling.values[low:high].tolist()) if place not in own]
            shorter = with_usual_signs(cleared(fixed(piece, own)))
            if shorter.n_open == len(kept):
                filling = filling.with_piece(number, shorter, np.array(kept))
    return filling


def _simpler(filling: Filling) -> Iterator[Filling]:
    """The law with one part less in one of its holes, or without one of the frame's own constants."""
    for place in range(*filling.ends[:2]):
        without = closed_at(filling, {place: 0.0})
        if without.law.variables == filling.law.variables and len(without.values) < len(filling.values):
            yield without
    for number in range(1, len(filling.pieces)):
        piece = filling.closed(number)
        if piece is not None:
            for simpler in neighbours(piece):
                yield filling.with_piece(number, simpler.skeleton(), simpler.constants)


def _is_better(after: Fit, before: Fit, rows: FitData, near: bool) -> bool:
    """Whether the rows do not object to a law that says more by itself; one at rounding level has to stay there."""
    return at_rounding(after, rows) if near else rows.score(after) <= rows.score(before)


def _numbers(one: Filled, near: bool) -> dict[int, float]:
    """Simple numbers that values may be, the surest first."""
    filling, covariance = one.filling, values_covariance(one)
    if not near:
        return read_constants(filling.values, covariance).numbers
    found: dict[int, tuple[float, float]] = {}
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0)) + 8 * 2.0**-53 * np.abs(filling.values)
    for place, (value, error) in enumerate(zip(filling.values.tolist(), errors.tolist(), strict=True)):
        if (number := simple_number(value, EXACT_SIGMAS * error)) is not None:
            found[place] = number, abs(number - value) / error
    return {place: number for place, (number, _) in sorted(found.items(), key=lambda pair: pair[1][1])}


def values_covariance(one: Filled) -> Floats:
    """The covariance of the filling's values, from that of the places at which they stand."""
    first = [int(np.flatnonzero(one.filling.places == place)[0]) for place in range(len(one.filling.values))]
    return np.asarray(one.fit.covariance[np.ix_(first, first)])


def _checked(filling: Filling, done: Fit) -> Filled | None:
    if not done.ok:
        return None
    values = filling.values.copy()
    values[filling.places] = done.constants
    return Filled(filling.with_values(values), done)


def _free(filling: Filling, rows: FitData) -> Fit:
    return rows.fit(filling.skeleton, start=filling.values[filling.places], effort=WARM)


def _tied(filling: Filling, rows: FitData) -> Fit:
    """A fit in which each value is one unknown, wherever it stands."""
    data, places = rows.data, filling.places
    roots = np.ones(data.n_rows) if rows.weights is None else np.sqrt(rows.weights)

    def left(values: Floats) -> Floats:
        with np.errstate(all="ignore"):
            off = (evaluate(filling.skeleton.bind(values[places]), data.table) - data.y) * roots
        return np.nan_to_num(off, nan=OUT_OF_REACH, posinf=OUT_OF_REACH, neginf=-OUT_OF_REACH)

    def slopes(values: Floats) -> Floats:
        return slopes_by_values(filling.with_values(values), data.table) * roots[:, np.newaxis]

    tried = least_squares(left, filling.values, slopes, method="trf", x_scale="jac", ftol=TOLERANCE, xtol=TOLERANCE,
                          gtol=TOLERANCE, max_nfev=MOST_TRIALS)  # fmt: skip
    if rows.watch is not None:
        rows.watch.spend(data.n_rows / ROWS_PER_UNIT)
    rss = 2 * float(tried.cost)
    rank, inverse = _inverse(slopes(tried.x))
    covariance = inverse * (rss / max(data.n_rows - rank, 1))
    return Fit(
        filling.skeleton, tried.x[places], covariance[np.ix_(places, places)], rss,
        len(places) if rank == len(tried.x) else rank, Status.CONVERGED,
        int(np.count_nonzero(np.abs(left(tried.x)) >= OUT_OF_REACH / 2)), data.n_rows, int(tried.nfev),
    )  # fmt: skip


def slopes_by_values(filling: Filling, table: Floats) -> Floats:
    """Derivatives of the law by each of its values, (rows, values)."""
    with np.errstate(all="ignore"):
        each = jacobian(filling.closed_law, table)[:, filling.skeleton.open_indices]
    found = np.zeros((len(table), len(filling.values)))
    for column, place in enumerate(filling.places.tolist()):
        found[:, place] += np.nan_to_num(each[:, column], nan=0.0, posinf=0.0, neginf=0.0)
    return found


def _inverse(slopes: Floats) -> tuple[int, Floats]:
    """The rank of derivatives and the inverse of their square, NaN where they do not tell all constants apart."""
    lengths = np.linalg.norm(slopes, axis=0)
    scale = np.where(lengths > 0, lengths, 1.0)
    sizes, ways = np.linalg.svd(slopes / scale, full_matrices=False)[1:]
    rank = int(np.count_nonzero(sizes > TINY * sizes[0])) if len(sizes) and sizes[0] > 0 else 0
    if rank < len(scale):
        return rank, np.full((len(scale), len(scale)), np.nan)
    return rank, np.asarray((ways.T / sizes**2) @ ways / np.outer(scale, scale))


def _spare(filling: Filling, table: Floats) -> dict[int, float]:
    """Values that the law can do without, and the numbers in their places: the deepest in the holes go first."""
    rng = np.random.default_rng(_CONSTANTS_SEED)
    generic = filling.values * rng.uniform(0.9, 1.1, len(filling.values))
    about = filling.with_values(np.where(generic == 0, 0.1, generic))
    rank = _inverse(slopes_by_values(about, table))[0]
    found: dict[int, float] = {}
    for place, number in _removals(filling):
        if len(filling.values) - len(found) <= rank:
            break
        trial = closed_at(about, found | {place: number})
        is_gone = len(trial.values) == len(filling.values) - len(found) - 1
        if is_gone and _inverse(slopes_by_values(trial, table))[0] == rank:
            found[place] = number
    return found


def _removals(filling: Filling) -> list[tuple[int, float]]:
    """Each value with the number that removes it: those of holes first, and of these the deepest."""
    ways: list[tuple[bool, int, int, float]] = []
    for number, piece in enumerate(filling.pieces):
        for place, removal in removals(piece).items() if piece is not None else ():
            own = filling.ends[number] + place
            sign = -1.0 if filling.values[own] < 0 else 1.0
            ways.append((number == 0, -removal.depth, own, sign * removal.neutral))
    return [(own, neutral + 0.0) for _, _, own, neutral in sorted(ways)]


def _rounding(rows: FitData) -> float:
    """A sum of squares below which residuals are rounding."""
    y = rows.few.data.y
    return 1e-26 * float(y @ y)
