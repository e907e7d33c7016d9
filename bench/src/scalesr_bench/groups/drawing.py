"""Tables of a law in groups, the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.groups import GroupedData
from scalesr_bench.groups.problems import GroupProblem

Floats = NDArray[np.float64]

N_FRESH = 25  # rows of each group without noise, that a form is judged on


@dataclass(frozen=True, slots=True, eq=False)
class DrawnGroups:
    """Rows with noise, and fresh ones of the same groups without."""

    problem: GroupProblem
    rows: GroupedData
    fresh: GroupedData


def draw_groups(problem: GroupProblem, *, seed: int, noise: float) -> DrawnGroups:
    """The table of a problem; `noise` is over the standard deviation of the target."""
    rng = np.random.default_rng([seed, *problem.name.encode()])
    low, high = problem.rows
    sizes = rng.integers(int(low), int(high) + 1, problem.n_groups)
    letters = np.column_stack([rng.uniform(*ends, problem.n_groups) for ends in problem.letters.values()])
    rows = _rows(problem, sizes, letters, rng)
    noisy = rows.data.y + noise * rows.data.std * rng.standard_normal(rows.data.n_rows)
    fresh = _rows(problem, np.full(problem.n_groups, N_FRESH), letters, rng)
    return DrawnGroups(problem, GroupedData(rows.data.with_target(noisy, "y"), rows.row_starts, rows.labels), fresh)


def _rows(problem: GroupProblem, sizes: NDArray[np.int64], letters: Floats, rng: np.random.Generator) -> GroupedData:
    n_rows = int(sizes.sum())
    table = np.column_stack([rng.uniform(*ends, n_rows) for ends in problem.columns.values()])
    law = parse(problem.law, [*problem.columns, *problem.letters])
    y = evaluate(law, np.column_stack([table, np.repeat(letters, sizes, axis=0)]))
    data = Dataset.from_table(table, y, names=list(problem.columns))
    labels = tuple(np.repeat(np.arange(problem.n_groups), sizes).tolist())
    return GroupedData.from_labels(data, labels)
