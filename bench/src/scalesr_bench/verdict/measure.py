"""The calibration: random laws and tables without one, every method on each, and what was said against what is so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from scalesr.errors import DataError
from scalesr_bench.laws.methods import check_method
from scalesr_bench.limits import check_time_limit
from scalesr_bench.run_log import RunLog
from scalesr_bench.runner import Standing, runs_of
from scalesr_bench.text_tables import TextTable, joined, rate
from scalesr_bench.verdict.lawless import LAWLESS
from scalesr_bench.verdict.runs import VerdictJob, VerdictRun, run_job
from scalesr_bench.verdict.summary import KindLine, VerdictLine, by_kind, mistaken, summarise
from scalesr_bench.verdict.tables import LAW

N_LAWS: Final = 400
N_OF_A_KIND: Final = 30  # tables without a law, of each kind


@dataclass(frozen=True, slots=True)
class VerdictSettings:
    """What is measured."""

    methods: tuple[str, ...] = ("scalesr",)
    n_laws: int = N_LAWS
    n_of_a_kind: int = N_OF_A_KIND
    seed: int = 0
    time_limit: float = 20.0  # seconds per table
    n_processes: int = 1

    def __post_init__(self) -> None:
        check_time_limit(self.time_limit)
        if self.n_laws < 0 or self.n_of_a_kind < 0 or not self.n_laws + self.n_of_a_kind:
            raise DataError(f"There is no table with {self.n_laws} laws and {self.n_of_a_kind} tables of a kind.")
        for method in self.methods:
            check_method(method)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.n_laws >= N_LAWS and self.n_of_a_kind >= N_OF_A_KIND

    @property
    def run_limit(self) -> str:
        """What a run may take."""
        return f"{self.time_limit:g} s"


@dataclass(frozen=True, slots=True)
class VerdictResult:
    """All runs, and what they amount to."""

    settings: VerdictSettings
    runs: tuple[VerdictRun, ...]

    @property
    def summary(self) -> list[VerdictLine]:
        return summarise(self.runs)

    @property
    def kinds(self) -> list[KindLine]:
        return by_kind(self.runs)

    @property
    def mistakes(self) -> list[VerdictRun]:
        return [run for run in self.runs if mistaken(run)]

    @property
    def notes(self) -> list[str]:
        """What has to be said beside the figures."""
        n_lawless = sum(run.kind != LAW for run in self.runs)
        notes = [
            f"{len(self.runs) - n_lawless} tables of random laws and {n_lawless} without a law.",
            "A law is right if its form is the truth's; its constants may be off by what the noise allows.",
            'Beaten: "within noise" was said, and boosted trees or nearest neighbours err significantly less on fresh '
            "rows.",
        ]
        for line in self.summary:
            if not line.n_claims:
                notes.append(f"{line.method} gives no probability; its calibration cannot be measured.")
            if line.n_errors:
                notes.append(f"{line.n_errors} runs of {line.method} ended in an error and count as missed.")
        return notes

    def as_json(self) -> dict[str, object]:
        """Settings, notes, a line per method, one per kind of table, and every mistake."""
        return {
            "settings": asdict(self.settings),
            "notes": self.notes,
            "summary": [line.as_json() for line in self.summary],
            "kinds": [asdict(line) for line in self.kinds],
            "failures": [asdict(run) for run in self.mistakes],
        }


def plan(settings: VerdictSettings) -> list[VerdictJob]:
    """All jobs: laws and tables without one by turns, so that a part tells something of both."""
    laws = [(place / max(settings.n_laws, 1), LAW, place) for place in range(settings.n_laws)]
    lawless = [
        (place / max(settings.n_of_a_kind, 1), kind, place)
        for kind in LAWLESS
        for place in range(settings.n_of_a_kind)
    ]  # fmt: skip
    return [
        VerdictJob(method, kind, place, settings.seed, settings.time_limit)
        for _, kind, place in sorted([*laws, *lawless])
        for method in settings.methods
    ]


def measure_verdicts(
    settings: VerdictSettings, log: RunLog, *, progress: Callable[[Standing], None] | None = None
) -> VerdictResult:
    """Run what the log lacks."""
    runs = runs_of(plan(settings), run_job, log, VerdictRun, n_processes=settings.n_processes, progress=progress)
    return VerdictResult(settings, runs)


def summary_table(result: VerdictResult) -> TextTable:
    """A row per method."""
    headings = (
        "method", "tables", "laws found", "given p", "right of p >= 0.9", "calibration error", "wrong exact",
        "within noise, beaten", "median s",
    )  # fmt: skip
    rows = [
        joined(
            [
                line.method, line.n_runs, rate(line.n_found, line.n_laws), line.n_claims,
                rate(line.n_sure_right, line.n_sure),
                "-" if line.calibration_error is None else f"{line.calibration_error:.3f}",
                f"{line.n_wrong_exact} of {line.n_exact}",
                f"{line.n_within_noise_beaten} of {line.n_within_noise}", f"{line.median_seconds:.1f}",
            ]
        )
        for line in result.summary
    ]  # fmt: skip
    return TextTable("What verdicts and probabilities are worth", headings, tuple(rows), tuple(result.notes))


def kind_table(result: VerdictResult) -> TextTable:
    """A row per method, kind of table and kind of noise."""
    headings = ("method", "tables", "noise", "runs", "laws found", "p >= 0.9", "right", "wrong exact", "beaten", "said")
    rows = [
        joined(
            [
                line.method, line.kind, line.noise_kind or "-", line.n_runs, line.n_found, line.n_sure,
                line.n_sure_right, line.n_wrong_exact, line.n_within_noise_beaten,
                ", ".join(f"{verdict} {count}" for verdict, count in line.verdicts.items()),
            ]
        )
        for line in result.kinds
    ]  # fmt: skip
    return TextTable("What was said of each kind of table", headings, tuple(rows))
