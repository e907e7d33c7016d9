"""Constraints as evidence: a law that breaks one is ruled out, as one with wrong units is.

What a law does is looked at on the box of the rows: a sample that breaks the constraint decides, and so do its form
and interval arithmetic; where neither does, that no sample breaks it is all that is known, and this is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import FormulaError, OperatorError
from scalesr.expr.canonical import canonical_key
from scalesr.expr.derivative import derivative
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.fold import Node, fold
from scalesr.expr.intervals import bounds
from scalesr.expr.substitute import substitute
from scalesr.records.constraints import (
    Bound,
    Constraint,
    Count,
    Exchange,
    Limit,
    Monotone,
    Nesting,
    Parity,
    Point,
    Relation,
    Size,
    Uses,
)
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

N_SAMPLES: Final = 400  # of the box, besides rows
N_ALONG: Final = 24  # values along a column
MOST_BOXES: Final = 2048  # that interval arithmetic takes the box apart into
CLOSE: Final = 1e-7  # of the law's size: values that are equal up to this are equal
ROUNDED: Final = 1e-12  # of the law's size: by which rounding may cross a bound that may be reached
NEAR_LIMIT: Final = 1e-2  # of the law's size: how near a law is to its limit as far out as numbers reach
UNLIMITED_GROWTH: Final = 1.2  # from one third of a long way to the next: more has no limit
STEPS: Final = 100  # decades of that way
FIRM: Final = 1e12  # weight of rows that are known, so that a fit passes through them up to rounding
ON_THE_BOX: Final = (Bound, Monotone)  # what the rows tell: an exact law that breaks it is the only exact one
_SAMPLE_SEED: Final = 1804  # of the samples: the same rows always get the same ones


class By(StrEnum):
    """What decided whether a constraint holds."""

    FORM = "by the law's form"
    INTERVALS = "by interval arithmetic on the box of the rows"
    SAMPLES = "on samples of the box of the rows"
    WAY = "on values along the way to the limit"


class Finding(NamedTuple):
    """Whether a constraint holds, and what decided."""

    holds: bool
    by: By


@dataclass(frozen=True, eq=False)
class Rules:
    """The constraints of a law and the box that they are checked on."""

    constraints: tuple[Constraint, ...]
    data: Dataset

    def broken(self, law: Expression) -> Constraint | None:
        """The first constraint that a closed law breaks; the cheapest are looked at first."""
        ordered = sorted(self.constraints, key=lambda one: not isinstance(one, Uses | Size | Count | Nesting))
        return next((one for one in ordered if not self.finding(law, one).holds), None)

    def finding(self, law: Expression, constraint: Constraint) -> Finding:
        """Whether a closed law obeys a constraint, and what decided."""
        with np.errstate(all="ignore"):
            return self._finding(law, constraint)

    def _finding(self, law: Expression, one: Constraint) -> Finding:
        match one:
            case Bound():
                values = evaluate(law, self.samples)
                holds = _related(values, one.relation, one.number, ROUNDED * self._size(law))
                return self._on_box(law, one.relation, one.number, holds)
            case Monotone():
                return self._monotone(law, one)
            case Parity():
                turned = substitute(law, {one.column: apply("neg", variable(one.column))})
                mirrored = self.samples.copy()
                mirrored[:, one.column] *= -1
                return self._same(law, turned, one.sign, mirrored)
            case Exchange(columns=(first, second)):
                turned = substitute(law, {first: variable(second), second: variable(first)})
                swapped = self.samples.copy()
                swapped[:, [first, second]] = swapped[:, [second, first]]
                return self._same(law, turned, one.sign, swapped)
            case Point():
                return self._at_point(law, one)
            case Limit():
                return Finding(self._has_limit(law, one), By.WAY)
            case Uses():
                return Finding((one.column in law.variables) == one.wanted, By.FORM)
            case Size():
                size = law.complexity if one.of == "complexity" else len(law.constants)
                return Finding(size <= one.most, By.FORM)
            case Count():
                return Finding(int(np.isin(law.codes, one.codes).sum()) <= one.most, By.FORM)
            case Nesting():
                return Finding(not _is_nested(law, one), By.FORM)

    @cached_property
    def samples(self) -> Floats:  # (samples, columns)
        """Random places of the box, and some of the rows."""
        rng = np.random.default_rng(_SAMPLE_SEED)
        low, high = self.box
        within = low + (high - low) * rng.uniform(size=(N_SAMPLES, self.data.n_variables))
        return np.concatenate([within, self.data.thinned(N_SAMPLES).table])

    @property
    def box(self) -> tuple[Floats, Floats]:
        """The least and the largest value of each column."""
        return self.data.columns.min(axis=1), self.data.columns.max(axis=1)

    def _size(self, law: Expression) -> float:
        """The size that small differences are compared with."""
        values = evaluate(law, self.data.thinned(N_SAMPLES).table)
        return float(np.nanmax(np.abs(values), initial=0.0)) or 1.0

    def _on_box(self, law: Expression, relation: Relation, number: float, holds: bool) -> Finding:
        """What samples say, or interval arithmetic where it decides."""
        if not holds:
            return Finding(False, By.SAMPLES)
        low, high = self.box
        return Finding(True, By.INTERVALS if _proved(law, relation, number, low, high) else By.SAMPLES)

    def _monotone(self, law: Expression, one: Monotone) -> Finding:
        low, high = self.box
        along = np.linspace(low[one.column], high[one.column], N_ALONG)
        samples = self.samples[:N_SAMPLES:8]
        places = np.repeat(samples, N_ALONG, axis=0)
        places[:, one.column] = np.tile(along, len(samples))
        steps = np.diff(evaluate(law, places).reshape(len(samples), N_ALONG), n=one.order, axis=1) * one.sign
        if not _related(steps, ">=", 0.0, CLOSE * self._size(law) / N_ALONG**one.order):
            return Finding(False, By.SAMPLES)
        try:
            slope = law
            for _ in range(one.order):
                slope = derivative(slope, one.column)
        except (FormulaError, OperatorError):
            return Finding(True, By.SAMPLES)
        return self._on_box(slope, ">=" if one.sign > 0 else "<=", 0.0, holds=True)

    def _same(self, law: Expression, turned: Expression, sign: int, places: Floats) -> Finding:
        """Whether a law with its columns turned is itself, or minus itself."""
        if canonical_key(turned) == canonical_key(law if sign > 0 else apply("neg", law)):
            return Finding(True, By.FORM)
        there, here = evaluate(law, places), evaluate(law, self.samples)
        off = np.abs(there - sign * here)
        known = np.isfinite(here)
        return Finding(bool((off[known] <= CLOSE * self._size(law)).all()), By.SAMPLES)

    def _at_point(self, law: Expression, one: Point) -> Finding:
        there = substitute(law, {column: constant(value) for column, value in one.at})
        values = evaluate(there, self.samples)
        if not there.variables:
            value = float(values[0])
            if math.isnan(value):
                return Finding(self._nears(law, one), By.WAY)
            return Finding(_related(np.array([value]), one.relation, one.number, CLOSE * self._size(law)), By.FORM)
        if np.isnan(values).all():
            return Finding(self._nears(law, one), By.WAY)
        holds = _related(values, one.relation, one.number, CLOSE * self._size(law))
        if one.relation == "=":
            return Finding(holds, By.SAMPLES)
        return self._on_box(there, one.relation, one.number, holds)

    def _nears(self, law: Expression, one: Point) -> bool:
        """Whether a law without a value at a point has the right one beside it."""
        places = self.samples.copy()
        low, high = self.box
        for column, value in one.at:
            places[:, column] = value + 1e-5 * (high[column] - low[column])
        values = evaluate(law, places)
        return not np.isnan(values).all() and _related(values, one.relation, one.number, 1e-3 * self._size(law))

    def _has_limit(self, law: Expression, one: Limit) -> bool:
        low, high = self.box
        scale = float(max(abs(low[one.column]), abs(high[one.column]), 1e-3))
        decades = np.arange(1, STEPS + 1)
        if math.isinf(one.towards):
            ways = [math.copysign(1.0, one.towards) * scale * 10.0**decades]
        else:
            ways = [one.towards + side * scale * 10.0 ** -(decades / 8) for side in (1.0, -1.0)]
        return all(self._ends(law, one, np.asarray(way, np.float64)) for way in ways)

    def _ends(self, law: Expression, one: Limit, way: Floats) -> bool:
        """Whether values along a way stay within bounds, near a number where one is asked for."""
        size = self._size(law)
        for sample in self.samples[:: N_SAMPLES // 8]:
            places = np.repeat(sample[np.newaxis], len(way), axis=0)
            places[:, one.column] = way
            values = evaluate(law, places)
            values = values[~np.isnan(values)]
            if len(values) < 3:
                continue
            third = len(values) // 3
            before, after = np.abs(values[third : 2 * third]).max(), np.abs(values[2 * third :]).max()
            if not after <= UNLIMITED_GROWTH * max(before, size):
                return False
            if one.number is not None and abs(float(values[-1]) - one.number) > NEAR_LIMIT * size:
                return False
        return True


def constrained(rules: Rules, data: Dataset) -> Dataset | None:
    """Rows with what equalities say of a law as further rows: known values, mirrored and exchanged rows.

    A fit to them obeys the equalities up to rounding. None where no constraint is one.
    """
    added: list[tuple[Floats, Floats, float]] = []
    for one in rules.constraints:
        columns = data.columns.copy()
        match one:
            case Point(relation="="):
                for column, value in one.at:
                    columns[column] = value
                added.append((columns, np.full(data.n_rows, one.number), FIRM))
            case Parity():
                columns[one.column] *= -1
                added.append((columns, one.sign * data.y, 1.0))
            case Exchange(columns=(first, second)):
                columns[[first, second]] = columns[[second, first]]
                added.append((columns, one.sign * data.y, 1.0))
            case _:
                pass
    if not added:
        return None
    own = np.ones(data.n_rows) if data.weights is None else data.weights
    return replace(
        data,
        columns=np.ascontiguousarray(np.concatenate([data.columns, *(columns for columns, _, _ in added)], axis=1)),
        y=np.concatenate([data.y, *(y for _, y, _ in added)]),
        weights=np.concatenate([own, *(own * weight for _, _, weight in added)]),
    )


def _related(values: Floats, relation: Relation, number: float, tolerance: float) -> bool:
    known = values[~np.isnan(values)]
    match relation:
        case "=":
            return bool((np.abs(known - number) <= tolerance + CLOSE * abs(number)).all())
        case "<":
            return bool((known < number).all())
        case "<=":
            return bool((known <= number + tolerance).all())
        case ">":
            return bool((known > number).all())
        case ">=":
            return bool((known >= number - tolerance).all())


def _proved(law: Expression, relation: Relation, number: float, low: Floats, high: Floats) -> bool:
    """Whether interval arithmetic shows that all values on a box are on the right side of a number."""
    low, high = low[:, np.newaxis], high[:, np.newaxis]
    used = list(law.variables)
    while low.shape[1] <= MOST_BOXES:
        least, most = bounds(law, low, high)
        open_yet = ~_side(least, most, relation, number)
        if not open_yet.any():
            return True
        if not used:
            return False
        low, high = _halved(low[:, open_yet], high[:, open_yet], used)
    return False


def _side(least: Floats, most: Floats, relation: Relation, number: float) -> NDArray[np.bool_]:
    sides = {">": least > number, ">=": least >= number, "<": most < number, "<=": most <= number}
    return np.asarray(sides.get(relation, np.zeros(len(least), bool)))


def _halved(low: Floats, high: Floats, used: Sequence[int]) -> tuple[Floats, Floats]:
    """Boxes cut in two along the used column that is widest beside its first width."""
    widths = (high - low)[used]
    whole = (high.max(axis=1) - low.min(axis=1))[used]
    column = used[int(np.argmax((widths / np.where(whole > 0, whole, 1.0)[:, np.newaxis]).max(axis=1)))]
    middle = (low[column] + high[column]) / 2
    first, second = high.copy(), low.copy()
    first[column], second[column] = middle, middle
    return np.concatenate([low, second], axis=1), np.concatenate([first, high], axis=1)


class _Seen(NamedTuple):
    """What a part of a law has of a nesting."""

    has_inner: bool
    is_broken: bool


def _is_nested(law: Expression, one: Nesting) -> bool:
    """Whether an inner operator stands within an outer one."""

    def node(this: Node, kids: list[_Seen]) -> _Seen:
        has_inner = any(kid.has_inner for kid in kids)
        is_broken = any(kid.is_broken for kid in kids) or (this.code in one.outer and has_inner)
        return _Seen(has_inner or this.code in one.inner, is_broken)

    return fold(law, lambda _: _Seen(False, False), node).is_broken
