"""What the runs of a calibration amount to: a line per method, and one per kind of table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Final

from scalesr.records.discovery import Verdict
from scalesr_bench.laws.judging import ERROR
from scalesr_bench.verdict.calibration import Claim, ReliabilityBin, expected_calibration_error, reliability
from scalesr_bench.verdict.runs import VerdictRun
from scalesr_bench.verdict.tables import LAW

SURE: Final = 0.9  # a probability from which on a law is meant to be relied on


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """One method over all tables."""

    method: str
    n_runs: int
    n_laws: int  # tables that have a law
    n_errors: int
    n_found: int  # laws whose form was found
    n_claims: int  # laws that were given a probability
    n_sure: int  # of 0.9 or more
    n_sure_right: int
    calibration_error: float | None  # expected; None where no probability was given
    n_exact: int
    n_wrong_exact: int
    n_within_noise: int
    n_within_noise_beaten: int  # where trees or neighbours predict fresh rows significantly better
    median_seconds: float
    bins: tuple[ReliabilityBin, ...]

    def as_json(self) -> dict[str, object]:
        """The record."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class KindLine:
    """One method on the tables of one kind, with one kind of noise."""

    method: str
    kind: str
    noise_kind: str
    n_runs: int
    n_found: int
    n_sure: int
    n_sure_right: int
    n_wrong_exact: int
    n_within_noise_beaten: int
    verdicts: dict[str, int]


def summarise(runs: Iterable[VerdictRun]) -> list[VerdictLine]:
    """A line per method, in the order they come."""
    groups: dict[str, list[VerdictRun]] = {}
    for run in runs:
        groups.setdefault(run.method, []).append(run)
    return [_line(method, group) for method, group in groups.items()]


def by_kind(runs: Iterable[VerdictRun]) -> list[KindLine]:
    """A line per method, kind of table and kind of noise."""
    groups: dict[tuple[str, str, str], list[VerdictRun]] = {}
    for run in sorted(runs, key=lambda one: (one.method, one.kind != LAW, one.kind, one.noise_kind)):
        groups.setdefault((run.method, run.kind, run.noise_kind), []).append(run)
    return [
        KindLine(
            *key,
            n_runs=len(group),
            n_found=sum(run.is_law for run in group),
            n_sure=len(_sure(group)),
            n_sure_right=sum(run.is_law for run in _sure(group)),
            n_wrong_exact=sum(run.wrong_exact for run in group),
            n_within_noise_beaten=sum(map(is_beaten, group)),
            verdicts=dict(Counter(run.verdict for run in group if run.verdict).most_common()),
        )
        for key, group in groups.items()
    ]


def claims_of(runs: Iterable[VerdictRun]) -> list[Claim]:
    """Laws that were given a probability; where no law is claimed, nothing is."""
    return [
        Claim(run.probability, run.is_law)
        for run in runs
        if run.probability is not None and run.verdict != Verdict.NO_LAW
    ]


def is_beaten(run: VerdictRun) -> bool:
    """Whether "within noise" was said of a law that trees or neighbours predict significantly better than."""
    return run.verdict == Verdict.WITHIN_NOISE and bool(run.better)


def mistaken(run: VerdictRun) -> bool:
    """Whether something was said of a table that is not so."""
    sure_and_wrong = run.verdict != Verdict.NO_LAW and (run.probability or 0) >= SURE and not run.is_law
    return run.finding == ERROR or run.wrong_exact or is_beaten(run) or sure_and_wrong


def _sure(runs: Sequence[VerdictRun]) -> list[VerdictRun]:
    return [run for run in runs if run.verdict != Verdict.NO_LAW and (run.probability or 0) >= SURE]


def _line(method: str, runs: Sequence[VerdictRun]) -> VerdictLine:
    claims = claims_of(runs)
    within = [run for run in runs if run.verdict == Verdict.WITHIN_NOISE]
    return VerdictLine(
        method=method,
        n_runs=len(runs),
        n_laws=sum(run.kind == LAW for run in runs),
        n_errors=sum(run.finding == ERROR for run in runs),
        n_found=sum(run.is_law for run in runs),
        n_claims=len(claims),
        n_sure=len(_sure(runs)),
        n_sure_right=sum(run.is_law for run in _sure(runs)),
        calibration_error=expected_calibration_error(claims),
        n_exact=sum(run.verdict == Verdict.EXACT for run in runs),
        n_wrong_exact=sum(run.wrong_exact for run in runs),
        n_within_noise=len(within),
        n_within_noise_beaten=sum(map(is_beaten, within)),
        median_seconds=median(run.seconds for run in runs),
        bins=tuple(reliability(claims)),
    )
