"""Which columns and rows of a table are used, with a note for everything that is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError, SettingError
from scalesr.tables.categories import are_categories, levels_of, names_in, together
from scalesr.tables.dates import DATE_UNITS, as_numbers, as_told, counted
from scalesr.tables.numerals import MISSING
from scalesr.tables.table import Column, Table, listed, shortened

Floats = NDArray[np.float64]

MAX_FEATURES = 300  # that a search can hold side by side in time and memory
N_LIKELY = 8  # columns that are suggested where there are more
SHOWN = 8  # columns of text with a note of their own
MISSING_WAYS: Final = ("drop", "error")
ROW_NUMBER: Final = re.compile(r"(row )?(id|index|idx|no\.?|nr\.?|number|#|row|sample( id)?|record|case)")


@dataclass(frozen=True, slots=True, eq=False)
class ChosenRows:
    """Features, target and weights of the rows that are whole."""

    names: tuple[str, ...]  # of the features
    X: Floats  # (rows, features)
    target: str
    y: Floats  # (rows,)
    weights: Floats | None  # (rows,)
    notes: tuple[str, ...]
    y_error: Floats | None = None  # (rows,) standard errors of the target
    x_error: dict[str, Floats] = field(default_factory=dict)  # (rows,) those of features
    units: dict[str, str] = field(default_factory=dict)  # that the table tells, by the names of features and target
    groups: tuple[str | float, ...] | None = None  # (rows,) the group of each
    categories: dict[str, tuple[str, ...]] = field(default_factory=dict)  # (rows,) values of columns of text

    def labels_by(self, by: str) -> tuple[str | float, ...] | None:  # (rows,)
        """The group of each row by what tells the groups of a law; None where nothing in the rows does."""
        names = names_in(by, self.categories)
        if not set(names) <= set(self.categories):
            return self.groups
        return together([self.categories[name] for name in names])


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of a table."""

    target: str
    features: tuple[str, ...] = ()  # none: all other columns of numbers or dates
    drop: tuple[str, ...] = ()
    weights: str | None = None
    dates: str = "auto"  # what dates are counted in
    y_error: str = ""  # the target's standard error: a column or a number
    x_error: tuple[tuple[str, str], ...] = ()  # of features: their names, and a column or a number for each
    missing: str = "drop"  # what is done with rows that have a missing cell
    groups: str = ""  # the column that tells which group a row is of


def choose_rows(table: Table, wanted: Wanted) -> ChosenRows:
    """The rows of a table without missing cells."""
    if wanted.missing not in MISSING_WAYS:
        raise SettingError(f"--missing {wanted.missing!r} is neither 'drop' nor 'error'.")
    if wanted.dates not in DATE_UNITS:
        raise SettingError(f"--dates {wanted.dates!r} is unknown; known are {', '.join(DATE_UNITS)}.")
    table, about_dates = _with_dates(table, wanted)
    target, weights = wanted.target, wanted.weights
    goal = _numbers(table, target, "the target")
    shares = None if weights is None else _numbers(table, weights, "the weights")
    errors = _errors(table, wanted.y_error) if wanted.y_error else None
    names, texts, notes = _features(table, wanted)
    notes = [*about_dates, *notes]
    columns = [_numbers(table, name, "a feature") for name in names]
    x_errors = _errors_of_features(table, wanted, names)
    cells = np.array([*columns, goal, *x_errors.values(), *(one for one in (shares, errors) if one is not None)])
    labels = group_labels(table, wanted.groups) if wanted.groups else None
    whole = np.isfinite(cells).all(axis=0)
    if labels is not None:
        whole &= np.array([label is not None for label in labels])
    if not whole.any():
        raise DataError(f"No row of {table.source} has a number in every column; drop the emptiest ones with --drop.")
    if not whole.all() and wanted.missing == "error":
        first = int((~whole).argmax())
        raise DataError(
            f"{int((~whole).sum())} of {table.n_rows} rows of {table.source} have a missing or infinite cell, the "
            f"first is row {first + 1}; fill them in, or let --missing drop leave them out."
        )
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
    units = {name: unit for name in (*names, target) if (unit := table.column(name).unit)}
    return ChosenRows(
        names,
        X,
        target,
        goal[whole],
        None if shares is None else shares[whole],
        tuple(notes),
        None if errors is None else errors[whole],
        {name: one[whole] for name, one in x_errors.items()},
        units,
        None
        if labels is None
        else tuple(one for one, kept in zip(labels, whole, strict=True) if kept and one is not None),
        _categories(table, texts, whole),
    )


def _categories(table: Table, names: Sequence[str], whole: NDArray[np.bool_]) -> dict[str, tuple[str, ...]]:
    """The values of columns of text in the rows that are whole, as far as they still have several."""
    levels = {name: levels_of(table.column(name).texts or ()) for name in names}
    chosen = {
        name: tuple(one for one, kept in zip(each, whole, strict=True) if kept) for name, each in levels.items()
    }  # fmt: skip
    return {name: each for name, each in chosen.items() if are_categories(each)}


def _with_dates(table: Table, wanted: Wanted) -> tuple[Table, list[str]]:
    """The table with columns of numbers for those of dates that are used, and features named accordingly."""
    columns: list[Column] = []
    notes: list[str] = []
    for column in table.columns:
        if column.seconds is None or column.name in wanted.drop or not np.isfinite(column.seconds).any():
            columns.append(column)
            continue
        made = [Column(name, values) for name, values in as_numbers(column.name, column.seconds, wanted.dates)]
        columns += made
        told = " and ".join(one.name.removeprefix(f"{column.name} (").removesuffix(")") for one in made)
        notes.append(f"{shortened(column.name)}: dates, read as {told}.")
    return replace(table, columns=tuple(columns)), notes


def _errors(table: Table, said: str, option: str = "--y-error") -> Floats:
    """Standard errors, from a column or one number for all rows."""
    if said in table.names:
        return _numbers(table, said, "a standard error")
    try:
        return np.full(table.n_rows, float(said))
    except ValueError:
        raise DataError(
            f"{option} {shortened(said)!r} is neither a column of {table.source} nor a number; its columns are "
            f"{listed(table.names)}."
        ) from None


def _errors_of_features(table: Table, wanted: Wanted, names: Sequence[str]) -> dict[str, Floats]:
    """The standard errors of features."""
    if unknown := [name for name, _ in wanted.x_error if name not in names]:
        raise DataError(
            f"--x-error names {shortened(unknown[0])!r}, which is none of the features {listed(tuple(names))}."
        )
    return {name: _errors(table, said, f"--x-error {shortened(name)}=") for name, said in wanted.x_error}


def _most_related(names: Sequence[str], X: Floats, y: Floats) -> list[str]:
    """The columns whose ranks go most with those of the target, up or down."""
    ranks = X.argsort(axis=0).argsort(axis=0) - (len(y) - 1) / 2
    related = np.abs((y.argsort().argsort() - (len(y) - 1) / 2) @ ranks)
    return [names[j] for j in np.argsort(-related, kind="stable")[:N_LIKELY]]


def group_labels(table: Table, by: str) -> tuple[str | float | None, ...]:
    """The group of each row by a column of text or numbers, or by several of text; None where the cell is missing."""
    if len(several := names_in(by, table.names)) > 1:
        return together([levels_of(table.column(name).texts or ()) for name in several])
    column = table.column(by)
    if column.texts is not None:
        return tuple(None if text.lower() in MISSING else text for text in column.texts)
    numbers = column.numbers if column.numbers is not None else column.seconds
    if numbers is None:
        raise DataError(f"Column {shortened(by)!r} of {table.source} tells no groups; choose one of text or numbers.")
    return tuple(None if not np.isfinite(one) else int(one) if one.is_integer() else one for one in numbers.tolist())


def columns_called(table: Table, names: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """Columns (rows, names) by their names, and which rows have a number in each."""
    cells = np.array([_counted(table, name) for name in names]).reshape(len(names), table.n_rows).T
    return np.ascontiguousarray(cells), np.isfinite(cells).all(axis=1)


def usable_columns(table: Table) -> tuple[str, ...]:
    """Columns that a law may use where nothing else is said: of numbers, dates or few texts; none numbers the rows."""
    return tuple(
        column.name
        for column in table.columns
        if (_is_category(column, Wanted("")) if column.texts is not None else _has_numbers(column))
        and not _numbers_rows(column)
    )


def _has_numbers(column: Column) -> bool:
    cells = column.seconds if column.numbers is None else column.numbers
    return cells is not None and bool(np.isfinite(cells).any())


def _features(table: Table, wanted: Wanted) -> tuple[tuple[str, ...], tuple[str, ...], list[str]]:
    """The columns of numbers that a law may use, those of text with few values, and what becomes of the others."""
    features, drop = _as_counted(wanted.features, table), wanted.drop
    taken = {wanted.target, wanted.weights, wanted.y_error, wanted.groups, *(said for _, said in wanted.x_error)}
    for name in (*features, *drop):
        table.column(name)
    if features:
        if clash := next((name for name in features if name in taken or name in drop), None):
            raise DataError(
                f"{shortened(clash)!r} cannot be a feature and the target, the weights, the groups or dropped as well."
            )
        chosen = [table.column(name) for name in dict.fromkeys(features)]
        named = [column for column in chosen if _is_category(column, wanted)]
        return _names(one for one in chosen if one not in named), _names(named), [_about_text(one) for one in named]
    left = [column for column in table.columns if column.name not in taken and column.name not in drop]
    named = [column for column in left if _is_category(column, wanted)]
    texts = [column for column in left if column.numbers is None and column not in named]
    empty = [column for column in left if column.numbers is not None and not np.isfinite(column.numbers).any()]
    counts = [column for column in left if column not in (*texts, *empty) and _numbers_rows(column)]
    names = _names(column for column in left if column not in (*named, *texts, *empty, *counts))
    notes = [_about_text(column) for column in named]
    notes += [f"{shortened(column.name)}: text, left out." for column in texts[:SHOWN]]
    notes += [f"{listed(tuple(column.name for column in texts[SHOWN:]))}: text, left out."] if texts[SHOWN:] else []
    notes += [f"{listed(tuple(column.name for column in empty))}: empty, left out."] if empty else []
    notes += [f"{column.name}: numbers the rows, left out; --features would keep it." for column in counts]
    if not names:
        raise DataError(f"{table.source} has no column of numbers besides the target; a law needs at least one.")
    return names, _names(named), notes


def _names(columns: Iterable[Column]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)


def _is_category(column: Column, wanted: Wanted) -> bool:
    """Whether a column is text with few values, and no other column tells the groups of the rows."""
    return not wanted.groups and column.texts is not None and are_categories(column.texts)


def _as_counted(features: Sequence[str], table: Table) -> tuple[str, ...]:
    """Features by their names, those of dates by the names of what they are counted in."""
    made = [(told[0], column.name) for column in table.columns if (told := as_told(column.name)) is not None]
    known = set(table.names)
    found: list[str] = []
    for name in features:
        counted_as = [new for old, new in made if old == name] if name not in known else []
        found += counted_as or [name]
    return tuple(found)


def _about_text(column: Column) -> str:
    """A column of text with few values: what becomes of it."""
    values = tuple(dict.fromkeys(levels_of(column.texts or ())))
    return (
        f"{shortened(column.name)}: text with {len(values)} values ({listed(values)}), which may have constants of "
        "their own; --drop leaves it out."
    )


def _numbers_rows(column: Column) -> bool:
    """Whether a column that is called so numbers the rows, from 0 or 1 on, or each row as it comes."""
    if column.numbers is None or not ROW_NUMBER.fullmatch(column.name.strip().lower()):
        return False
    steps = np.diff(column.numbers)
    return bool(len(steps) > 0 and (steps == 1).all())


def _counted(table: Table, name: str) -> Floats:
    """A column of numbers, or one of dates as the name of a law's variable tells it."""
    told = None if name in table.names else as_told(name)
    dates = None if told is None or told[0] not in table.names else table.column(told[0]).seconds
    return _numbers(table, name, "a feature") if told is None or dates is None else counted(dates, told[1])


def _numbers(table: Table, name: str, role: str) -> Floats:
    column: Column = table.column(name)
    if column.numbers is None:
        raise DataError(
            f"Column {shortened(name)!r} of {table.source} is to be {role} and holds text, such as "
            f"{shortened(column.example)!r}; choose a column of numbers, or give the categories numbers."
        )
    return column.numbers
