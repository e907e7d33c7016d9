"""Variant: what is learned from what, plain numbers or logarithms; and those that suit a table best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.find_metric import find_metric
from scalesr.generator.metric import Metric
from scalesr.generator.scaling import Scaling, positive_columns, wide_columns
from scalesr.generator.target import Target, one_sign
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Scaled inputs and target, and the way back."""

    scaling: Scaling
    target: Target
    Z: Floats  # (rows, variables)
    t: Floats  # (rows,)
    weights: Floats | None  # (rows,)


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """Which inputs are taken as logarithms, and the sign of a target that is (0: the target itself)."""

    logs: NDArray[np.bool_]  # (variables,)
    sign: int

    def of(self, data: Dataset) -> Prepared:
        """The rows as they are learned."""
        scaling, target = Scaling.of(data.table, self.logs), Target.of(data.y, self.sign)
        return Prepared(scaling, target, scaling.apply(data.table), target.forward(data.y), data.weights)

    def __str__(self) -> str:
        inputs = "plain inputs" if not self.logs.any() else "log inputs" if self.logs.all() else "some log inputs"
        return f"{inputs}, {'log' if self.sign else 'plain'} target"


@dataclass(frozen=True, slots=True, eq=False)
class Suited:
    """A variant, the metric that some rows show through it, and its error where each of them is left out."""

    variant: Variant
    metric: Metric
    error: float  # root of the sum of squares, in units of y


def variants(data: Dataset) -> list[Variant]:
    """Plain inputs (logarithms of wide columns only) or all logarithms, for y and for log y."""
    wide, positive = wide_columns(data.table), positive_columns(data.table)
    inputs = [wide] if np.array_equal(wide, positive) else [wide, positive]
    sign = one_sign(data.y)
    return [Variant(logs, goal) for goal in ([0, sign] if sign else [0]) for logs in inputs]


def suited(data: Dataset, choices: list[Variant]) -> list[Suited]:
    """How the variants suit some rows, the best first; work grows with the cube of the rows."""
    return sorted((_suited(data, variant) for variant in choices), key=lambda found: found.error)


def _suited(data: Dataset, variant: Variant) -> Suited:
    ready = variant.of(data)
    metric = find_metric(ready.Z, ready.t)
    errors = ready.target.inverse(metric.leave_one_out(ready.Z, ready.t)) - data.y
    return Suited(variant, metric, float(np.linalg.norm(errors)))
