"""Variant: what is learned from what, plain numbers or logarithms, and how likely each makes a table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.config import GENERATOR
from scalesr.generator.find_metric import find_metric
from scalesr.generator.metric import Metric
from scalesr.generator.pairs import PairMetric, find_pairs
from scalesr.generator.scaling import Flags, Scaling, bent_logarithms, even_logarithms, wide_columns
from scalesr.generator.target import Target, one_sign
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Scaled inputs and target, and the way back."""

    scaling: Scaling
    target: Target
    Z: Floats  # (rows, inputs)
    t: Floats  # (rows,)
    weights: Floats | None  # (rows,)


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """Inputs, each a column or its logarithm, and the sign of a target whose logarithm is learned."""

    columns: NDArray[np.int64]  # (inputs,)
    logs: Flags  # (inputs,)
    sign: int  # 0: the target itself
    pairs: bool  # whether a sum of functions of two inputs is learned, or any function

    def of(self, data: Dataset) -> Prepared:
        """The rows as they are learned."""
        scaling, target = Scaling.of(data.table, self.columns, self.logs), Target.of(data.y, self.sign)
        weights = data.weights if self.sign == 0 or data.weights is None else _of_logarithms(data.weights, data.y)
        return Prepared(scaling, target, scaling.apply(data.table), target.forward(data.y), weights)

    def __str__(self) -> str:
        inputs = "plain inputs" if not self.logs.any() else "log inputs" if self.logs.all() else "plain and log inputs"
        return f"{inputs}, {'log' if self.sign else 'plain'} target"


@dataclass(frozen=True, slots=True, eq=False)
class Suited:
    """A variant, the metric that some rows show through it, and how likely it makes them."""

    variant: Variant
    metric: Metric | PairMetric
    cost: float  # negative log likelihood of y per row


def variants(data: Dataset) -> list[Variant]:
    """Any function of logarithms or of plain inputs, and sums of functions of pairs of both; for log y and for y."""
    table, each = data.table, np.arange(data.n_variables)
    wide, bent = wide_columns(table), np.flatnonzero(bent_logarithms(table))
    choices = {tuple(logs): logs for logs in (wide | even_logarithms(table), wide, np.zeros_like(wide))}
    kinds = [(each, logs, False) for logs in choices.values()]
    if len(each) + len(bent) > 2:
        both = np.concatenate([np.zeros(len(each), bool), np.ones(len(bent), bool)])
        kinds.append((np.concatenate([each, bent]), both, True))
    sign = one_sign(data.y)
    return [
        Variant(columns, logs, goal, pairs) for goal in ([sign, 0] if sign else [0]) for columns, logs, pairs in kinds
    ]


def suited(data: Dataset, choices: list[Variant]) -> list[Suited]:
    """How likely the variants make some rows, the best first; work grows with the cube of the rows.

    A variant that explains the rows as well as numbers allow ends the comparison.
    """
    found: list[Suited] = []
    for variant in choices:
        found.append(suit(data, variant))
        if found[-1].cost < np.log(Target.of(data.y, 0).std) + GENERATOR.explained_by:
            break
    return sorted(found, key=lambda one: one.cost)


def suit(data: Dataset, variant: Variant) -> Suited:
    """The metric that some rows show through a variant."""
    ready = variant.of(data)
    metric = find_pairs(ready.Z, ready.t) if variant.pairs else find_metric(ready.Z, ready.t)
    stretch = np.log(ready.target.slope(ready.t) * (variant.sign or 1)).mean()  # from the likelihood of t to that of y
    return Suited(variant, metric, metric.cost / data.n_rows + float(stretch))


def _of_logarithms(weights: Floats, y: Floats) -> Floats:
    """Weights of log(y) that go with those of y, where they are: errors that grow with y are alike in its logarithm.

    Weights that say nothing of that, as those of good and bad rows, stay as they are.
    """
    moved = weights * (y / np.abs(y).max()) ** 2
    counted = weights > 0
    is_evener = float(np.log(moved[counted]).std()) < float(np.log(weights[counted]).std())
    return np.asarray(moved if is_evener else weights)
