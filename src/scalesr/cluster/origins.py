"""Origins of rows: a column of a file, or arrays in memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from scalesr.cluster.job import JobInput
from scalesr.errors import DataError
from scalesr.estimators.frames import named_rows
from scalesr.estimators.told_units import units_of
from scalesr.model_files.fingerprint import described
from scalesr.tables import Table, Wanted, choose_rows, read_table


@dataclass(frozen=True, slots=True)
class FileOrigin:
    """A target column of a file, of all rows or of those of one group. The worker reads the file."""

    path: Path
    wanted: Wanted
    group: tuple[str, str] | None = None  # a column, and what it holds in the rows of this law
    missing_values: str = "auto"
    units: str = ""  # as `--units` takes them

    @property
    def source(self) -> str:
        return str(self.path)

    def given(self) -> JobInput:
        """The rows of the file that count."""
        table = read_table(self.path, missing_values=self.missing_values)
        wanted = self.wanted
        if self.group is not None:
            table = of_group(table, *self.group)
            wanted = replace(wanted, drop=(*wanted.drop, self.group[0]))
        rows = choose_rows(table, wanted)
        units, about_units = units_of(rows, self.units)
        X, y = named_rows(rows.X, rows.names, rows.y, rows.target, rows.categories)
        return JobInput(X, y, rows.weights, rows.y_error, units, (*table.notes, *rows.notes, *about_units))

    def mark(self) -> str:
        """The content of the file and what is read of it; its place does not matter."""
        try:
            with self.path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            content = ""  # the worker says what is wrong with it
        return json.dumps([content, self.asked()])

    def asked(self) -> str:
        """What is read of the file, and how."""
        parts = (self.wanted, self.group, self.missing_values, self.units)
        return json.dumps([described(part) for part in parts])


@dataclass(frozen=True, slots=True, eq=False)
class ArrayOrigin:
    """A table and a target in memory."""

    X: Any
    y: Any
    sample_weight: Any = None
    about: str = "memory"

    @property
    def source(self) -> str:
        return self.about

    def given(self) -> JobInput:
        """The arrays as they are."""
        return JobInput(self.X, self.y, self.sample_weight)

    def mark(self) -> str:
        """The numbers and names."""
        return str(joblib.hash((self.X, self.y, self.sample_weight)))

    def asked(self) -> str:
        """The name of the target."""
        return self.about


def labels_of(table: Table, name: str) -> tuple[str, ...]:  # (rows,)
    """What a column holds in each row, as text; empty where a cell is missing."""
    column = table.column(name)
    if column.texts is not None:
        return column.texts
    if column.numbers is None:
        raise DataError(f"Column {name!r} of {table.source} holds dates, which are not groups; number the groups.")
    return tuple(f"{value:.12g}" if np.isfinite(value) else "" for value in column.numbers.tolist())


def of_group(table: Table, name: str, label: str) -> Table:
    """The rows in which a column holds this."""
    chosen = np.array([one == label for one in labels_of(table, name)])
    if not chosen.any():
        raise DataError(f"{table.source} has no row with {label!r} in the column {name!r}.")
    return _some(table, chosen)


def _some(table: Table, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> Table:
    columns = tuple(
        replace(
            column,
            numbers=None if column.numbers is None else column.numbers[chosen],
            seconds=None if column.seconds is None else column.seconds[chosen],
            texts=None if column.texts is None else _picked(column.texts, chosen.tolist()),
        )
        for column in table.columns
    )
    return replace(table, columns=columns, n_rows=int(chosen.sum()))


def _picked(texts: Sequence[str], chosen: Sequence[bool]) -> tuple[str, ...]:
    return tuple(text for text, is_chosen in zip(texts, chosen, strict=True) if is_chosen)
