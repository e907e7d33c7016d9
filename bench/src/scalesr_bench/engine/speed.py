"""How fast formulas are evaluated, next to pyoperon on the same trees."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, evaluate_many
from scalesr.expr.expression import Expression
from scalesr_bench.engine.operon import Operon, has_operon
from scalesr_bench.engine.trees import random_trees
from scalesr_bench.timing import Task, fastest

N_COLUMNS: Final = 4
LARGEST: Final = 1e4  # trees with larger values are left out: single precision would not compare
AGREEMENT: Final = 1e-3  # single precision carries 6e-8 per node, and cancellation enlarges it
AGREEING_ROWS: Final = 0.99  # of the rows; the rest may lie next to a pole


@dataclass(frozen=True, slots=True)
class Speed:
    """Nodes x rows per second on one core, for one kind of trees and one number of rows."""

    kind: str
    rows: int
    n_trees: int  # timed
    n_disagreeing: int  # left out because pyoperon's values differ from ours
    nodes_per_tree: float
    each: float  # one call per tree
    batch: float  # one call for all
    operon_each: float | None = None
    operon_batch: float | None = None

    @property
    def ratio_each(self) -> float | None:
        return None if self.operon_each is None else self.each / self.operon_each

    @property
    def ratio_batch(self) -> float | None:
        return None if self.operon_batch is None else self.batch / self.operon_batch

    def as_json(self) -> dict[str, object]:
        """The record with keys that say what was measured."""
        return {
            "kind": self.kind,
            "rows": self.rows,
            "trees": self.n_trees,
            "trees_left_out_as_disagreeing": self.n_disagreeing,
            "nodes_per_tree": self.nodes_per_tree,
            "nodes_rows_per_second_evaluate": self.each,
            "nodes_rows_per_second_evaluate_many": self.batch,
            "operon_nodes_rows_per_second_evaluate": self.operon_each,
            "operon_nodes_rows_per_second_evaluate_trees": self.operon_batch,
            "ratio_to_operon_evaluate": self.ratio_each,
            "ratio_to_operon_evaluate_trees": self.ratio_batch,
        }


def measure_speed(*, mixed: bool, rows: int, n_trees: int, repeats: int, rng: np.random.Generator) -> Speed:
    """Time both engines in turns on trees whose values they agree on."""
    X = np.asfortranarray(rng.uniform(0.5, 2.0, (rows, N_COLUMNS)))
    stream = random_trees(n_columns=N_COLUMNS, mixed=mixed, rng=rng)
    trees = list(islice((tree for tree in stream if _is_tame(tree, X)), n_trees))
    operon = Operon(X) if has_operon() else None
    pairs = [(tree, operon.tree(tree) if operon else None) for tree in trees]
    if operon:
        pairs = [(ours, theirs) for ours, theirs in pairs if _agree(evaluate(ours, X), operon.evaluate(theirs))]
    times = fastest(_tasks(X, pairs, operon), repeats=repeats)
    n_nodes = sum(tree.n_nodes for tree, _ in pairs)
    rates = {name: n_nodes * rows / seconds for name, seconds in times.items()}
    kind = "mixed" if mixed else "arithmetic"
    return Speed(kind, rows, len(pairs), n_trees - len(pairs), n_nodes / len(pairs), **rates)


def _tasks(X: NDArray[np.float64], pairs: list[tuple[Expression, Any]], operon: Operon | None) -> dict[str, Task]:
    ours = [tree for tree, _ in pairs]
    tasks: dict[str, Task] = {
        "each": lambda: [evaluate(tree, X) for tree in ours],
        "batch": lambda: evaluate_many(ours, X, n_threads=1),
    }
    if operon:
        theirs = [tree for _, tree in pairs]
        tasks["operon_each"] = lambda: [operon.evaluate(tree) for tree in theirs]
        tasks["operon_batch"] = operon.batch(theirs)
    return tasks


def _is_tame(tree: Expression, X: NDArray[np.float64]) -> bool:
    values = evaluate(tree, X)
    return bool(np.isfinite(values).all() and np.abs(values).max() < LARGEST)


def _agree(ours: NDArray[np.float64], theirs: NDArray[np.float32]) -> bool:
    return bool((np.abs(ours - theirs) <= AGREEMENT * (1 + np.abs(ours))).mean() >= AGREEING_ROWS)
