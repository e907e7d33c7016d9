"""Small tables with known laws, and a search that kills the process it works in once."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import numpy as np

from scalesr.cluster.job import Done, Job, failed
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.exhaustive.search import ExhaustiveSearch

FITS = {"max_work": 30, "time_limit": None, "random_state": 0}  # limited by counted work alone

LAWS = {
    "product": lambda x, z: x * z,
    "ratio": lambda x, z: x / z,
    "root": lambda x, z: np.sqrt(x + z),
    "wave": lambda x, z: 2 * np.sin(x) + 0.01 * z,
    "noisy": lambda x, z: 3 * x + z**2 + 0.05 * np.random.default_rng(5).normal(size=len(x)),
    "decay": lambda x, z: 1.7 * np.exp(-0.6 * x) * z,
}


def write_tables(folder: Path, names: tuple[str, ...] = tuple(LAWS), n_rows: int = 60) -> Path:
    """A CSV file for each law."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, name in enumerate(LAWS):
        if name in names:
            rng = np.random.default_rng(seed)
            x, z = rng.uniform(1, 3, n_rows), rng.uniform(1, 3, n_rows)
            rows = np.column_stack([x, z, LAWS[name](x, z)])
            np.savetxt(folder / f"{name}.csv", rows, delimiter=",", header="x,z,y", comments="", fmt="%.17g")
    return folder


def endless_but_for_the_first(job: Job) -> Done:
    """Work that a worker never comes to the end of, unless the job is called that."""
    while job.name != "first":
        Event().wait(1.0)
    return failed(job, "done")


@dataclass(frozen=True)
class Deadly:
    """A plain search, but that it kills its process until a mark is there, or always at tables with such a column."""

    mark: Path
    column: str = "no column is"

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        if not self.mark.exists() or any(self.column in name for name in sweep.names):
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return ExhaustiveSearch(Operators("physics")).search(sweep, budget, rng=rng, progress=progress)
