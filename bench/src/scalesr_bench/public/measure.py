"""The benchmark of public tables: every method on every split, and a line beside each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from scalesr.errors import DataError
from scalesr_bench.limits import check_time_limit
from scalesr_bench.public.packages import check_package
from scalesr_bench.public.predicting import predictor
from scalesr_bench.public.runs import PublicJob, PublicRun, run_job
from scalesr_bench.public.summary import MARGIN, SIGNIFICANT, MethodLine, TableLine, by_method, by_table
from scalesr_bench.public.tables import choose_tables
from scalesr_bench.run_log import RunLog
from scalesr_bench.runner import Standing, runs_of
from scalesr_bench.text_tables import TextTable, joined

METHODS: Final = ("scalesr", "linear", "gplearn", "pyoperon")


@dataclass(frozen=True, slots=True)
class PublicSettings:
    """What is measured."""

    methods: tuple[str, ...] = METHODS
    tables: tuple[str, ...] = ()  # patterns of names; none: all
    n_splits: int = 5
    seed: int = 0
    time_limit: float = 30.0  # seconds per split
    n_processes: int = 1

    def __post_init__(self) -> None:
        check_time_limit(self.time_limit)
        if self.n_splits < 2:
            raise DataError(f"Rows are held out in 2 splits or more, not {self.n_splits}.")
        for package in dict.fromkeys(table.package for table in choose_tables(self.tables)):
            check_package(package)
        for method in self.methods:
            predictor(method)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return not self.tables

    @property
    def run_limit(self) -> str:
        """What a run may take."""
        return f"{self.time_limit:g} s"


@dataclass(frozen=True, slots=True)
class PublicResult:
    """All runs, and what they amount to."""

    settings: PublicSettings
    runs: tuple[PublicRun, ...]

    @property
    def tables(self) -> list[TableLine]:
        return by_table(self.runs)

    @property
    def summary(self) -> list[MethodLine]:
        return by_method(self.tables, self.runs)

    @property
    def notes(self) -> list[str]:
        """What has to be said beside the figures."""
        notes = [
            f"{len({run.table for run in self.runs})} tables, every row held out once in {self.settings.n_splits} "
            "splits. R2 is over all rows of a table.",
            f"Above and below: R2 differs from linear regression's by more than {MARGIN:g}, and a sign-flip test of "
            f"the squared errors gives less than {SIGNIFICANT:g}.",
            "Where a formula has no finite value, or a method fails, the mean of the rows it learned from stands in.",
        ]
        if failed := sum(run.failed for run in self.runs):
            notes.append(f"{failed} runs ended in an error of the method.")
        return notes

    def as_json(self) -> dict[str, object]:
        """Settings, notes, a line per method, one per table and method, and every formula."""
        return {
            "settings": asdict(self.settings),
            "notes": self.notes,
            "summary": [asdict(line) for line in self.summary],
            "problems": [asdict(line) for line in self.tables],
            "runs": [_told(run) for run in self.runs],
        }


def plan(settings: PublicSettings) -> list[PublicJob]:
    """All jobs, table after table, so that methods can be compared before the end."""
    return [
        PublicJob(method, table, split, settings.n_splits, settings.seed, settings.time_limit)
        for table in choose_tables(settings.tables)
        for split in range(settings.n_splits)
        for method in settings.methods
    ]


def measure_public(
    settings: PublicSettings, log: RunLog, *, progress: Callable[[Standing], None] | None = None
) -> PublicResult:
    """Run what the log lacks."""
    runs = runs_of(plan(settings), run_job, log, PublicRun, n_processes=settings.n_processes, progress=progress)
    return PublicResult(settings, runs)


def summary_table(result: PublicResult) -> TextTable:
    """A row per method."""
    headings = ("method", "tables", "median R2", "median nodes", "above linear", "below linear", "errors", "median s")
    rows = [
        joined(
            [
                line.method, line.n_tables, f"{line.median_r2:.3f}", f"{line.median_nodes:.0f}", line.n_above_linear,
                line.n_below_linear, line.n_failed, f"{line.median_seconds:.1f}",
            ]
        )
        for line in result.summary
    ]  # fmt: skip
    return TextTable("Public tables, rows held out", headings, tuple(rows), tuple(result.notes))


def table_table(result: PublicResult) -> TextTable:
    """A row per table: R2 and nodes of every method, and what tells it from a line."""
    lines = result.tables
    methods = list(dict.fromkeys(line.method for line in lines))
    rows = []
    for name in dict.fromkeys(line.table for line in lines):
        own = {line.method: line for line in lines if line.table == name}
        first = next(iter(own.values()))
        cells = [_cell(own[method]) if method in own else "-" for method in methods]
        rows.append(joined([name, first.n_rows, first.n_variables, *cells]))
    notes = ("R2 with the formula's nodes in brackets; * significantly better than a line, ! significantly worse.",)
    return TextTable("R2 per table", ("table", "rows", "columns", *methods), tuple(rows), notes)


def _cell(line: TableLine) -> str:
    mark = " *" if line.is_above_linear else " !" if line.is_below_linear else ""
    return f"{line.r2:.3f} ({line.n_nodes:.0f}){mark}"


def _told(run: PublicRun) -> dict[str, object]:
    """A run without the errors of its rows, which the file of runs has."""
    return {name: value for name, value in asdict(run).items() if name not in ("errors", "deviations")}
