"""Coordinates along which a target may oscillate: columns, functions of one, and products and sums of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, variable
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.kernels.codes import ADD, MUL, POWI
from scalesr.records.dataset import Dataset
from scalesr.records.precision import WIDE
from scalesr.reduce.symmetry import raised
from scalesr.reduce.waves.config import WAVE

Floats = NDArray[np.float64]

OF_ONE: Final = ("{x}^2", "{x}^3", "1/{x}", "log({x})", "sqrt({x})")
OF_TWO: Final = ("{x}*{y}", "{x}/{y}", "{y}/{x}", "{x}^2 + {y}^2", "sqrt({x}^2 + {y}^2)")
EXPONENTS: Final = tuple(Fraction(n, 2) for n in (-2, -1, 1, 2))  # of products of three columns, as in sqrt(k/m)*t


@dataclass(frozen=True, slots=True, eq=False)
class Coordinate:
    """A formula over the columns and its values."""

    written: Expression
    values: Floats  # (rows,)

    @property
    def columns(self) -> frozenset[int]:
        return frozenset(self.written.variables)

    @property
    def is_column(self) -> bool:
        return self.written.n_nodes == 1


Scan = tuple[Coordinate, ...]  # coordinates whose sums with any weights are phases


def scans(data: Dataset, operators: Operators) -> Iterator[list[Scan]]:
    """What is scanned, in groups, the likely and cheap ones first; of many columns these alone."""
    made = _Maker(data, operators)
    plain = [made.coordinate(variable(j)) for j in range(data.n_variables)]
    columns = [one for one in plain if one is not None]
    yield [(one,) for one in columns]
    if len(columns) <= WIDE:
        yield list(combinations(columns, 2))
    if len(columns) > WAVE.combined_columns:
        return
    ones, twos = made.of_one(columns), made.of_two(columns)
    yield [(one,) for one in chain(ones, twos)]
    products = [one for one in twos if ADD not in one.written.codes]
    yield [*_chirps(columns, ones), *_disjoint(columns, products)]
    yield [*combinations(columns, 3), *_shifted(columns, products)]
    yield [(one,) for one in made.of_three(columns)]


def _chirps(columns: Sequence[Coordinate], ones: Sequence[Coordinate]) -> Iterator[Scan]:
    """A column beside its square."""
    squares = [one for one in ones if one.written.codes[-1] == POWI and one.written.args[-1] == 2]
    return ((x, u) for x in columns for u in squares if x.columns == u.columns)


def _disjoint(columns: Sequence[Coordinate], twos: Sequence[Coordinate]) -> Iterator[Scan]:
    """A combination of two columns beside a third column or a combination of two others."""
    for first, second in chain(product(twos, columns), combinations(twos, 2)):
        if first.columns.isdisjoint(second.columns):
            yield first, second


def _shifted(columns: Sequence[Coordinate], twos: Sequence[Coordinate]) -> Iterator[Scan]:
    """Two columns beside their product, as in (x - a)*(y - b)."""
    for x, y in combinations(columns, 2):
        both = x.columns | y.columns
        yield from ((x, y, u) for u in twos if u.columns == both and u.written.codes[-1] == MUL)


@dataclass(frozen=True, slots=True, eq=False)
class _Maker:
    """Makes coordinates that have values on all rows and that the operators can write."""

    data: Dataset
    operators: Operators

    def coordinate(self, written: Expression) -> Coordinate | None:
        if not self.operators.can_write(written.codes.tolist()):
            return None
        with np.errstate(all="ignore"):
            values = evaluate(written, self.data.table)
            transformations = np.isfinite(values).all() and np.isfinite(span := np.ptp(values)) and span > 0
        return Coordinate(written, values) if transformations else None

    def of_one(self, columns: Sequence[Coordinate]) -> list[Coordinate]:
        texts = [text.format(x=f"x{j}") for one in columns for j in one.columns for text in OF_ONE]
        return self._known(map(parse, texts))

    def of_two(self, columns: Sequence[Coordinate]) -> list[Coordinate]:
        pairs = combinations((j for one in columns for j in one.columns), 2)
        return self._known(parse(text.format(x=f"x{i}", y=f"x{j}")) for i, j in pairs for text in OF_TWO)

    def of_three(self, columns: Sequence[Coordinate]) -> list[Coordinate]:
        triples = combinations((j for one in columns for j in one.columns), 3)
        powers = [one for one in product(EXPONENTS, repeat=3) if sum(map(abs, one)) <= 3]
        return self._known(_monomial(triple, some) for triple in triples for some in powers if some[0] > 0)

    def _known(self, formulas: Iterator[Expression] | map[Expression]) -> list[Coordinate]:
        made: Callable[[Expression], Coordinate | None] = self.coordinate
        return [one for formula in formulas if (one := made(formula)) is not None]


def _monomial(columns: Sequence[int], powers: Sequence[Fraction]) -> Expression:
    """A product of powers, the negative ones as quotients."""
    factors = [(variable(j), power) for j, power in zip(columns, powers, strict=True)]
    above = [raised(x, power) for x, power in factors if power > 0]
    below = [raised(x, -power) for x, power in factors if power < 0]
    top = reduce(lambda left, right: apply("*", left, right), above)
    return reduce(lambda left, right: apply("/", left, right), below, top)
