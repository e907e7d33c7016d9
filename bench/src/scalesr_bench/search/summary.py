"""What the runs of the one-variable suite amount to, per method and level of noise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from scalesr_bench.rates import wilson
from scalesr_bench.search.runs import ERROR, FLAT, SearchRun
from scalesr_bench.search.sweep_judge import RIGHT


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One method at one level of noise."""

    method: str
    noise: float
    n_runs: int  # flat sweeps not counted
    n_flat: int
    n_errors: int
    n_recovered: int
    n_in_top: int  # right skeleton among the first 12
    low: float  # 95 % interval of the recovered share (Wilson)
    high: float
    median_seconds: float  # to the end of the search
    median_seconds_to_right: float | None  # of the recovered runs, until their skeleton had become the best
    median_fits: float
    median_rank: float | None  # of the first right skeleton, where there is one
    slowest_seconds: float

    @property
    def share(self) -> float:
        return self.n_recovered / self.n_runs

    def as_json(self) -> dict[str, object]:
        """The record with its share."""
        return asdict(self) | {"share": self.share}


def summarise(runs: Iterable[SearchRun]) -> list[SummaryLine]:
    """A line per method and level of noise, in the order they come."""
    groups: dict[tuple[str, float], list[SearchRun]] = {}
    for run in runs:
        groups.setdefault((run.method, run.noise), []).append(run)
    return [
        _line(method, noise, group)
        for (method, noise), group in sorted(groups.items(), key=lambda item: item[0][1])
        if any(run.finding != FLAT for run in group)
    ]


def _line(method: str, noise: float, group: Sequence[SearchRun]) -> SummaryLine:
    runs = [run for run in group if run.finding != FLAT]
    right = [run for run in runs if run.finding == RIGHT]
    ranks = [run.rank for run in runs if run.rank is not None]
    low, high = wilson(len(right), len(runs))
    return SummaryLine(
        method=method,
        noise=noise,
        n_runs=len(runs),
        n_flat=len(group) - len(runs),
        n_errors=sum(run.finding == ERROR for run in runs),
        n_recovered=len(right),
        n_in_top=len(ranks),
        low=low,
        high=high,
        median_seconds=median(run.seconds for run in runs),
        median_seconds_to_right=median(run.seconds_to_best for run in right) if right else None,
        median_fits=median(run.n_fits for run in runs),
        median_rank=median(ranks) if ranks else None,
        slowest_seconds=max(run.seconds for run in runs),
    )


def failures(runs: Iterable[SearchRun]) -> list[SearchRun]:
    """Runs that did not recover their law, by noise, sweep and method."""
    missed = [run for run in runs if run.finding not in (RIGHT, FLAT)]
    return sorted(missed, key=lambda run: (run.noise, run.sweep, run.method, run.seed))
