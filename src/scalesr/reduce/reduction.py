"""Reduction: a smaller dataset made from a larger one on its own rows, and the way back.

A transformation replaces some columns by fewer functions of them, takes an offset from the target and divides
it by a factor, exactly and row by row. Nothing here depends on a generator: transformations are proposed elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, evaluate_many
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.printing import to_text
from scalesr.expr.substitute import substitute
from scalesr.kernels.codes import CONSTANT, DIV, VARIABLE
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]
SHOWN_DIGITS: Final = 4  # of a number in a sentence
Key = tuple[frozenset[str], str]  # columns of a reduction, and its target with factor and offset, in original names


ONE, ZERO = constant(1.0), constant(0.0)


@dataclass(frozen=True, slots=True)
class Transformation:
    """Columns that go, formulas over the old columns that come, and what is taken from the target and divides it."""

    gone: tuple[int, ...]
    new: tuple[Expression, ...]
    factor: Expression
    misfit: float  # relative size of what the evidence does not explain: 0 is perfect
    offset: Expression = ZERO  # the target is this and the factor times the target afterwards

    def columns(self, n_before: int) -> tuple[Expression, ...]:
        """All columns afterwards, as formulas over those before."""
        return (*self.new, *(variable(j) for j in range(n_before) if j not in self.gone))


def together(transformations: Sequence[Transformation]) -> Transformation:
    """Transformations of different columns as one."""
    return Transformation(
        tuple(column for transformation in transformations for column in transformation.gone),
        tuple(column for transformation in transformations for column in transformation.new),
        reduce(product, (transformation.factor for transformation in transformations)),
        max(transformation.misfit for transformation in transformations),
        reduce(lambda inner, one: plus(one.offset, product(one.factor, inner)), reversed(transformations), ZERO),
    )


def plus(left: Expression, right: Expression) -> Expression:
    """Two summands as one, without zeros."""
    if left == ZERO:
        return right
    return left if right == ZERO else apply("+", left, right)


def product(left: Expression, right: Expression) -> Expression:
    """Two factors as one, without ones and zeros."""
    if ZERO in (left, right):
        return ZERO
    if left == ONE:
        return right
    return left if right == ONE else apply("*", left, right)


def _same(law: Expression) -> Expression:
    return law


@dataclass(frozen=True, slots=True)
class Reduction:
    """A dataset and how its columns and target come from those of the original."""

    data: Dataset
    columns: tuple[Expression, ...]  # of `data`, as formulas over the original columns
    factor: Expression  # the original target, or what it is seen through, is this formula times the target of `data`
    names: tuple[str, ...]  # of the original columns
    back: Callable[[Expression], Expression] = _same  # from a law of what the target is seen through to one of itself
    offset: Expression = ZERO  # what is added to that

    @property
    def key(self) -> Key:
        """What tells it from other reductions of one table: columns in any order, target as seen, factor and offset."""
        outside = to_text(plus(self.offset, self.factor), self.names)
        return frozenset(self.data.names), f"{self.data.target} by {outside}"

    def text(self, formula: Expression) -> str:
        """A formula over the columns of `data`, written in the original names, with the digits that people read."""
        return to_text(substitute(formula, dict(enumerate(self.columns))), self.names, digits=SHOWN_DIGITS)

    @property
    def told_names(self) -> str:
        """The columns of `data`, for a sentence."""
        return ", ".join(self.text(variable(column)) for column in range(len(self.columns)))

    def restore(self, law: Expression) -> Expression:
        """The law of the original target that a law of the reduced one means."""
        inner = substitute(law, dict(enumerate(self.columns)))
        return self.back(plus(self.offset, product(self.factor, inner)))

    def expressed(self, law: Expression) -> Expression | None:
        """A law of the original target as one of the reduced; None where a column has no counterpart of its own."""
        known = {}
        for place, column in enumerate(self.columns):
            if column.codes[0] == VARIABLE and column.n_nodes == 1:
                known[int(column.args[0])] = variable(place)
            elif column.codes.tolist() == [VARIABLE, CONSTANT, DIV]:
                known[int(column.args[0])] = apply("*", variable(place), constant(float(column.constants[0])))
        if self.back is not _same or not known.keys() >= {
            *law.variables, *self.factor.variables, *self.offset.variables
        }:  # fmt: skip
            return None
        inner = substitute(law, known)
        if self.offset != ZERO:
            inner = apply("-", inner, substitute(self.offset, known))
        return inner if self.factor == ONE else apply("/", inner, substitute(self.factor, known))


def untouched(data: Dataset) -> Reduction:
    """The reduction that changes nothing."""
    return Reduction(data, tuple(variable(j) for j in range(data.n_variables)), ONE, data.names)


def applied(transformation: Transformation, before: Reduction, *, weighted: bool = False) -> Reduction | None:
    """The dataset after one more transformation; None where a row would have no value.

    `weighted` rows count by how large the factor is there, as noise that all rows of the target share makes them
    count; rows that have weights always do.
    """
    data = before.data
    new = transformation.columns(data.n_variables)
    with np.errstate(all="ignore"):
        columns = evaluate_many(new, data.table)
        factor = evaluate(transformation.factor, data.table)
        y = (data.y - evaluate(transformation.offset, data.table)) / factor
    if not (np.isfinite(columns).all() and np.isfinite(y).all()):
        return None
    weights = _moved_weights(data.weights, factor) if weighted or data.weights is not None else None
    old = dict(enumerate(before.columns))
    written = tuple(substitute(column, old) for column in new)
    names = tuple(to_text(column, before.names) for column in written)  # with all digits, which tell columns apart
    return Reduction(
        Dataset(np.ascontiguousarray(columns), y, names, data.target, weights),
        written,
        product(before.factor, substitute(transformation.factor, old)),
        before.names,
        before.back,
        plus(before.offset, product(before.factor, substitute(transformation.offset, old))),
    )


def seen_through(back: Callable[[Expression], Expression], before: Reduction, data: Dataset) -> Reduction:
    """The same columns with a function of the target; `back` leads from a law of that to one of the target."""

    def to_original(law: Expression) -> Expression:
        return before.back(plus(before.offset, product(before.factor, back(law))))

    return Reduction(data, before.columns, ONE, before.names, to_original)


def described(transformation: Transformation, before: Reduction) -> str:
    """What a transformation says about the law, in the original names."""
    said = []
    if transformation.new:
        pair = " and ".join(before.text(variable(column)) for column in transformation.gone)
        said.append(f"{pair} enter as {' and '.join(before.text(column) for column in transformation.new)}")
    if transformation.offset != ZERO:
        less = f"the target less {before.text(transformation.offset)}"
        said.append(f"{less} is proportional to {before.text(transformation.factor)}")
    elif transformation.factor != ONE:
        said.append(f"the target is proportional to {before.text(transformation.factor)}")
    return " where ".join(said)


def _moved_weights(weights: Floats | None, factor: Floats) -> Floats:
    """Weights under which squared errors of the new target count as those of the old one did."""
    scaled = (1.0 if weights is None else weights) * (factor / np.abs(factor).max()) ** 2
    return np.asarray(scaled / scaled.max())
