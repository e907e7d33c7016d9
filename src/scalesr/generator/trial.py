"""Trial: a way to learn a table, judged by rows that it had not seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.generator.config import GENERATOR
from scalesr.generator.learned import Function, LearnedGenerator, Smooth
from scalesr.generator.metric import Metric
from scalesr.generator.pairs import PairMetric
from scalesr.generator.trust import Neighbourhood
from scalesr.generator.variant import Prepared, Suited, suit
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]
Check = Callable[[], None]  # called now and then; it raises where work is to end


@dataclass(frozen=True, slots=True)
class Way:
    """A method of learning rows, and what it is called."""

    name: str
    fit: Callable[[Prepared, Metric | PairMetric, np.random.Generator, Check], Smooth]


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Rows to learn from, and rows to judge by."""

    known: Dataset
    held: Dataset


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A way, what it learns from what, and how well it does."""

    way: Way
    found: Suited
    function: Function  # learned from the first fold
    error: float  # root mean square on unseen rows, relative to the standard deviation of y

    @property
    def description(self) -> str:
        return f"{self.way.name} on {self.found.variant}: relative error {self.error:.1e} on unseen rows"

    def finished(self, data: Dataset, *, rng: np.random.Generator) -> LearnedGenerator:
        """The generator that is learned from all rows; its noise is the error of the trial."""
        function = self.function.refitted(data, rng=rng)
        near = Neighbourhood.of(data.table, function.scaling, rng=rng)
        return LearnedGenerator(function, near, self.error * _std(data.y), self.description)


def some_rows(data: Dataset, n_rows: int, *, rng: np.random.Generator) -> Dataset:
    """At most this many rows, drawn at random: the columns of a regular table repeat with a period."""
    if data.n_rows <= n_rows:
        return data
    return data.rows(np.sort(rng.choice(data.n_rows, n_rows, replace=False)))


def folds(data: Dataset, *, rng: np.random.Generator) -> list[Fold]:
    """One part held back of many rows; of few rows, every one once."""
    order = rng.permutation(data.n_rows)
    if data.n_rows > GENERATOR.folded_rows:
        parts = [order[: int(GENERATOR.held_share * data.n_rows)]]
    else:
        parts = np.array_split(order, min(GENERATOR.n_folds, data.n_rows))
    return [Fold(data.rows(np.setdiff1d(order, part)), data.rows(np.sort(part))) for part in parts]


def judged(way: Way, found: Suited, parts: list[Fold], *, rng: np.random.Generator, check: Check) -> Trial:
    """A way on trial; `found` is of the first fold, the others find their own, because few rows decide it."""
    std = _std(np.concatenate([parts[0].known.y, parts[0].held.y]))
    others = [
        suit(some_rows(fold.known, GENERATOR.fold_metric_rows, rng=rng), found.variant, check=check)
        for fold in parts[1:]
    ]
    functions = [_learned(way, own, fold.known, rng, check) for own, fold in zip([found, *others], parts, strict=True)]
    missed, total = 0.0, 0.0
    for fold, function in zip(parts, functions, strict=True):
        errors = (function.values(fold.held.table) - fold.held.y) / std
        weights = np.ones(len(errors)) if fold.held.weights is None else fold.held.weights
        missed, total = missed + float(weights @ errors**2), total + float(weights.sum())
    error = float(np.sqrt(missed / total))
    return Trial(way, found, functions[0], error if np.isfinite(error) else np.inf)


def _learned(way: Way, found: Suited, data: Dataset, rng: np.random.Generator, check: Check) -> Function:
    check()
    ready = found.variant.of(data)
    return Function(way.fit(ready, found.metric, rng, check), ready.scaling, ready.target)


def _std(y: Floats) -> float:
    """Standard deviation of numbers of any size, or their size where they are all the same."""
    size = float(np.abs(y).max()) or 1.0
    std = float((y / size).std())
    return size * (std if std > 1e-15 else 1.0)
