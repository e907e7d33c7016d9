"""Rows of named columns as scikit-learn knows names: DataFrames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from scalesr.errors import DataError
from scalesr.estimators.numbers import Floats
from scalesr.tables import Table


def named_rows(X: Floats, names: Sequence[str], y: Floats, target: str) -> tuple[pd.DataFrame, pd.Series]:
    """A table and its target, with their names."""
    return pd.DataFrame(X, columns=list(names)), pd.Series(y, name=target)


def frame_of(table: Table, names: Sequence[str], time: str | None, trajectory: str | None) -> pd.DataFrame:
    """A table of trajectories: the columns of these names, or all numbers where there are none."""
    special = [name for name in (time, trajectory) if name is not None]
    wanted = [*special, *names] if names else [column.name for column in table.columns if column.numbers is not None]
    frame = {}
    for name in dict.fromkeys([*special, *wanted]):
        column = table.column(name)
        if column.numbers is None:
            raise DataError(f"Column {name!r} holds text, {column.example!r} for example; number it first.")
        frame[name] = np.asarray(column.numbers)
    return pd.DataFrame(frame)
