"""Which columns and rows of a table are used, with a note for everything that is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.tables.table import Column, Table, listed, shortened

Floats = NDArray[np.float64]

MAX_FEATURES = 300  # that a search can hold side by side in time and memory
N_LIKELY = 8  # columns that are suggested where there are more


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Features, target and weights of the rows that are whole."""

    names: tuple[str, ...]  # of the features
    X: Floats  # (rows, features)
    target: str
    y: Floats  # (rows,)
    weights: Floats | None  # (rows,)
    notes: tuple[str, ...]


def choose_rows(
    table: Table, *, target: str, features: Sequence[str] = (), drop: Sequence[str] = (), weights: str | None = None
) -> Rows:
    """The rows of a table without missing cells; without `features` these are all other columns of numbers."""
    goal = _numbers(table, target, "the target")
    shares = None if weights is None else _numbers(table, weights, "the weights")
    names, notes = _features(table, features, drop, {target, weights})
    columns = [_numbers(table, name, "a feature") for name in names]
    cells = np.array([*columns, goal, *([] if shares is None else [shares])])
    whole = np.isfinite(cells).all(axis=0)
    if not whole.any():
        raise DataError(f"No row of {table.source} has a number in every column; drop the emptiest ones with --drop.")
    if not whole.all():
        n_lost = int((~whole).sum())
        notes.append(
            f"{n_lost} of {table.n_rows} rows {'has' if n_lost == 1 else 'have'} a missing or infinite cell and "
            f"{'was' if n_lost == 1 else 'were'} left out."
        )
    X = np.ascontiguousarray(cells[: len(names), whole].T)
    if len(names) > MAX_FEATURES:
        likely = ",".join(name.replace(",", "\\,") for name in _most_related(names, X, goal[whole]))
        raise DataError(
            f"{table.source} has {len(names)} columns that a law could use, and a search takes up to {MAX_FEATURES}. "
            f"Choose some by --features; most related to {shortened(target)} are {likely}."
        )
    return Rows(names, X, target, goal[whole], None if shares is None else shares[whole], tuple(notes))


def _most_related(names: Sequence[str], X: Floats, y: Floats) -> list[str]:
    """The columns whose ranks go most with those of the target, up or down."""
    ranks = X.argsort(axis=0).argsort(axis=0) - (len(y) - 1) / 2
    related = np.abs((y.argsort().argsort() - (len(y) - 1) / 2) @ ranks)
    return [names[j] for j in np.argsort(-related, kind="stable")[:N_LIKELY]]


def columns_called(table: Table, names: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """Columns (rows, names) by their names, and which rows have a number in each."""
    cells = np.array([_numbers(table, name, "a feature") for name in names]).reshape(len(names), table.n_rows).T
    return np.ascontiguousarray(cells), np.isfinite(cells).all(axis=1)


def _features(
    table: Table, features: Sequence[str], drop: Sequence[str], taken: set[str | None]
) -> tuple[tuple[str, ...], list[str]]:
    for name in (*features, *drop):
        table.column(name)
    if features:
        if clash := next((name for name in features if name in taken or name in drop), None):
            raise DataError(f"{shortened(clash)!r} cannot be a feature and the target, the weights or dropped as well.")
        return tuple(dict.fromkeys(features)), []
    left = [column for column in table.columns if column.name not in taken and column.name not in drop]
    texts = tuple(column.name for column in left if column.numbers is None)
    empty = tuple(
        column.name for column in left if column.numbers is not None and not np.isfinite(column.numbers).any()
    )
    names = tuple(column.name for column in left if column.name not in texts and column.name not in empty)
    notes = [f"{listed(texts)}: text, left out."] if texts else []
    notes += [f"{listed(empty)}: empty, left out."] if empty else []
    if not names:
        raise DataError(f"{table.source} has no column of numbers besides the target; a law needs at least one.")
    return names, notes


def _numbers(table: Table, name: str, role: str) -> Floats:
    column: Column = table.column(name)
    if column.numbers is None:
        raise DataError(
            f"Column {shortened(name)!r} of {table.source} is to be {role} and holds text, such as "
            f"{shortened(column.example)!r}; choose a column of numbers, or give the categories numbers."
        )
    return column.numbers
