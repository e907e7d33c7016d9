"""Relevance: columns that the target does not depend on, as rows that were not learned from show."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scalesr.records.dataset import Dataset
from scalesr.records.precision import CLEAN
from scalesr.records.stop import Stop
from scalesr.reduce.config import REDUCE
from scalesr.reduce.parts import Learn, Parts
from scalesr.reduce.reduction import ONE, Reduction, Transformation, applied
from scalesr.reduce.symmetry import probe


@dataclass(frozen=True, slots=True)
class Relevant:
    """The dataset with the columns that matter, and the evidence."""

    reduction: Reduction
    sentence: str
    rejected: tuple[str, ...]


def drop_irrelevant(start: Reduction, *, learn: Learn, rng: np.random.Generator, stop: Stop) -> Relevant:
    """Leave out columns without which unseen rows are predicted no worse."""
    parts = Parts(start.data, learn, rng)
    generator, before = parts.measured_as_is()
    effects = _effects(start, generator=probe(start.data.rows(parts.second), generator).slopes)
    doubted = [int(j) for j in np.argsort(effects) if effects[j] < REDUCE.slight_effect][: start.data.n_variables - 1]
    gone: list[int] = []
    kept: list[str] = []
    for batch in _batches(doubted):
        if stop.passed or set(batch) <= set(gone):
            continue
        trial = tuple(dict.fromkeys([*gone, *batch]))
        after = parts.misses(Transformation(trial, (), ONE, 0.0))
        if after.trimmed_rmse <= REDUCE.no_worse * before.trimmed_rmse and not after.is_clearly_worse_than(before):
            gone, before = list(trial), min(before, after, key=lambda misses: misses.trimmed_rmse)
        elif len(batch) == 1:
            kept.append(
                f"without {start.data.names[batch[0]]} the error rises "
                f"from {before.trimmed_rmse:.2g} to {after.trimmed_rmse:.2g}"
            )
    left = applied(Transformation(tuple(gone), (), ONE, 0.0), start) if gone else None
    if left is None:
        return Relevant(start, f"All {start.data.n_variables} columns matter.", tuple(kept))
    names = ", ".join(start.data.names[j] for j in sorted(gone))
    return Relevant(left, f"{names} left out: unseen rows are predicted as well without.", tuple(kept))


def bring_back(start: Reduction, wider: Reduction, *, learn: Learn, rng: np.random.Generator, stop: Stop) -> Relevant:
    """Take back columns of an earlier dataset without which, by now, unseen rows are predicted worse.

    A small effect is hidden by the errors of a generator of many columns, and shows when it has few to learn.
    """
    here = start
    with np.errstate(all="ignore"):
        shared = {j: abs(np.corrcoef(wider.data.columns[j], start.data.y)[0, 1]) for j in left_out(start, wider)}
    varied = [j for j, share in shared.items() if np.isfinite(share)]
    refused: list[str] = []
    for j in sorted(varied, key=lambda j: -shared[j])[: REDUCE.n_columns_back]:
        if stop.passed:
            break
        widened = _widened(here, wider, j)
        parts = Parts(widened.data, learn, rng)
        _, with_it = parts.measured_as_is()
        without = parts.misses(Transformation((here.data.n_variables,), (), ONE, 0.0))
        if without.trimmed_rmse > max(
            REDUCE.needed_column * with_it.trimmed_rmse, CLEAN
        ) and without.is_clearly_worse_than(with_it):
            here = widened
        else:
            name = wider.data.names[j]
            refused.append(f"{name}: error {with_it.trimmed_rmse:.2g} with it and {without.trimmed_rmse:.2g} without")
    names = ", ".join(here.data.names[start.data.n_variables :])
    sentence = f"{names} taken back: unseen rows are now predicted worse without." if names else "Nothing to take back."
    return Relevant(here, sentence, tuple(refused))


def left_out(start: Reduction, wider: Reduction) -> list[int]:
    """Columns of a wider dataset that nothing of the smaller one is made of."""
    used = {column for formula in (*start.columns, start.factor, start.offset) for column in formula.variables}
    return [j for j, formula in enumerate(wider.columns) if used.isdisjoint(formula.variables)]


def _widened(start: Reduction, wider: Reduction, column: int) -> Reduction:
    """A dataset with one more column of a wider one, the last."""
    data, more = start.data, wider.data
    table = np.vstack([data.columns, more.columns[column]])
    names = (*data.names, more.names[column])
    return replace(
        start,
        data=Dataset(table, data.y, names, data.target, data.weights),
        columns=(*start.columns, wider.columns[column]),
    )


def _effects(start: Reduction, *, generator: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[float]:
    """Effect of each column: root mean square slope times its standard deviation, over that of the target."""
    std = start.data.std or 1.0
    sizes = np.sqrt(np.mean(generator**2, axis=0)) * start.data.columns.std(axis=1) / std
    return [float(size) for size in sizes]


def _batches(doubted: list[int]) -> list[list[int]]:
    """All doubted columns at once, and then each alone, the slightest first."""
    return [doubted, *([j] for j in doubted)] if len(doubted) > 1 else [doubted] if doubted else []
