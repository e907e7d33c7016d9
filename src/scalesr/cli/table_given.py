"""The table of `scalesr fit`: rows in memory, or a stream that is read in passes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scalesr.cli.output import tell
from scalesr.cli.table_argument import STANDARD_INPUT, read_argument
from scalesr.errors import SettingError

if TYPE_CHECKING:
    from scalesr.estimators.regressor import ScaleSRRegressor
    from scalesr.tables import ChosenRows, Table, Wanted
    from scalesr.tables.streams import Stream


@dataclass(frozen=True, slots=True, eq=False)
class InMemory:
    """A table as it was read, and the rows of it that count."""

    table: Table
    rows: ChosenRows
    groups: str = ""  # the column that tells the rows of a group

    @property
    def target(self) -> str:
        return self.rows.target

    @property
    def description(self) -> str:
        return self.table.description

    @property
    def notes(self) -> list[str]:
        """What was not taken as it is."""
        return [*self.table.notes, *self.rows.notes]

    def units(self, given: str) -> tuple[dict[str, str] | None, list[str]]:
        """Units that are given or told by the table, and what is to be said of them."""
        from scalesr.estimators.told_units import units_of

        return units_of(self.rows, given)

    def fit(self, model: ScaleSRRegressor) -> None:
        """Fit a model; what became of the table is part of its story."""
        from scalesr.estimators.fit_rows import fit_rows

        fit_rows(model, self.rows, groups=self.groups, notes=self.notes)


@dataclass(frozen=True, slots=True, eq=False)
class InPasses:
    """A table that need not fit into memory."""

    stream: Stream
    target: str

    @property
    def description(self) -> str:
        """What is read, in one line."""
        return f"{self.stream.about}: Parquet, read in passes, columns {', '.join(self.stream.names)}"

    @property
    def notes(self) -> list[str]:
        """What is left out."""
        return [f"{', '.join(self.stream.others)}: no numbers, left out."] if self.stream.others else []

    def units(self, given: str) -> tuple[dict[str, str] | None, list[str]]:
        """Units that are given."""
        from scalesr.estimators.told_units import NONE
        from scalesr.estimators.units import named_units

        return (None if given in ("", NONE) else dict(named_units(given))), []

    def fit(self, model: ScaleSRRegressor) -> None:
        """Fit a model."""
        model.fit(self.stream, self.target)


def read_given(
    path: Path, wanted: Wanted, missing_values: str, sample_rows: int | None, *, report: Path | None, quiet: bool
) -> InMemory | InPasses:
    """A table in memory, or in passes where it is asked for so or too large."""
    if _is_in_passes(path, sample_rows):
        return _read_in_passes(path, wanted, report=report, quiet=quiet)
    return _read_in_memory(path, wanted, missing_values, quiet=quiet)


def _is_in_passes(table: Path, sample_rows: int | None) -> bool:
    """Whether a table is read in passes: where that is asked for, and where it is a folder or too large."""
    if table == STANDARD_INPUT:
        return False
    from scalesr.tables.streams import goes_in_passes

    return sample_rows is not None or goes_in_passes(table)


def _read_in_memory(path: Path, wanted: Wanted, missing_values: str, *, quiet: bool) -> InMemory:
    """A table in memory."""
    from scalesr.tables import choose_rows

    table = read_argument(path, quiet=quiet, missing_values=missing_values)
    _require_target(wanted, table.names, table.source)
    given = InMemory(table, choose_rows(table, wanted), wanted.groups)
    if not quiet:
        tell(given.rows.notes, indent="  ")
    return given


def _read_in_passes(path: Path, wanted: Wanted, *, report: Path | None, quiet: bool) -> InPasses:
    """A table in passes; what only goes with one in memory is refused."""
    from scalesr.tables.streams import open_stream

    asked = {
        "--weights": wanted.weights, "--y-error": wanted.y_error, "--report": report,
        "--groups": wanted.groups, "--x-error": wanted.x_error,
        "--dates": wanted.dates != "auto", "--missing error": wanted.missing == "error",
    }  # fmt: skip
    if wrong := next((option for option, value in asked.items() if value), None):
        raise SettingError(f"{wrong} needs a table in memory, and {path} is read in passes; leave it out.")
    stream = open_stream(path)
    _require_target(wanted, stream.names, stream.about)
    given = InPasses(stream.select(wanted.features, wanted.drop, keep=[wanted.target]), wanted.target)
    if not quiet:
        tell([given.description])
        tell(given.notes, indent="  ")
    return given


def _require_target(wanted: Wanted, names: tuple[str, ...], source: str) -> None:
    if not wanted.target:
        named = ", ".join(names[:8]) + (" ..." if len(names) > 8 else "")
        raise SettingError(f"Say which column the law is for: --target COLUMN; {source} has {named}.")
