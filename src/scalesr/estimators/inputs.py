"""What a user hands over, table, target and weights, as arrays of finite numbers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.exceptions import DataConversionWarning

from scalesr.errors import DataError
from scalesr.estimators.numbers import Floats, numbers_of, require_finite
from scalesr.expr.names import default_name
from scalesr.masks import require_unmasked


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """One or more targets of the same rows."""

    values: Floats  # (targets, rows)
    names: tuple[str, ...]


def as_table(X: Any) -> pd.DataFrame | NDArray[Any]:
    """X as something with rows and columns, whatever its cells hold."""
    if issparse(X):
        raise DataError("The table X is sparse, and sparse data are not supported; give X.toarray().")
    table = X if isinstance(X, pd.DataFrame) else _array(X, "the table X")
    if table.ndim != 2:
        raise DataError(
            f"X has {table.ndim} dimension(s) and a table has two. Reshape your data: X.reshape(-1, 1) if it is one "
            f"column, X.reshape(1, -1) if it is one row."
        )
    for count, what in zip(table.shape, ("sample", "feature"), strict=True):
        if count == 0:
            raise DataError(f"Found a table with 0 {what}(s) (shape={table.shape}) while a minimum of 1 is required.")
    if isinstance(table, pd.DataFrame):
        _check_names(table.columns)
    return table


def read_table(table: pd.DataFrame | NDArray[Any]) -> Floats:  # (rows, columns)
    """The cells of a table as finite numbers."""
    if isinstance(table, pd.DataFrame):
        labels = [f"Column {name!r}" for name in table.columns]
        given = [table.iloc[:, j] for j in range(table.shape[1])]
    else:
        labels = [f"Column {default_name(j)!r}" for j in range(table.shape[1])]
        given = list(table.T)
    columns = [numbers_of(column, label) for column, label in zip(given, labels, strict=True)]
    require_finite(columns, labels)
    return np.array(columns).T


def read_targets(y: Any, n_rows: int) -> Targets:
    """The target as finite numbers; several columns are several targets."""
    if y is None:
        raise DataError(
            "A regressor requires y to be passed, but the target y is None; give y, or a function to be asked for it "
            "as generator=function."
        )
    columns, names = _target_columns(y)
    labels = [f"Target {name!r}" for name in names]
    values = [numbers_of(column, label) for column, label in zip(columns, labels, strict=True)]
    if len(values[0]) != n_rows:
        raise DataError(f"X has {n_rows} rows and y has {len(values[0])}; give a target for every row.")
    require_finite(values, labels)
    return Targets(np.array(values), names)


def read_weights(sample_weight: Any, n_rows: int) -> Floats | None:  # (rows,)
    """The weight of each row, 0 or more; None where all are equal."""
    if sample_weight is None:
        return None
    array = _array(sample_weight, "sample_weight")
    if array.ndim == 0:
        array = np.full(n_rows, array)
    if array.shape != (n_rows,):
        raise DataError(f"sample_weight has the shape {array.shape}; give one weight per row, {n_rows} in all.")
    weights = numbers_of(array, "sample_weight")
    require_finite([weights], ["sample_weight"])
    if (weights < 0).any():
        place = int((weights < 0).argmax())
        raise DataError(f"sample_weight is {weights[place]:g} in row {place} (from 0); a weight is zero or more.")
    if not weights.any():
        raise DataError("Every sample_weight is zero, so that no row counts; give some rows a positive weight.")
    return weights


def _target_columns(y: Any) -> tuple[list[Any], tuple[str, ...]]:
    if isinstance(y, pd.Series):
        return [y], (y.name if isinstance(y.name, str) else "y",)
    if isinstance(y, pd.DataFrame):
        columns = [y.iloc[:, j] for j in range(y.shape[1])]
        given = tuple(y.columns)
        names = given if all(isinstance(name, str) for name in given) else _default_names(len(columns))
    else:
        array = _array(y, "the target y")
        if array.ndim not in (1, 2):
            raise DataError(f"y should be a 1d array or a table with a column per target; its shape is {array.shape}.")
        columns = [array] if array.ndim == 1 else list(array.T)
        names = _default_names(len(columns))
        if array.ndim == 1:
            return columns, names
    if not columns:
        raise DataError("y has no columns; give a target.")
    if len(columns) == 1:
        message = "A column-vector y was passed when a 1d array was expected; give y.ravel() to be clear."
        warnings.warn(message, DataConversionWarning, stacklevel=4)
    return columns, names


def _default_names(n_targets: int) -> tuple[str, ...]:
    return ("y",) if n_targets == 1 else tuple(f"y{j}" for j in range(n_targets))


def _array(values: Any, what: str) -> NDArray[Any]:
    """Values as numpy sees them; rows that mix text and numbers keep each cell as it is."""
    require_unmasked(values, what)
    try:
        array = np.asarray(values)
        return np.asarray(values, dtype=object) if array.dtype.kind in "US" else array
    except ValueError as error:
        raise DataError(f"The rows of {what} have different lengths; give each the same columns. ({error})") from error


def _check_names(columns: pd.Index) -> None:
    texts = [isinstance(name, str) for name in columns]
    if any(texts) and not all(texts):
        other = columns[texts.index(False)]
        raise DataError(f"Column {other!r} has no text for a name and others have; try X.columns.astype(str).")
    if not columns.is_unique:
        name = columns[columns.duplicated()][0]
        raise DataError(f"Two columns are called {name!r}; rename one of them, so that a formula can tell them apart.")
