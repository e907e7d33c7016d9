"""Whether memory stays flat while formulas are evaluated over and over."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from scalesr.expr.evaluate import evaluate, evaluate_many
from scalesr_bench.engine.trees import random_trees

N_TREES: Final = 100
ROWS: Final = 50
N_COLUMNS: Final = 4


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory of the process before and after, in bytes; None where the system does not tell."""

    n_evaluations: int
    before: int | None
    after: int | None

    @property
    def ratio_before_to_after(self) -> float | None:
        return self.before / self.after if self.before and self.after else None

    def as_json(self) -> dict[str, object]:
        """The record with keys that say what was measured."""
        return {
            "evaluations": self.n_evaluations,
            "resident_bytes_before": self.before,
            "resident_bytes_after": self.after,
            "ratio_before_to_after": self.ratio_before_to_after,
        }


def measure_memory(n_evaluations: int, *, rng: np.random.Generator) -> Memory:
    """Evaluate half of the formulas one by one and half in batches, after a first round that warms up."""
    X = np.asfortranarray(rng.uniform(0.5, 2.0, (ROWS, N_COLUMNS)))
    trees = list(islice(random_trees(n_columns=N_COLUMNS, mixed=True, rng=rng), N_TREES))

    def round_trip() -> None:
        for tree in trees:
            evaluate(tree, X)
        evaluate_many(trees, X)

    round_trip()
    before = _resident_bytes()
    n_rounds = max(n_evaluations // (2 * N_TREES), 1)
    for _ in range(n_rounds):
        round_trip()
    return Memory(n_rounds * 2 * N_TREES, before, _resident_bytes())


def _resident_bytes() -> int | None:
    listing = Path("/proc/self/statm")
    if not listing.exists():
        return None
    return int(listing.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
