"""Symmetries: groups of changes to a row that a generator says leave the target alone or scale it.

If f does not change, or only by a power, when two columns are stretched together, shifted together
or turned into each other, one column is enough for both. Each such symmetry is a linear relation
between derivatives at the same row:

    stretching   a x_i f_i + b x_j f_j = p f    f = x_i^(p/a) F(x_j^a / x_i^b)
    powers       f_i / x_i^(k-1) = ± f_j / x_j^(k-1)    f = F(x_i^k ± x_j^k), sums for k = 1
    one column   x_i f_i = p f    f = x_i^p F(the others)
    lines        (x_i - b) f_i = f - a    f = a + (x_i - b) F(the others)

Stretching is also tried of exp x_j, sin x_j and cos x_j in the place of x_j.

A relation is as good as the share of the derivatives that it leaves unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.numbers import simple_number
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.kernels.codes import ADD, COS, EXP, SIN, SUB
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator
from scalesr.records.precision import LAST_PLACES
from scalesr.reduce.config import REDUCE
from scalesr.reduce.reduction import ONE, ZERO, Transformation

Floats = NDArray[np.float64]

STRETCHES = ((1, 1), (1, -1), (1, 2), (1, -2), (2, 1), (2, -1), (1, 3), (1, -3), (3, 1), (3, -1))
FUNCTION_STRETCHES = ((1, 1), (1, -1))  # of pairs with a function of a column
LARGEST_ANGLE = 4 * np.pi  # columns with larger values are not angles,
POWERS = (1, 2, -1, -2, 3)
MEETING = 3.0  # times the misfit: how far from simple numbers the point where lines meet may be measured


@dataclass(frozen=True, slots=True)
class Probes:
    """Rows with the generator's values and derivatives there."""

    data: Dataset
    values: Floats  # (rows,)
    slopes: Floats  # (rows, variables)

    @property
    def stretches(self) -> Floats:
        """x_i f_i, (rows, variables)."""
        return self.data.table * self.slopes


def probe(data: Dataset, generator: Generator, *, share: float = 1.0) -> Probes:
    """Ask the generator at some of the rows, and keep the share of them at which it is least off."""
    rows = data.thinned(REDUCE.n_probes)
    values, slopes = generator.predict(rows.table), generator.gradient(rows.table)
    good = np.isfinite(values) & np.isfinite(slopes).all(axis=1)
    if good.any():
        off = np.abs(values - rows.y)
        good &= off <= np.quantile(off[good], share)
    return Probes(rows.rows(good), values[good], slopes[good])


def symmetries(probes: Probes) -> list[Transformation]:
    """Every transformation that a relation between derivatives suggests, the best supported first."""
    found = [*_factors(probes), *_stretched_pairs(probes), *_sums_of_powers(probes), *_lines_through_a_point(probes)]
    return sorted(found, key=lambda transformation: transformation.misfit)


def _factors(probes: Probes) -> Iterator[Transformation]:
    """Columns that enter as a power, their own or that of a function, and nothing else."""
    for view in _views(probes):
        power = _power(view.change, view.slope * probes.values)
        if power and _may_be_raised(view, power):
            misfit = _unexplained(view.change - float(power) * view.slope * probes.values, view.change[:, np.newaxis])
            yield Transformation((view.column,), (), raised(view.written, power), misfit)


def guessed_factors(data: Dataset) -> list[Transformation]:
    """Each column and its reciprocal as a factor, for lack of informative derivatives; nothing speaks for them yet."""
    usable = [j for j, values in enumerate(data.columns) if values.all()]
    return [Transformation((j,), (), raised(variable(j), Fraction(power)), np.inf) for j in usable for power in (1, -1)]


def _stretched_pairs(probes: Probes) -> Iterator[Transformation]:
    """Pairs that enter as one product of powers, up to a power of one of them in front."""
    for left, right in combinations(_views(probes), 2):
        if left.column == right.column or (left.is_exponential and right.is_exponential):  # the latter is a sum
            continue
        both = np.column_stack([left.change * right.slope, right.change * left.slope])
        values = left.slope * right.slope * probes.values
        for a, b in STRETCHES if left.is_plain and right.is_plain else FUNCTION_STRETCHES:
            together = both @ np.array([a, b], float)
            power = _power(together, values)
            if power is None:
                continue
            misfit = _unexplained(together - float(power) * values, both * np.array([a, b], float))
            yield from _stretched_pair((left, right), (a, b), power, misfit)


def _stretched_pair(
    pair: tuple[_View, _View], weights: tuple[int, int], power: Fraction, misfit: float
) -> Iterator[Transformation]:
    (left, right), (a, b) = pair, weights
    if not (_may_be_raised(left, Fraction(-b)) and _may_be_raised(right, Fraction(a))):
        return
    above = raised(right.written, Fraction(a))
    both = apply("/" if b > 0 else "*", above, raised(left.written, Fraction(abs(b))))
    in_front = power / a
    if not _may_be_raised(left, in_front):
        return
    yield Transformation((left.column, right.column), (both,), raised(left.written, in_front), misfit)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A column or a function u = g(x) of one, and what stretching it does: u f_u = change/slope."""

    column: int
    written: Expression
    values: Floats  # (rows,) u
    change: Floats  # (rows,) u f_x, up to a factor that it shares with
    slope: Floats  # (rows,) g'

    @property
    def is_plain(self) -> bool:
        return self.written.n_nodes == 1

    @property
    def is_exponential(self) -> bool:
        return bool(self.written.codes[-1] == EXP)


def _views(probes: Probes) -> list[_View]:
    """All columns, exponentials of those that may be exponents, sines and cosines of those that may be angles."""
    columns, ones = probes.data.columns, np.ones(len(probes.values))
    views = [_View(j, variable(j), x, probes.stretches[:, j], ones) for j, x in enumerate(columns)]
    for j, x in enumerate(columns):
        largest = np.abs(x).max(initial=0.0)
        if largest <= REDUCE.largest_exponent:
            views.append(_View(j, apply("exp", variable(j)), np.exp(x), probes.slopes[:, j], ones))
        if largest > LARGEST_ANGLE:
            continue
        sine, cosine = np.sin(x), np.cos(x)
        for name, values, slope in (("sin", sine, cosine), ("cos", cosine, -sine)):
            views.append(_View(j, apply(name, variable(j)), values, values * probes.slopes[:, j], slope))
    return views


def _sums_of_powers(probes: Probes) -> Iterator[Transformation]:
    """Pairs that enter as a sum or difference of equal powers."""
    table = probes.data.table
    for i, j in combinations(range(probes.data.n_variables), 2):
        for k in POWERS:
            if k < 0 and not (table[:, [i, j]].all()):
                continue
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                slopes = probes.slopes[:, [i, j]] * table[:, [j, i]] ** (k - 1)  # both times x_i^(k-1) x_j^(k-1)
            if not np.isfinite(slopes).all():
                continue
            for name, sign in (("+", -1.0), ("-", 1.0)):
                misfit = _unexplained(slopes[:, 0] + sign * slopes[:, 1], slopes)
                both = apply(name, raised(variable(i), Fraction(k)), raised(variable(j), Fraction(k)))
                yield Transformation((i, j), (both,), ONE, misfit)


def _lines_through_a_point(probes: Probes) -> Iterator[Transformation]:
    """Columns in which the target is a line, whatever the others are, if all lines meet in one point off the rows.

    The point is known as well as the relation holds, and simple numbers so near are tried beside what was measured.
    """
    y = probes.values
    for j, x in enumerate(probes.data.columns):
        slope = probes.slopes[:, j]
        unit = np.abs(slope).max(initial=0.0)
        if len(x) <= MEETING or not np.ptp(slope) > REDUCE.unlearned * unit:
            continue  # parallel lines meet nowhere
        design = np.column_stack([np.ones(len(x)), -slope / unit])
        (a, b), *_ = np.linalg.lstsq(design, y - slope * x, rcond=None)
        b /= unit
        misfit = _off_the_point(probes, j, a, b)
        near = MEETING * misfit
        simple = _plain(float(a), near * _rms(y - a)), _plain(float(b), near * _rms(x - b))
        for place in dict.fromkeys([simple, (float(a), float(b))]):
            yield from _through(probes, j, *place)


def _through(probes: Probes, j: int, a: float, b: float) -> Iterator[Transformation]:
    """A column less b as the factor of the target less a; none where b is among the rows, or it is a plain factor."""
    x = probes.data.columns[j]
    if x.min() < b < x.max() or (a == 0 and b == 0):
        return
    factor = variable(j) if b == 0 else apply("+" if b < 0 else "-", variable(j), constant(abs(b)))
    yield Transformation((j,), (), factor, _off_the_point(probes, j, a, b), constant(a))


def _off_the_point(probes: Probes, j: int, a: float, b: float) -> float:
    """What is unexplained by lines along a column that meet in (b, a)."""
    above, along = probes.values - a, probes.slopes[:, j] * (probes.data.columns[j] - b)
    return _unexplained(above - along, np.column_stack([above, along]))


def _plain(value: float, error: float) -> float:
    """A simple number within the error of a value; the value where there is none."""
    if abs(value) <= error:
        return 0.0
    found = simple_number(value, error + LAST_PLACES * abs(value))
    return value if found is None else found


def _rms(values: Floats) -> float:
    return float(np.sqrt(np.mean(values**2)))


def has_point(transformation: Transformation) -> bool:
    """Whether a transformation is one of lines through a point: a column less a constant is the factor."""
    return transformation.offset != ZERO or (
        not transformation.new and bool(transformation.factor.codes[-1] in (ADD, SUB))
    )


def has_function(transformation: Transformation) -> bool:
    """Whether a transformation has an exponential, a sine or a cosine of a column."""
    return any(
        code in (EXP, SIN, COS)
        for formula in (*transformation.new, transformation.factor)
        for code in formula.codes.tolist()
    )


def raised(base: Expression, power: Fraction) -> Expression:
    """A power with a whole exponent, or one of halves written with a root."""
    if power == 0:
        return ONE
    if power < 0:
        return apply("/", ONE, raised(base, -power))
    if power.denominator == 1:
        return base if power == 1 else apply("powi", base, power=int(power))
    if power.denominator == 2:
        return raised(apply("sqrt", base), power * 2)
    return apply("^", base, constant(float(power)))


def _power(stretch: Floats, values: Floats) -> Fraction | None:
    """The multiple of half of the values that a stretch is closest to; None if it is too large."""
    size = float(values @ values)
    multiple = float(stretch @ values) / size if size else np.inf
    return Fraction(round(2 * multiple), 2) if abs(multiple) <= REDUCE.max_power else None


def _may_be_raised(view: _View, power: Fraction) -> bool:
    """Whether a column has such a power on every row, and none that hides its sign."""
    if power.denominator == 1:
        return power >= 0 or bool(view.values.all())
    return bool((view.values > 0).all())


def _unexplained(residual: Floats, parts: Floats) -> float:
    """Size of a residual against that of the parts (rows, parts) whose sum it is."""
    size = float(np.sqrt((parts**2).sum()))
    return float(np.sqrt(residual @ residual)) / size if size else np.inf
