"""A table in memory with many targets or groups, as one table and target per law."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scalesr.errors import DataError
from scalesr.estimators.inputs import as_table
from scalesr.masks import require_unmasked

Match = Callable[[Sequence[str], Sequence[str]], list[str]]  # names, patterns -> names


def laws_of_table(X: Any, targets: Any, groups: Any, match: Match) -> Iterator[tuple[list[str], Any, Any]]:
    """Each law's words that tell it from the others, its table and its target.

    `targets` are names of columns of X, or values with a row for each of X; `groups` is the name of a column, or a
    label for each row.
    """
    table: Any = as_table(X)
    if isinstance(groups, str):
        labels, table = _column(table, groups).to_numpy(), table.drop(columns=[groups])
    else:
        require_unmasked(groups, "groups")
        labels = None if groups is None else np.asarray(groups)
    if labels is not None and labels.shape != (len(table),):
        raise DataError(f"The groups have the shape {labels.shape}; give one label per row, {len(table)} in all.")
    rest, columns = _targets(table, targets, match)
    for name, y in columns:
        words = [name] if len(columns) > 1 else []
        if labels is None:
            yield words, rest, y
            continue
        for label in dict.fromkeys(labels.tolist()):
            if not pd.isna(label):  # a missing label is not a group
                chosen = labels == label
                yield [*words, f"{groups if isinstance(groups, str) else 'group'}={label}"], rest[chosen], y[chosen]


def _targets(table: Any, targets: Any, match: Match) -> tuple[Any, list[tuple[str, Any]]]:
    """The table without its targets, and the targets by their names."""
    patterns = [targets] if isinstance(targets, str) else targets
    if isinstance(patterns, list | tuple) and patterns and all(isinstance(one, str) for one in patterns):
        for one in patterns:
            if not isinstance(table, pd.DataFrame) or not match(list(table.columns), [one]):
                _column(table, one)
        names = match(list(table.columns), patterns)
        return table.drop(columns=names), [(name, table[name]) for name in names]
    if isinstance(targets, pd.DataFrame):
        return table, [(str(name), targets[name]) for name in targets.columns]
    if isinstance(targets, pd.Series):
        return table, [(str(targets.name or "y"), targets)]
    require_unmasked(targets, "the targets")
    values = np.asarray(targets)
    if values.ndim not in (1, 2) or len(values) != len(table):
        raise DataError(f"The targets have the shape {values.shape}; give a value, or a line of them, for each row.")
    if values.ndim == 1:
        return table, [("y", values)]
    return table, [(f"y{place}", column) for place, column in enumerate(values.T)]


def _column(table: Any, name: str) -> Any:
    if not isinstance(table, pd.DataFrame) or name not in table.columns:
        known = ", ".join(map(str, table.columns[:8])) if isinstance(table, pd.DataFrame) else "no names"
        raise DataError(f"The table has no column {name!r}; its columns have {known}.")
    return table[name]
