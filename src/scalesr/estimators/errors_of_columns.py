"""What a user knows of the errors of the columns: a number, one per column, or one per cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from scalesr.errors import DataError, SettingError
from scalesr.estimators.numbers import Floats, numbers_of, require_finite
from scalesr.estimators.yes_no import is_asked_for
from scalesr.masks import require_unmasked
from scalesr.records.config import Settings


def read_x_errors(x_error: Any, names: Sequence[str], n_rows: int) -> Floats | None:  # (rows, columns)
    """The standard error of each cell, 0 where it is exact; None where nothing is said, or all are exact.

    By name, as a mapping or the columns of a DataFrame, those of other columns are 0.
    """
    if x_error is None:
        return None
    if isinstance(x_error, Mapping | pd.DataFrame):
        errors = _by_name(x_error, names, n_rows)
    else:
        errors = _as_array(x_error, names, n_rows)
    labels = [f"x_error of {name!r}" for name in names]
    require_finite(list(errors.T), labels)
    if (errors < 0).any():
        row, column = (int(place) for place in np.argwhere(errors < 0)[0])
        raise DataError(
            f"{labels[column]} is {errors[row, column]:g} in row {row} (from 0); a standard error is zero or more."
        )
    return errors if errors.any() else None


def require_no_more(settings: Settings, *, has_groups: bool) -> None:
    """Refuse what errors of columns do not go with yet."""
    asked = {
        "groups": has_groups, "templates": settings.template is not None, "constraints": bool(settings.constraints),
        "loss='logistic'": is_asked_for(settings.given_noise),
    }  # fmt: skip
    if wrong := next((name for name, value in asked.items() if value), None):
        raise SettingError(f"x_error cannot be combined with {wrong} yet; leave out one of the two.")


def _by_name(given: Mapping[str, Any] | pd.DataFrame, names: Sequence[str], n_rows: int) -> Floats:
    if unknown := [name for name in given if name not in names]:
        raise DataError(f"x_error names the column {unknown[0]!r}, which is not there; these are {', '.join(names)}.")
    errors = np.zeros((n_rows, len(names)))
    for name in given:
        require_unmasked(given[name], f"x_error of {name!r}")
        column = np.asarray(given[name])
        if column.ndim > 1 or (column.ndim == 1 and len(column) != n_rows):
            raise DataError(f"x_error of {name!r} has the shape {column.shape}; give one number, or one per row.")
        errors[:, names.index(name)] = numbers_of(np.broadcast_to(column, n_rows).copy(), f"x_error of {name!r}")
    return errors


def _as_array(given: Any, names: Sequence[str], n_rows: int) -> Floats:
    require_unmasked(given, "x_error")
    array = np.asarray(given)
    if array.shape not in ((), (len(names),), (n_rows, len(names))):
        raise DataError(
            f"x_error has the shape {array.shape}; give one number, one per column ({len(names)}), one per cell, or "
            f"a mapping such as {{{names[0]!r}: 0.1}}."
        )
    whole = np.broadcast_to(array, (n_rows, len(names)))
    pairs = zip(names, whole.T, strict=True)
    return np.column_stack([numbers_of(column.copy(), f"x_error of {name!r}") for name, column in pairs])
