"""Symmetries: groups of changes to a row that a generator says leave the target alone or scale it.

If f does not change, or only by a power, when two columns are stretched together, shifted together
or turned into each other, one column is enough for both. Each such symmetry is a linear relation
between derivatives at the same row:

    stretching   a x_i f_i + b x_j f_j = p f    f = x_i^(p/a) F(x_j^a / x_i^b)
    powers       f_i / x_i^(k-1) = ± f_j / x_j^(k-1)    f = F(x_i^k ± x_j^k), sums for k = 1
    one column   x_i f_i = p f    f = x_i^p F(the others)

A relation is as good as the share of the derivatives that it leaves unexplained.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.records.dataset import Dataset
from scalesr.records.interfaces import Generator
from scalesr.reduce.reduction import ONE, Move

Floats = NDArray[np.float64]

N_PROBES = 600  # rows at which derivatives are compared
STRETCHES = ((1, 1), (1, -1), (1, 2), (1, -2), (2, 1), (2, -1), (1, 3), (1, -3), (3, 1), (3, -1))
POWERS = (1, 2, -1, -2, 3)
MAX_POWER = 6


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


def probe(data: Dataset, generator: Generator) -> Probes:
    """Ask the generator at some of the rows."""
    rows = data.thinned(N_PROBES)
    values, slopes = generator.predict(rows.table), generator.gradient(rows.table)
    good = np.isfinite(values) & np.isfinite(slopes).all(axis=1)
    return Probes(rows.rows(good), values[good], slopes[good])


def symmetries(probes: Probes) -> list[Move]:
    """Every move that a relation between derivatives suggests, the best supported first."""
    found = [*_factors(probes), *_stretched_pairs(probes), *_sums_of_powers(probes)]
    return sorted(found, key=lambda move: move.misfit)


def _factors(probes: Probes) -> Iterator[Move]:
    """Columns that enter as a power and nothing else."""
    for i in range(probes.data.n_variables):
        power = _power(probes.stretches[:, i], probes.values)
        if power and _may_be_raised(probes, i, power):
            misfit = _unexplained(probes.stretches[:, i] - float(power) * probes.values, probes.stretches[:, [i]])
            yield Move((i,), (), raised(variable(i), power), misfit)


def _stretched_pairs(probes: Probes) -> Iterator[Move]:
    """Pairs that enter as one product of powers, up to a power of one of them in front."""
    for i, j in combinations(range(probes.data.n_variables), 2):
        both = probes.stretches[:, [i, j]]
        for a, b in STRETCHES:
            together = both @ np.array([a, b], float)
            power = _power(together, probes.values)
            if power is None:
                continue
            misfit = _unexplained(together - float(power) * probes.values, both * np.array([a, b], float))
            yield from _stretched_pair(probes, (i, j), (a, b), power, misfit)


def _stretched_pair(
    probes: Probes, pair: tuple[int, int], weights: tuple[int, int], power: Fraction, misfit: float
) -> Iterator[Move]:
    (i, j), (a, b) = pair, weights
    if not (_may_be_raised(probes, i, Fraction(-b)) and _may_be_raised(probes, j, Fraction(a))):
        return
    above = raised(variable(j), Fraction(a))
    both = apply("/" if b > 0 else "*", above, raised(variable(i), Fraction(abs(b))))
    in_front = power / a
    if not _may_be_raised(probes, i, in_front):
        return
    yield Move(pair, (both,), raised(variable(i), in_front), misfit)


def _sums_of_powers(probes: Probes) -> Iterator[Move]:
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
                yield Move((i, j), (both,), ONE, misfit)


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
    return Fraction(round(2 * multiple), 2) if abs(multiple) <= MAX_POWER else None


def _may_be_raised(probes: Probes, column: int, power: Fraction) -> bool:
    """Whether a column has such a power on every row, and none that hides its sign."""
    values = probes.data.columns[column]
    if power.denominator == 1:
        return power >= 0 or bool(values.all())
    return bool((values > 0).all())


def _unexplained(residual: Floats, parts: Floats) -> float:
    """Size of a residual against that of the parts (rows, parts) whose sum it is."""
    size = float(np.sqrt((parts**2).sum()))
    return float(np.sqrt(residual @ residual)) / size if size else np.inf
