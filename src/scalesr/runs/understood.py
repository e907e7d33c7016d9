"""What was understood of a table, in few numbers: its columns with their histograms, and some of its rows."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.runs.files import finite_list
from scalesr.tables import Column, Table, usable_columns

MOST_COLUMNS: Final = 300  # that are described one by one, as many as a search takes
MOST_SAMPLED: Final = 60  # columns whose cells are in the sample
MOST_ROWS: Final = 300  # of the sample
N_BINS: Final = 24
N_EXACT: Final = 200_000  # rows up to which distinct values are counted


def understood(table: Table) -> dict[str, Any]:
    """A table for people to look at before they ask for its law."""
    described = table.columns[:MOST_COLUMNS]
    rows = (np.arange(min(table.n_rows, MOST_ROWS)) * table.n_rows) // min(table.n_rows, MOST_ROWS)
    sampled = [column for column in described if column.numbers is not None][:MOST_SAMPLED]
    usable = frozenset(usable_columns(table))
    return {
        "description": table.description,
        "notes": list(table.notes),
        "n_rows": table.n_rows,
        "n_columns": len(table.columns),
        "columns": [
            _described(column, table.n_rows) | {"unit": column.unit, "usable": column.name in usable}
            for column in described
        ],
        "sample": {column.name: finite_list(column.numbers[rows]) for column in sampled if column.numbers is not None},
    }


def _described(column: Column, n_rows: int) -> dict[str, Any]:
    if column.numbers is None and column.seconds is not None:
        return _dates(column.name, column.seconds)
    if column.numbers is None:
        return {"name": column.name, "kind": "text", "missing": 0, "example": column.example[:60]}
    values = column.numbers[np.isfinite(column.numbers)]
    about = {"name": column.name, "kind": "number", "missing": n_rows - len(values), "example": column.example[:60]}
    if len(values) == 0:
        return about | {"kind": "empty"}
    least, most = float(values.min()), float(values.max())
    kind = "constant" if least == most else "number"
    distinct = len(np.unique(values)) if len(values) <= N_EXACT else None
    about |= {"kind": kind, "least": least, "most": most, "mean": float(values.mean()), "distinct": distinct}
    return about | _histogram(values, least, most)


def _dates(name: str, seconds: NDArray[np.float64]) -> dict[str, Any]:
    """A column of dates; the ends of its range are written as dates are."""
    values = seconds[np.isfinite(seconds)]
    about = {"name": name, "kind": "date", "missing": len(seconds) - len(values)}
    if len(values) == 0:
        return about | {"kind": "empty"}
    least, most = float(values.min()), float(values.max())
    ends = np.datetime_as_string(np.array([least, most]).astype("datetime64[s]"))
    told = [str(one).removesuffix("T00:00:00") for one in ends]
    return about | {"least": told[0], "most": told[1]} | _histogram(values, least, most)


def _histogram(values: NDArray[np.float64], least: float, most: float) -> dict[str, Any]:
    """How often values of each size occur; nothing where they are too much alike to be told apart."""
    with np.errstate(all="ignore"):
        wide = most - least
        if not (np.isfinite(wide) and wide > 1e-300 and least + wide / N_BINS > least):
            return {}
        counts, edges = np.histogram(values, bins=N_BINS)
    return {"counts": counts.tolist(), "edges": edges.tolist()}
