"""Transformed targets: a law for y^2 or log(y) is often a plain sum where that for y is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply, constant, open_constant
from scalesr.expr.operators import Operators
from scalesr.kernels.codes import ADD, OPEN
from scalesr.records.dataset import Dataset
from scalesr.records.precision import SLOPE_STEP, SQUARABLE
from scalesr.reduce.sparse.config import SPARSE

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TargetView:
    """Rows with the target as it is or transformed."""

    rows: Dataset
    expected: Floats | None  # (rows,) the target without its noise, as far as it is known; None: there is no noise

    @property
    def readings(self) -> tuple[TargetView, ...]:
        """The rows as if they had no noise, and as they are: what looks like noise may be a function not learned."""
        return (self,) if self.expected is None else (TargetView(self.rows, None), self)

    def thinned(self, n_rows: int) -> TargetView:
        """At most this many rows, evenly spaced."""
        thin = self.rows.thinned(n_rows)
        if self.expected is None or thin is self.rows:
            return TargetView(thin, self.expected)
        return TargetView(thin, self.rows.with_target(self.expected, "expected").thinned(n_rows).y)


@dataclass(frozen=True, slots=True)
class TargetFunction:
    """A function of the target's size, and the way back from a law for it to one for the target."""

    text: str  # with y for the target
    needs: tuple[str, ...]  # operators of the way back
    values: Callable[[Floats], Floats]
    back: Callable[[Expression], Expression]
    has_values: Callable[[Floats], bool]  # for these sizes, or for these signed values
    signed: bool = False  # whether the target itself is taken, not its size
    is_power: bool = False  # of the target: a product of powers stays one
    forgives: bool = False  # whether a few small values of the other sign, which noise may give, do no harm

    def view(self, of: TargetView) -> TargetView | None:
        """The rows with the transformed target, None where it does not go with these values.

        A target with noise is transformed along the tangent at its expected value: h(e) + h'(e) (y - e). What the
        noise adds then stays without bias, and weights make an error count as it did before.
        """
        if self is AS_IT_IS:
            return of
        sign = 1 if self.signed else _sign(of.rows.y if of.expected is None else of.expected)
        if sign == 0:
            return None
        return self._exact_view(of.rows, sign) if of.expected is None else self._tangent_view(of, of.expected, sign)

    def _exact_view(self, data: Dataset, sign: int) -> TargetView | None:
        if not (self.signed or self.forgives) and (sign * data.y <= 0).any():
            return None
        size = data.y if self.signed else np.abs(data.y)
        moved = self._moved(size)
        if moved is None:
            return None
        weights = None if data.weights is None else self._weights(size, data.weights)
        return TargetView(replace(data, y=moved, target=self.text, weights=weights), None)

    def _tangent_view(self, of: TargetView, expected: Floats, sign: int) -> TargetView | None:
        """Rows whose expected value has no transformed one, or a flat one, say nothing and are left out."""
        usable = np.isfinite(expected) if self.signed else sign * expected > 0
        size, y = sign * expected[usable], sign * of.rows.y[usable]
        if usable.mean() < SPARSE.transformed_share or (moved := self._moved(size)) is None:
            return None
        slopes = self._slopes(size)
        told = np.isfinite(slopes) & (slopes != 0)
        if told.mean() < SPARSE.transformed_share:
            return None
        shares = (slopes[told] / np.abs(slopes[told]).min()) ** -2
        rows = of.rows.rows(np.flatnonzero(usable)[told])
        weights = shares if rows.weights is None else shares * rows.weights
        along = moved[told] + slopes[told] * (y[told] - size[told])
        return TargetView(replace(rows, y=along, target=self.text, weights=weights), moved[told])

    def _moved(self, size: Floats) -> Floats | None:
        """The function of sizes or signed values, None where it has no value on some row."""
        if not self.has_values(size):
            return None
        with np.errstate(all="ignore"):
            moved = self.values(size)
            is_usable = np.isfinite(np.square(moved).sum())  # errors are judged by their squares
        return moved if is_usable else None

    def _slopes(self, size: Floats) -> Floats:
        step = SLOPE_STEP * np.where(size == 0, np.abs(size).max() or 1.0, size)  # towards zero, where all have values
        with np.errstate(all="ignore"):
            return np.asarray((self.values(size) - self.values(size - step)) / step)

    def _weights(self, size: Floats, weights: Floats) -> Floats:
        """Weights under which errors of the transformed target count as those of the target did."""
        slopes = np.abs(self._slopes(size))
        usual = float(np.median(slopes)) or 1.0
        return np.asarray(weights / np.maximum(slopes / usual, SPARSE.least_slope) ** 2)

    def law(self, inner: Expression, y: Floats) -> Expression:
        """The form for the target that `inner`, a form for the transformed one, means; constants keep their order."""
        outer = self.back(inner)
        return apply("neg", outer) if not self.signed and _sign(y) < 0 else outer


def _sign(y: Floats) -> int:
    """The sign of nearly all of the target, 0 where both have a say."""
    size = float(np.abs(y).sum())
    share = float(y.sum()) / size if size else 0.0
    return 0 if abs(share) < 1 - SPARSE.targets_forgiven else int(np.sign(share))


def usable_targets(operators: Operators) -> Sequence[TargetFunction]:
    """The transformations whose way back the operators can write."""
    return [target for target in _TRANSFORMED if all(operators.can_end_with(name) for name in target.needs)]


def _one_over(inner: Expression) -> Expression:
    return apply("/", constant(1.0), inner)


def _one_over_root(inner: Expression) -> Expression:
    return _one_over(apply("sqrt", inner))


def _one_over_square(inner: Expression) -> Expression:
    return _one_over(_square(inner))


def _exponential(inner: Expression) -> Expression:
    """exp(u + C) as exp(u)*C, whose constants are easier to read."""
    if len(inner.codes) > 2 and inner.codes[-1] == ADD and inner.codes[-2] == OPEN:
        rest = Expression(inner.codes[:-2], inner.args[:-2], inner.constants[:-1])
        return apply("*", apply("exp", rest), open_constant())
    return apply("exp", inner)


def _call(name: str) -> Callable[[Expression], Expression]:
    return lambda inner: apply(name, inner)


def _has_square(size: Floats) -> bool:
    return float(np.abs(size).max()) < SQUARABLE


def _is_divisor(size: Floats) -> bool:
    least = float(np.abs(size).min())
    return least > 0 and float(np.abs(size).max()) < SPARSE.targets_decades * least


def _is_moderate(y: Floats) -> bool:
    return float(np.abs(y).max()) < SPARSE.moderate_size


def _is_share(y: Floats) -> bool:
    return float(np.abs(y).max()) < SPARSE.inverse_range


def _is_within(low: float, high: float) -> Callable[[Floats], bool]:
    return lambda y: bool(low < y.min() and y.max() < high)


def _square(inner: Expression) -> Expression:
    return apply("powi", inner, power=2)


AS_IT_IS = TargetFunction("y", (), np.asarray, lambda inner: inner, _has_square, signed=True, is_power=True)
SQUARE = TargetFunction("y^2", ("sqrt",), np.square, _call("sqrt"), _has_square, is_power=True, forgives=True)
RECIPROCAL = TargetFunction("1/y", ("/",), np.reciprocal, _one_over, _is_divisor, signed=True, is_power=True)
LOGARITHM = TargetFunction("log(y)", ("exp",), np.log, _exponential, _is_divisor)
_TRANSFORMED = (
    SQUARE,
    RECIPROCAL,
    LOGARITHM,
    TargetFunction("sqrt(y)", ("*",), np.sqrt, _square, _has_square, is_power=True),
    TargetFunction("1/y^2", ("/", "sqrt"), lambda y: 1 / y**2, _one_over_root, _is_divisor, is_power=True),
    TargetFunction("1/sqrt(y)", ("/", "*"), lambda y: 1 / np.sqrt(y), _one_over_square, _is_divisor, is_power=True),
    TargetFunction("exp(y)", ("log",), np.exp, _call("log"), _is_moderate, signed=True),
    TargetFunction("sin(y)", ("asin",), np.sin, _call("asin"), _is_within(-np.pi / 2, np.pi / 2), signed=True),
    TargetFunction("cos(y)", ("acos",), np.cos, _call("acos"), _is_within(0.0, np.pi), signed=True),
    TargetFunction("tan(y)", ("atan",), np.tan, _call("atan"), _is_within(-np.pi / 2, np.pi / 2), signed=True),
    TargetFunction("asin(y)", ("sin",), np.arcsin, _call("sin"), _is_share, signed=True),
    TargetFunction("acos(y)", ("cos",), np.arccos, _call("cos"), _is_share, signed=True),
    TargetFunction("atanh(y)", ("tanh",), np.arctanh, _call("tanh"), _is_share, signed=True),
)
