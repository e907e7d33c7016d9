"""Last touches of a grouped law: constants that only differ together, letters turned over, numbers read.

Where two constants differ in proportion, one of them differs and their ratio is shared: x/(a*x + b) with b = 0.7*a is
x/(a*(x + 0.7)), and with the reciprocal of a, a*x/(x + 0.7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import FormulaError
from scalesr.evidence.constants import read_constants
from scalesr.evidence.criterion import structure_length
from scalesr.evidence.refit import fixed
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.signs import with_plain_signs
from scalesr.expr.simpler import cleared
from scalesr.expr.simplify import simplify
from scalesr.expr.substitute import substitute
from scalesr.groups.blocks import with_own
from scalesr.groups.fitted import GroupedLaw, GroupRows
from scalesr.groups.form import letters_of, numbered
from scalesr.kernels.codes import OPEN

Floats = NDArray[np.float64]

SAME = 1.0 + 1e-6  # residuals closer than this are those of one law
ROUNDING = 1e-9  # of the largest value
IDLE = 3.0  # standard errors from 0 within which a constant may do nothing
WRITTEN = tuple(half / 2 for half in range(1, 25))  # numbers that rewriting makes, as of sqrt(x^3)


def finished(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """The law as the evidence likes it best."""
    law = tied(law, rows)
    law = _without_idle(_without_redundant(_tidied(law, rows), rows), rows)
    law = _turned(law, rows)
    return _tidied(_read(law, rows), rows)


def tied(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """The law with as few constants that differ as the evidence says, where some are in proportion to others."""
    while (fewer := _tied(law, rows)) is not None:
        law = fewer
    return law


def _tied(law: GroupedLaw, rows: GroupRows) -> GroupedLaw | None:
    """One constant less that differs, where it is in proportion to another."""
    found = [one for one in _ties(law, rows) if one.cost < law.cost]
    return min(found, key=lambda one: one.cost, default=None)


def _ties(law: GroupedLaw, rows: GroupRows) -> Iterator[GroupedLaw]:
    own, first = law.fit.own, rows.n_columns
    for kept, gone in permutations(range(own.shape[1]), 2):
        with np.errstate(all="ignore"):
            ratio = float(np.median(own[:, gone] / own[:, kept]))
        if not np.isfinite(ratio) or ratio == 0:
            continue
        multiple = apply("*", constant(ratio), variable(first + kept))
        closed = substitute(law.fit.expression, {first + gone: multiple})
        one = _refitted(closed, own, rows)
        if one is not None:
            tidy = _tidied(one, rows)
            yield _without_redundant(tidy, rows)


def _turned(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """Letters replaced by their reciprocals or negatives where the law is shorter so."""
    for letter in range(law.fit.own.shape[1]):
        for name, values in (("1/", _reciprocals(law.fit.own, letter)), ("-", _negatives(law.fit.own, letter))):
            if not np.isfinite(values).all():
                continue
            old = variable(rows.n_columns + letter)
            new = apply("/", constant(1.0), old) if name == "1/" else apply("neg", old)
            shorter = simplify(with_plain_signs(substitute(law.fit.expression, {rows.n_columns + letter: new})))
            if _length(shorter) < _length(law.fit.expression) or (
                _length(shorter) == _length(law.fit.expression)
                and _is_linear(shorter, values, letter, rows)
                and not _is_linear(law.fit.expression, law.fit.own, letter, rows)
            ):
                one = _refitted(shorter, values, rows, like=law)
                law = one if one is not None and _is_as_good(one, law) else law
    return law


def _reciprocals(own: Floats, letter: int) -> Floats:
    values = own.copy()
    with np.errstate(all="ignore"):
        values[:, letter] = 1 / values[:, letter]
    return values


def _negatives(own: Floats, letter: int) -> Floats:
    values = own.copy()
    values[:, letter] = -values[:, letter]
    return values


def _length(law: Expression) -> tuple[float, int]:
    return structure_length(law), law.n_nodes


def _is_linear(law: Expression, own: Floats, letter: int, rows: GroupRows) -> bool:
    """Whether a letter is a plain factor or summand of a law: equal steps of it are equal steps of the target."""
    values = []
    for times in (1.0, 2.0, 3.0):
        moved = own.copy()
        moved[:, letter] *= times
        values.append(evaluate(law, with_own(rows.rows, moved).T))
    with np.errstate(all="ignore"):
        bend = np.abs(values[2] - 2 * values[1] + values[0]).max()
        return bool(bend <= ROUNDING * np.abs(values).max())


def _tidied(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """The law in its shortest form, its closed constants closed and the others open."""
    shorter = simplify(with_plain_signs(law.fit.expression))
    if shorter == law.fit.expression:
        return law
    one = _refitted(shorter, law.fit.own, rows, like=law)
    is_shorter = shorter.n_nodes <= law.fit.form.n_nodes
    return one if one is not None and is_shorter and _is_as_good(one, law) else law


def _without_redundant(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """The law without a shared constant that the letters make superfluous, as the factor of a letter is."""
    form, shared = law.fit.form, law.fit.shared
    for place in range(len(shared)):
        if np.isfinite(law.fit.covariance[place, place]) and len(shared) == len(_told(law)):
            continue
        for value in (1.0, 0.0):
            kept = np.delete(shared, place)
            closed = fixed(form, {place: value}).bind(kept)
            try:
                one = _refitted(simplify(cleared(closed)), law.fit.own, rows)
            except FormulaError:
                continue
            if one is not None and one.fit.rss <= law.fit.rss * SAME and one.fit.n_free < law.fit.n_free:
                return _without_redundant(one, rows)
    return law


def _without_idle(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """The law without shared constants that may as well be 0, as the evidence says."""
    with np.errstate(all="ignore"):
        sizes = np.abs(law.fit.shared) / np.sqrt(np.diag(law.fit.covariance))
    for place in np.argsort(sizes).tolist():
        if not sizes[place] < IDLE:
            return law
        closed = fixed(law.fit.form, {place: 0.0}).bind(np.delete(law.fit.shared, place))
        try:
            one = _refitted(simplify(cleared(closed)), law.fit.own, rows, like=law)
        except FormulaError:  # nothing is left of a formula without it
            continue
        if one is not None and one.cost <= law.cost:
            return _without_idle(one, rows)
    return law


def _told(law: GroupedLaw) -> list[int]:
    return np.flatnonzero(np.isfinite(np.diag(law.fit.covariance))).tolist()


def _read(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """Shared constants as the simple numbers that they are: all together, or else one after the other."""
    numbers = read_constants(law.fit.shared, law.fit.covariance).numbers
    numbers = {place: _last_places(number) for place, number in numbers.items()}
    for chosen in [numbers, *({place: number} for place, number in numbers.items())] if numbers else []:
        one = _with_numbers(law, chosen, rows)
        if one is not None and one.score.total <= law.score.total:
            return one if chosen is numbers else _read(one, rows)
    return law


def _last_places(number: float) -> float:
    """A number as people write it: 2.3 for the 2.3000000000000003 that 23/10 is in floating point."""
    short = float(f"{number:.15g}")
    return short if abs(short - number) <= 2 * np.finfo(float).eps * abs(number) else number


def _with_numbers(law: GroupedLaw, numbers: dict[int, float], rows: GroupRows) -> GroupedLaw | None:
    kept = np.array([value for place, value in enumerate(law.fit.shared.tolist()) if place not in numbers])
    return rows.fit(fixed(law.fit.form, numbers), kept, law.fit.own)


def _refitted(closed: Expression, own: Floats, rows: GroupRows, like: GroupedLaw | None = None) -> GroupedLaw | None:
    """A closed formula with its constants open again, fitted from their values; those that `like` has closed stay."""
    form, kept = numbered(closed, rows.n_columns)
    given = _closed(like.fit.form) if like is not None else ()
    shut = {place: value for place, value in enumerate(form.constants.tolist()) if _is_written(value, given)}
    start = np.array([value for place, value in enumerate(form.constants.tolist()) if place not in shut])
    if not letters_of(form, rows.n_columns) and own.shape[1]:
        kept = []
    return rows.fit(fixed(form.skeleton(), shut), start, np.ascontiguousarray(own[:, kept]))


def _closed(form: Expression) -> Sequence[float]:
    """The numbers that a form has, and those that rewriting makes of them."""
    is_open = set(form.open_indices.tolist())
    given = [abs(value) for place, value in enumerate(form.constants.tolist()) if place not in is_open]
    return [*given, *WRITTEN] if given or OPEN not in form.codes else WRITTEN


def _is_written(value: float, given: Sequence[float]) -> bool:
    return abs(value) in given


def _is_as_good(one: GroupedLaw, law: GroupedLaw) -> bool:
    """Whether a law that is another way to write one fits as well with as few constants."""
    near = one.fit.rss <= law.fit.rss * SAME or one.score.total <= law.score.total
    return near and one.fit.n_free <= law.fit.n_free
