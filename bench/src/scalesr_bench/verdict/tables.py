"""The tables of the calibration: random laws with noise of every kind, and tables without a law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr_bench.laws.counting import can_be_counted
from scalesr_bench.laws.drawing import DrawnTable, draw_table
from scalesr_bench.laws.target_noise import KINDS, NoiseKind
from scalesr_bench.samplers import random_rows
from scalesr_bench.verdict.lawless import N_FRESH, lawless_table
from scalesr_bench.verdict.random_laws import random_law

Floats = NDArray[np.float64]

LAW: Final = "law"  # the kind of a table that has one
ROWS: Final = (10, 5000)  # log-uniform
EXTRA: Final = (0, 0, 1, 2, 3)  # columns that do not matter
# Range of the level of each kind of noise, log-uniform; None is no noise. Counts are 30 to 1000 on average.
LEVELS: Final[dict[NoiseKind | None, tuple[float, float]]] = {
    None: (0.0, 0.0),
    "constant": (0.003, 0.3),
    "proportional": (0.003, 0.3),
    "counts": (1000**-0.5, 30**-0.5),
    "outliers": (0.01, 0.01),
}


@dataclass(frozen=True, slots=True, eq=False)
class VerdictTable:
    """A table, its truth, and fresh rows of what made it."""

    truth: str
    data: Dataset
    fresh: Floats  # (rows, columns)
    fresh_y: Floats
    drawn: DrawnTable | None  # None where there is no law
    noise_kind: str = ""
    noise: float = 0.0


def verdict_table(kind: str, seed: int, place: int) -> VerdictTable:
    """The table of a kind with this number, the same on every machine."""
    if kind == LAW:
        return _law_table(seed, place)
    made = lawless_table(kind, seed, place)
    return VerdictTable(made.truth, made.data, made.fresh, made.fresh_y, None)


def _law_table(seed: int, place: int) -> VerdictTable:
    """A random law's table; where counts are drawn and the law is not positive, its noise is proportional instead."""
    problem = random_law(seed, place)
    rng = np.random.default_rng([seed, place, 1])
    kind = (None, *KINDS)[int(rng.integers(len(KINDS) + 1))]
    if kind == "counts" and not can_be_counted(problem):
        kind = "proportional"
    low, high = LEVELS[kind]
    noise = float(f"{np.exp(rng.uniform(np.log(low), np.log(high))):.3g}") if kind else 0.0
    n_rows = round(float(np.exp(rng.uniform(*np.log(ROWS)))))
    drawn = draw_table(
        problem, seed=seed, noise=noise, kind=kind, n_rows=n_rows, n_extra=int(rng.choice(EXTRA))
    )  # fmt: skip
    fresh = random_rows(drawn.source.box, N_FRESH, problem.sampling.spacing, rng=rng)
    y = drawn.noise.added_to(drawn.source.values(fresh), rng)
    return VerdictTable(drawn.source.text, drawn.data, fresh, y, drawn, kind or "", noise)
