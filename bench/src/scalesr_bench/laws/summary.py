"""What runs amount to: a line per suite, method and condition, and one per problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from scalesr_bench.laws.condition import Condition
from scalesr_bench.laws.judging import ERROR
from scalesr_bench.laws.lost_by import DATA, SEARCH
from scalesr_bench.laws.runs import LawRun
from scalesr_bench.rates import wilson


@dataclass(frozen=True, slots=True)
class LawLine:
    """One method on one suite under one condition."""

    suite: str
    method: str
    noise_kind: str  # "" without noise
    noise: float
    given_rows: int | None  # None: the usual number
    n_runs: int
    n_errors: int
    n_right: int  # laws recovered; where there is none, no law claimed
    low: float  # 95 % interval of that share (Wilson)
    high: float
    n_numeric: int
    n_symbolic: int
    n_form: int  # right but for the constants
    n_paper: int  # by the paper's own criterion
    n_verdict_right: int
    n_wrong_exact: int
    n_lost_by_search: int  # laws missed though the rows prefer the truth
    n_lost_by_data: int  # laws missed that the rows do not prefer
    n_extra_used: int  # runs whose law has a column that does not matter
    verdicts: dict[str, int]
    median_seconds: float
    slowest_seconds: float
    median_seconds_per_stage: dict[str, float]
    median_asked: float  # rows asked of the oracle

    @property
    def condition(self) -> Condition:
        return Condition(self.noise_kind, self.noise, self.given_rows)

    @property
    def share(self) -> float:
        return self.n_right / self.n_runs

    def as_json(self) -> dict[str, object]:
        """The record with its share."""
        return asdict(self) | {"share": self.share}


@dataclass(frozen=True, slots=True)
class ProblemLine:
    """One method on one problem under one condition, over all seeds."""

    suite: str
    problem: str
    method: str
    noise_kind: str
    noise: float
    given_rows: int | None
    n_runs: int
    n_right: int
    n_paper: int
    median_seconds: float
    slowest_seconds: float

    @property
    def condition(self) -> Condition:
        return Condition(self.noise_kind, self.noise, self.given_rows)

    def name_among(self, lines: Sequence[ProblemLine]) -> str:
        """The problem's name, with its suite where lines are of several."""
        return self.problem if len({line.suite for line in lines}) == 1 else f"{self.suite}/{self.problem}"


def summarise(runs: Iterable[LawRun]) -> list[LawLine]:
    """A line per suite, method and condition, in the order they come."""
    groups: dict[tuple[str, str, Condition], list[LawRun]] = {}
    for run in runs:
        groups.setdefault((run.suite, run.method, run.condition), []).append(run)
    return [_line(*key, group) for key, group in groups.items()]


def by_problem(runs: Iterable[LawRun]) -> list[ProblemLine]:
    """A line per problem, method and condition, in the order they come."""
    groups: dict[tuple[str, str, str, Condition], list[LawRun]] = {}
    for run in runs:
        groups.setdefault((run.suite, run.problem, run.method, run.condition), []).append(run)
    return [
        ProblemLine(
            suite,
            problem,
            method,
            *condition,
            n_runs=len(group),
            n_right=sum(run.is_right for run in group),
            n_paper=sum(run.paper for run in group),
            median_seconds=median(run.seconds for run in group),
            slowest_seconds=max(run.seconds for run in group),
        )
        for (suite, problem, method, condition), group in groups.items()
    ]


def failures(runs: Iterable[LawRun]) -> list[LawRun]:
    """Runs that are not right, or said "exact" wrongly, by noise, rows, problem and method."""
    missed = [run for run in runs if not run.is_right or run.wrong_exact]
    return sorted(
        missed,
        key=lambda run: (
            run.noise_kind, run.noise, run.given_rows or 0, run.suite, run.problem, run.method, run.seed
        ),
    )  # fmt: skip


def _line(suite: str, method: str, condition: Condition, runs: Sequence[LawRun]) -> LawLine:
    n_right = sum(run.is_right for run in runs)
    low, high = wilson(n_right, len(runs))
    return LawLine(
        suite,
        method,
        *condition,
        n_runs=len(runs),
        n_errors=sum(run.finding == ERROR for run in runs),
        n_right=n_right,
        low=low,
        high=high,
        n_numeric=sum(run.numeric for run in runs),
        n_symbolic=sum(run.symbolic for run in runs),
        n_form=sum(run.form for run in runs),
        n_paper=sum(run.paper for run in runs),
        n_verdict_right=sum(run.verdict_right for run in runs),
        n_wrong_exact=sum(run.wrong_exact for run in runs),
        n_lost_by_search=sum(run.lost_by == SEARCH for run in runs),
        n_lost_by_data=sum(run.lost_by == DATA for run in runs),
        n_extra_used=sum(bool(run.extra_used) for run in runs),
        verdicts=dict(Counter(run.verdict for run in runs if run.verdict).most_common()),
        median_seconds=median(run.seconds for run in runs),
        slowest_seconds=max(run.seconds for run in runs),
        median_seconds_per_stage=_per_stage(runs),
        median_asked=median(run.n_asked for run in runs),
    )


def _per_stage(runs: Sequence[LawRun]) -> dict[str, float]:
    """Median seconds of each stage, 0 for runs that did without it."""
    stages = dict.fromkeys(stage for run in runs for stage in run.stages)
    return {stage: median(run.stages.get(stage, 0.0) for run in runs) for stage in stages}
