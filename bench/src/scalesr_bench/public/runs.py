"""One run: a method learns from four fifths of a table and predicts the rest."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr_bench.laws.runs import describe
from scalesr_bench.public.predicting import Prediction, predictor, prepare
from scalesr_bench.public.tables import PublicTable
from scalesr_bench.run_log import Record, StoredRun

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PublicJob:
    """One method on one split of one table."""

    method: str
    table: PublicTable
    split: int  # the part of the rows that is held out
    n_splits: int
    seed: int
    time_limit: float

    @property
    def key(self) -> str:
        return f"{self.method} | {self.table.name} | split {self.split} of {self.n_splits} | seed {self.seed}"


@dataclass(frozen=True, slots=True)
class PublicRun(StoredRun):
    """What a method said of the rows that were held out."""

    method: str
    table: str
    split: int
    seed: int
    n_rows: int  # that were learned from
    n_variables: int
    seconds: float
    errors: tuple[float, ...]  # of each row that was held out, in their order
    deviations: tuple[float, ...]  # of the same rows from the mean of those that were learned from
    n_without_value: int = 0  # rows that the formula has no finite value for; the mean stands in
    n_nodes: int = 0
    formula: str = ""  # or the text of an error of the method; the mean stands in for it
    verdict: str = ""
    failed: bool = False


def run_job(job: PublicJob) -> Record:
    """Run a job in this process; a method that fails predicts the mean."""
    data = job.table.data()
    held = held_rows(data.n_rows, job.split, job.n_splits, job.seed)
    learned, fresh = data.rows(~held), data.rows(held)
    predict = predictor(job.method)
    failed = False
    start = time.perf_counter()
    try:
        prepare(job.method)
        start = time.perf_counter()
        prediction = predict(learned, fresh.table, job.time_limit, job.seed)
    except Exception as error:  # a benchmark goes on and tells what failed
        prediction, failed = Prediction(np.full(fresh.n_rows, np.nan), 0, describe(error)), True
    return asdict(_run(job, learned, fresh, prediction, time.perf_counter() - start, failed=failed))


def held_rows(n_rows: int, split: int, n_splits: int, seed: int) -> NDArray[np.bool_]:
    """Which rows are held out: every row is in one split, by a permutation that all methods share."""
    order = np.random.default_rng([seed, n_rows]).permutation(n_rows)
    held = np.zeros(n_rows, np.bool_)
    held[order[split::n_splits]] = True
    return held


def _run(
    job: PublicJob, learned: Dataset, fresh: Dataset, prediction: Prediction, seconds: float, *, failed: bool
) -> PublicRun:
    mean = float(learned.y.mean())
    known = np.isfinite(prediction.values)
    values = np.where(known, prediction.values, mean)
    return PublicRun(
        job.method, job.table.name, job.split, job.seed, learned.n_rows, learned.n_variables, seconds,
        errors=tuple((values - fresh.y).tolist()), deviations=tuple((mean - fresh.y).tolist()),
        n_without_value=int((~known).sum()), n_nodes=prediction.n_nodes, formula=prediction.formula,
        verdict=prediction.verdict, failed=failed,
    )  # fmt: skip
