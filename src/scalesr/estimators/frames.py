"""Rows of named columns as scikit-learn knows names: DataFrames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from scalesr.errors import DataError
from scalesr.estimators.known_constants import told_constants
from scalesr.estimators.numbers import Floats
from scalesr.records.discovery import Discovery
from scalesr.records.equation import Equation
from scalesr.tables import Table


def named_rows(
    X: Floats, names: Sequence[str], y: Floats, target: str, categories: Mapping[str, Sequence[str]] | None = None
) -> tuple[pd.DataFrame, pd.Series]:
    """A table and its target, with their names, and columns of text behind the others."""
    frame = pd.DataFrame(X, columns=list(names))
    texts = {name: pd.Series(list(cells), dtype=object) for name, cells in (categories or {}).items()}
    return frame.assign(**texts), pd.Series(y, name=target)


def named_groups(labels: Sequence[str | float] | None, by: str) -> pd.Series | None:
    """The group of each row, with the name of what tells them."""
    return None if labels is None else pd.Series(list(labels), name=by, dtype=object)


def front_table(discovery: Discovery) -> pd.DataFrame:
    """The Pareto front of a discovery, simplest first."""
    laws = discovery.front
    return pd.DataFrame(
        {
            "complexity": [law.complexity for law in laws],
            "loss": [law.loss for law in laws],
            "probability": np.array(discovery.probabilities, np.float64),
            "equation": pd.Series([law.equation for law in laws], dtype=object),
        }
    )


def constants_table(equation: Equation, units: Sequence[tuple[str, str]], target: str) -> pd.DataFrame:
    """The constants of a law, with their units where those of the columns are known."""
    told = told_constants(equation, units, target)
    return pd.DataFrame(
        {
            "value": [one.value for one in told],
            "standard_error": [one.error for one in told],
            "unit": pd.Series([one.unit for one in told], dtype=object),
            "name": pd.Series([one.name for one in told], dtype=object),
        }
    )


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
