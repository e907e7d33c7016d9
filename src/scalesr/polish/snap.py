"""Snapping: constants become the simple numbers that they are, where the rows do not object.

For a law at rounding level the snapped law has to be at rounding level as well. With noise, the
evidence decides.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.constants import read_constants
from scalesr.evidence.numbers import simple_number
from scalesr.evidence.refit import FitData, fixed
from scalesr.evidence.rounding import at_rounding
from scalesr.evidence.score import form_cost
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.expr.phases import with_small_phases
from scalesr.expr.simpler import cleared
from scalesr.records.precision import LAST_PLACES

Floats = NDArray[np.float64]

EXACT_SIGMAS = 6.0  # at rounding level, where a standard error is itself only an estimate
NOISY_SIGMAS = 2.5  # with noise


def snapped(done: Fit, rows: FitData) -> Fit:
    """The law with constants that are simple numbers closed, in the form that is then the shortest."""
    if done.rank < len(done.constants) or not done.ok:
        return done
    near = at_rounding(done, rows)
    found = _all_at_once(done, rows) if near else None
    return tidied(found or (_one_by_one(done, rows) if near else _read(done, rows)), rows)


def is_shorter(after: Fit, before: Fit, rows: FitData) -> bool:
    """Whether the rows do not object to a law that says more by itself."""
    return rows.score(after) <= rows.score(before)


def _read(done: Fit, rows: FitData) -> Fit:
    """The law with its constants read as far as the evidence says: all together, or else one after the other."""
    numbers = read_constants(done.constants, done.covariance).numbers
    together = _with(done, numbers, rows) if numbers else done
    if together.ok and is_shorter(together, done, rows):
        return together
    for place, number in numbers.items():
        trial = _with(done, {place: number}, rows)
        if trial.ok and is_shorter(trial, done, rows):
            return _read(trial, rows)
    return done


def _simple(done: Fit, sigmas: float) -> dict[int, float]:
    """The open constants that are simple numbers within their errors, by place."""
    found = {}
    for place, (value, error) in enumerate(zip(done.constants.tolist(), done.standard_errors.tolist(), strict=True)):
        number = simple_number(value, sigmas * error + LAST_PLACES * abs(value))
        if number is not None:
            found[place] = number
    return found


def _with(done: Fit, values: Mapping[int, float], rows: FitData) -> Fit:
    """The fit with some constants closed and the others fitted again."""
    kept = [value for place, value in enumerate(done.constants.tolist()) if place not in values]
    return rows.fit(fixed(done.skeleton, values), start=np.array(kept))


def _all_at_once(done: Fit, rows: FitData) -> Fit | None:
    values = _simple(done, EXACT_SIGMAS)
    trial = _with(done, values, rows) if values else done
    return trial if trial.ok and at_rounding(trial, rows) else None


def _one_by_one(done: Fit, rows: FitData) -> Fit:
    """Close one constant of a law at rounding level after another, the surest first."""
    refused: set[float] = set()
    while True:
        values = {place: value for place, value in _simple(done, EXACT_SIGMAS).items() if value not in refused}
        if not values:
            return done
        place = min(values, key=lambda place: abs(values[place] - done.constants[place]) / _error(done, place))
        trial = _with(done, {place: values[place]}, rows)
        if trial.ok and at_rounding(trial, rows):
            done = trial
        else:
            refused.add(values[place])


def _error(done: Fit, place: int) -> float:
    return float(done.standard_errors[place]) + LAST_PLACES * abs(float(done.constants[place]))


def tidied(done: Fit, rows: FitData) -> Fit:
    """The law in its shortest form, its snapped constants closed and the others open."""
    closed = done.expression
    writings = [one for one in (rows.tidied(closed), cleared(with_small_phases(closed))) if one != closed]
    return min((*(_written(one, done, rows) for one in writings), done), key=lambda one: form_cost(one.skeleton))


def _written(shorter: Expression, done: Fit, rows: FitData) -> Fit:
    """A law in other words, fitted again, as long as they say the same with no more constants; else as it was."""
    given = {abs(value) for value in np.delete(done.expression.constants, done.skeleton.open_indices).tolist()}
    given |= {half / 2 for half in range(1, 25)}  # numbers that rewriting makes, as of sqrt(x^3)
    is_open = {place for place, value in enumerate(shorter.constants.tolist()) if abs(value) not in given}
    values = {place: value for place, value in enumerate(shorter.constants.tolist()) if place not in is_open}
    skeleton = fixed(shorter.skeleton(), values)
    again = rows.fit(skeleton, start=shorter.constants[sorted(is_open)])
    if not again.ok or len(again.constants) > len(done.constants):
        return done
    same = at_rounding(again, rows) if at_rounding(done, rows) else again.rss <= done.rss * (1 + 1e-6)
    return again if same else done
