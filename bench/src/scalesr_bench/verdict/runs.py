"""One run: a table whose truth is known, what is said of it, and whether plain learning predicts it better."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

import numpy as np

from scalesr.expr.evaluate import evaluate
from scalesr.records.config import Settings
from scalesr.records.discovery import Discovery, Verdict
from scalesr_bench.laws.judging import ERROR, RIGHT, WRONG_VERDICT, Judgement, judge
from scalesr_bench.laws.methods import make_method
from scalesr_bench.laws.runs import describe, warm_up
from scalesr_bench.predictors import compare
from scalesr_bench.run_log import Record, StoredRun
from scalesr_bench.verdict.tables import VerdictTable, verdict_table


@dataclass(frozen=True, slots=True)
class VerdictJob:
    """One method on one table."""

    method: str
    kind: str  # "law", or the kind of a table without one
    place: int
    seed: int
    time_limit: float

    @property
    def key(self) -> str:
        return f"{self.method} | {self.kind} {self.place} | seed {self.seed}"


@dataclass(frozen=True, slots=True)
class VerdictRun(StoredRun):
    """What was said of a table, and what is true."""

    method: str
    kind: str
    place: int
    seed: int
    truth: str
    finding: str  # "right", or what is wrong
    n_rows: int
    n_columns: int
    noise_kind: str  # "" without noise
    noise: float
    seconds: float
    found: str = ""  # text of the law, or of the error
    verdict: str = ""
    probability: float | None = None  # None: not given
    is_law: bool = False  # the truth, or its form with other constants
    wrong_exact: bool = False  # "exact" was said of what is not the truth
    complexity: int = 0
    better: str = ""  # a predictor that is significantly better on fresh rows
    law_error: float | None = None  # mean absolute error on fresh rows; None where the law has no values there
    predictor_error: float | None = None  # of the best predictor


def run_job(job: VerdictJob) -> Record:
    """Run a job in this process; whatever goes wrong in the method is a finding."""
    table = verdict_table(job.kind, job.seed, job.place)
    start = time.perf_counter()
    try:
        warm_up(job.method)
        start = time.perf_counter()
        rng = np.random.default_rng([job.seed, job.place, len(job.kind)])
        discovery = make_method(job.method)(table.data, Settings(time_limit=job.time_limit), rng=rng)
    except Exception as error:  # a benchmark goes on and tells what failed
        return asdict(_run(job, table, ERROR, time.perf_counter() - start, {"found": describe(error)}))
    seconds = time.perf_counter() - start
    return asdict(_run(job, table, *_judged(table, discovery, seconds)))


def probability_of(discovery: Discovery) -> float | None:
    """The probability that a discovery gives its law; None where it gives none."""
    given = getattr(discovery, "probability", None)
    return float(given) if isinstance(given, float | int) else None


def _judged(table: VerdictTable, discovery: Discovery, seconds: float) -> tuple[str, float, Record]:
    judgement = _said_of_no_law(discovery) if table.drawn is None else judge(discovery, table.drawn)
    finding = judgement.finding
    is_law = table.drawn is not None and (judgement.form or finding == RIGHT)
    told = {
        "found": discovery.equation.text(), "verdict": str(discovery.verdict), "is_law": is_law,
        "wrong_exact": judgement.wrong_exact, "probability": probability_of(discovery),
        "complexity": discovery.equation.complexity,
    }  # fmt: skip
    return finding, seconds, {**told, **_beside(table, discovery)}


def _said_of_no_law(discovery: Discovery) -> Judgement:
    """Of a table without a law anything may be said but "exact"."""
    is_exact = discovery.verdict is Verdict.EXACT
    return Judgement(WRONG_VERDICT if is_exact else RIGHT, verdict_right=not is_exact, wrong_exact=is_exact)


def _beside(table: VerdictTable, discovery: Discovery) -> Record:
    """The law's error on fresh rows beside the best predictor's."""
    with np.errstate(all="ignore"):
        law = evaluate(discovery.equation.expression, table.fresh)
    found = compare(table.data.table, table.data.y, table.fresh, table.fresh_y, law)
    best = min(found, key=lambda one: one.predictor_error)
    better = [one for one in found if one.is_better]
    return {
        "better": min(better, key=lambda one: one.predictor_error).predictor if better else "",
        "law_error": best.law_error if np.isfinite(law).all() else None,
        "predictor_error": best.predictor_error,
    }


def _run(job: VerdictJob, table: VerdictTable, finding: str, seconds: float, told: Record) -> VerdictRun:
    return VerdictRun(
        job.method, job.kind, job.place, job.seed, table.truth, finding, table.data.n_rows, table.data.n_variables,
        table.noise_kind, table.noise, seconds, **told,
    )  # fmt: skip
