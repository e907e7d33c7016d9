"""Groups as users hand them over: a column by its name, a label for each row, or a list of tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from scalesr.errors import DataError, SettingError
from scalesr.estimators.numbers import Floats
from scalesr.estimators.yes_no import is_asked_for
from scalesr.groups.calibrate import calibrated
from scalesr.masks import require_unmasked
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law
from scalesr.records.groups import Label, Labels
from scalesr.records.oracle import Oracle
from scalesr.tables.categories import levels_of, names_in, together

DEFAULT = "group"  # what groups without a name are called


def without_groups(X: Any, groups: Any) -> tuple[Any, Labels | None]:
    """The table without the column of its groups, and these; a list of tables becomes one."""
    if is_list_of_tables(X):
        return _joined(X, groups)
    if groups is None:
        return X, None
    if isinstance(groups, str):
        if not isinstance(X, pd.DataFrame) or groups not in X.columns:
            known = f"; its columns are {', '.join(map(str, X.columns))}" if isinstance(X, pd.DataFrame) else ""
            raise DataError(
                f"X has no column {groups!r} that tells the groups apart{known}. Give a label for each row."
            )
        return X.drop(columns=[groups]), Labels(_labels(X[groups]), groups)
    named = groups.name if isinstance(groups, pd.Series) and isinstance(groups.name, str) else DEFAULT
    labels = _labels(groups)
    n_rows = len(X)
    if len(labels) != n_rows:
        raise DataError(f"X has {n_rows} rows and groups has {len(labels)} labels; give one for each row.")
    if isinstance(X, pd.DataFrame) and isinstance(groups, pd.Series) and named in X.columns:
        return X.drop(columns=[named]), Labels(labels, named)
    return X, Labels(labels, named)


def is_list_of_tables(X: Any) -> bool:
    """Whether X is a list with a table for each group."""
    return isinstance(X, list | tuple) and len(X) > 0 and all(
        isinstance(one, pd.DataFrame) or (isinstance(one, np.ndarray) and one.ndim == 2) for one in X
    )  # fmt: skip


def joined_targets(y: Any, tables: Sequence[Any]) -> Any:
    """Targets in a list, one for each table, as those of the joined table."""
    require_unmasked(y, "the target y")
    parts = [np.asarray(part) for part in y] if isinstance(y, list | tuple) else None
    if parts is None or len(parts) != len(tables) or any(len(p) != len(t) for p, t in zip(parts, tables, strict=True)):
        raise DataError(
            f"X is a list of {len(tables)} tables; y has to be a list with a target for each, as long as its table."
        )
    named = y[0].name if isinstance(y[0], pd.Series) and isinstance(y[0].name, str) else None
    joined = np.concatenate(parts)
    return joined if named is None else pd.Series(joined, name=named)


def _joined(tables: Sequence[Any], groups: Any) -> tuple[Any, Labels]:
    names = tuple(range(len(tables))) if groups is None else _labels(groups)
    if len(names) != len(tables) or len(set(names)) != len(names):
        raise DataError(f"{len(tables)} tables need as many groups, each with a label of its own; got {len(names)}.")
    widths = {table.shape[1] for table in tables}
    if len(widths) > 1:
        raise DataError(f"The tables of the groups have {min(widths)} to {max(widths)} columns; give all the same.")
    labels = tuple(label for label, table in zip(names, tables, strict=True) for _ in range(len(table)))
    if all(isinstance(table, pd.DataFrame) for table in tables):
        first = list(tables[0].columns)
        if any(list(table.columns) != first for table in tables):
            raise DataError("The tables of the groups have different columns; give all the same, in the same order.")
        return pd.concat(tables, ignore_index=True), Labels(labels)
    require_unmasked(list(tables), "the table X")
    return np.concatenate([np.asarray(table) for table in tables]), Labels(labels)


def _labels(groups: Any) -> tuple[Label, ...]:
    require_unmasked(groups, "groups")
    try:
        return tuple(_label(one, row) for row, one in enumerate(groups))
    except TypeError:
        raise DataError(f"groups={groups!r} is neither the name of a column nor a label for each row.") from None


def _label(value: Any, row: int) -> Label:
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is None or plain is pd.NA or (isinstance(plain, float) and math.isnan(plain)) or plain is pd.NaT:
        raise DataError(f"Row {row} (from 0) has no group; leave it out or give it one.")
    if isinstance(plain, bool) or not isinstance(plain, str | int | float):
        return str(value)
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain


def labels_of_rows(X: Any, groups: Any, laws: Sequence[Law]) -> tuple[Any, tuple[Label, ...] | None]:
    """The table of rows to be predicted without the column of their groups, and the group of each row.

    None where no law asks for groups.
    """
    known = next((law.groups for law in laws if law.groups is not None), None)
    if known is None:
        if groups is not None:
            raise DataError("The law was fitted without groups; leave groups out, or fit with them.")
        return X, None
    if groups is None and isinstance(X, pd.DataFrame) and set(names := names_in(known.by, X.columns)) <= set(X.columns):
        groups = known.by if len(names) == 1 else _together(X, names, known.by)
    if groups is None and not any(law.groups is not None and law.groups.letters for law in laws):
        return X, None
    if groups is None:
        raise DataError(
            f"The law has constants of each {known.by}: say which one a row is of, predict(X, groups=...), with a "
            "label for each row, one for all, or the name of the column that tells them."
        )
    is_column = isinstance(groups, str) and isinstance(X, pd.DataFrame) and groups in X.columns
    if not is_column and (isinstance(groups, str) or np.ndim(groups) == 0):
        return X, (_label(groups, 0),) * len(X)
    table, labels = without_groups(X, groups)
    assert labels is not None
    return table, labels.of_rows


def without_label(X: Any, found: Sequence[Discovery]) -> Any:
    """A table of rows of one group without the column that tells it."""
    known = next((one.taken.groups for one in found if one.taken.groups is not None), None)
    if known is None:
        raise DataError("The law was fitted without groups, so that none can be calibrated; give fit(groups=...).")
    return X.drop(columns=[known.by]) if isinstance(X, pd.DataFrame) and known.by in X.columns else X


def with_group(found: Discovery, table: Floats, y: Floats, weights: Floats | None, group: Any) -> Discovery:
    """A discovery whose laws know one more group.

    Laws of the Pareto front with more constants of a group than there are rows stay without it.
    """
    label = _label(group, 0)

    def known(law: Law) -> Law:
        groups = law.groups
        assert groups is not None
        data = Dataset.from_table(table, y, names=law.columns, weights=weights)
        return replace(law, groups=groups.with_group(label, *calibrated(law, data)))

    def known_if_told(law: Law) -> Law:
        try:
            return known(law)
        except DataError:
            return law

    taken = known(found.taken)
    front = tuple(taken if law is found.taken else known_if_told(law) for law in found.front)
    own = taken if found.chosen is None else known_if_told(found.law)
    return replace(found, law=own, front=front)


def require_plain(settings: Settings) -> None:
    """Refuse what cannot be combined with groups yet, before any work is done."""
    if reason := against_groups(settings):
        raise SettingError(f"{reason} Leave out one of the two.")


def against_groups(settings: Settings) -> str:
    """What cannot be combined with groups yet, as a sentence; nothing where all does."""
    if settings.preset == "paper":
        return "preset='paper' does not support groups."
    if isinstance(settings.generator, Oracle):
        return "A function in the place of a table has no groups of rows."
    if settings.checkpoint is not None:
        return "A checkpoint cannot be combined with groups yet."
    if settings.template is not None:
        return "A template cannot be combined with groups yet."
    if is_asked_for(settings.given_noise):
        return "loss='logistic' does not support groups yet."
    return "Constraints cannot be combined with groups yet." if settings.constraints else ""


def _together(X: pd.DataFrame, names: Sequence[str], by: str) -> pd.Series:
    """The groups that several columns of text tell together."""
    cells = [levels_of(["" if pd.isna(cell) else str(cell) for cell in X[name]]) for name in names]
    return pd.Series(together(cells), name=by, dtype=object)


class NoGroups(DataError, AttributeError):
    """Constants of groups that a law does not have: an attribute that is not there, as Python has it."""


def group_table(law: Law) -> pd.DataFrame:
    """A line per group: each constant that differs, and its standard error."""
    groups = law.groups
    if groups is None:
        raise NoGroups(
            "The law was fitted without groups, so that it has no constants of groups; give fit(groups=...)."
        )
    columns: dict[str, Any] = {}
    for place, letter in enumerate(groups.letters):
        columns[letter] = groups.values[:, place]
        columns[f"{letter}_standard_error"] = groups.standard_errors[:, place]
    return pd.DataFrame(columns, index=pd.Index(groups.labels, name=groups.by, dtype=object))
