"""Columns of text in a DataFrame, whose few values may have constants of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from scalesr.estimators.groups import against_groups
from scalesr.records.config import Settings
from scalesr.records.groups import Labels
from scalesr.tables.categories import BETWEEN, are_categories, levels_of, together
from scalesr.tables.numerals import PLAIN
from scalesr.tables.table import shortened

MOST_TOGETHER: Final = 40  # groups that several columns make together: more have too few rows each


def without_categories(X: Any, settings: Settings) -> tuple[Any, tuple[Labels, ...], tuple[str, ...]]:
    """The table without its columns of text with few values, these as groups of rows, and what is said of them.

    Several columns are groups one by one, and all together as far as these are few.
    """
    if not isinstance(X, pd.DataFrame):
        return X, (), ()
    found = {str(name): texts for name in X.columns if (texts := _texts(X[name])) is not None}
    if not found:
        return X, (), ()
    rest = X.drop(columns=list(found))
    if reason := against_groups(settings):
        return rest, (), tuple(f"{shortened(name)}: text, left out. {reason}" for name in found)
    labels = [Labels(levels_of(texts), name) for name, texts in found.items()]
    return rest, (*labels, *_together(labels)), ()


def without_unused_text(X: Any, names: Sequence[str]) -> Any:
    """A table to be predicted without columns of text that the fit did not count among those of numbers."""
    if not isinstance(X, pd.DataFrame):
        return X
    unused = [name for name in X.columns if name not in names and _is_text(X[name])]
    return X.drop(columns=unused) if unused else X


def _together(labels: Sequence[Labels]) -> tuple[Labels, ...]:
    """All columns as one, where that makes few groups."""
    joined = together([[str(one) for one in each.of_rows] for each in labels])
    if len(labels) < 2 or len(set(joined)) > min(MOST_TOGETHER, len(joined) // 3):
        return ()
    return (Labels(joined, BETWEEN.join(each.by for each in labels)),)


def _texts(column: Any) -> list[str] | None:
    """The cells of a column of text with few values; None for any other column."""
    if not isinstance(column, pd.Series) or not _is_text(column):
        return None
    cells = ["" if is_missing else cell for cell, is_missing in zip(column.tolist(), column.isna(), strict=True)]
    if not all(isinstance(cell, str) for cell in cells) or all(PLAIN.number(cell) is not None for cell in cells):
        return None
    return cells if are_categories(cells) else None


def _is_text(column: Any) -> bool:
    """Whether a column is of a type that text has."""
    is_category = isinstance(column.dtype, pd.CategoricalDtype)
    return bool(is_category or pd.api.types.is_string_dtype(column.dtype) or column.dtype == object)
