"""What was understood of a table, in few numbers: its columns with their histograms, and some of its rows."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from scalesr.runs.files import finite_list
from scalesr.tables import Column, Table

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
    return {
        "description": table.description,
        "notes": list(table.notes),
        "n_rows": table.n_rows,
        "n_columns": len(table.columns),
        "columns": [_described(column, table.n_rows) for column in described],
        "sample": {column.name: finite_list(column.numbers[rows]) for column in sampled if column.numbers is not None},
    }


def _described(column: Column, n_rows: int) -> dict[str, Any]:
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
    with np.errstate(all="ignore"):
        wide = most - least
        if kind == "constant" or not (np.isfinite(wide) and wide > 1e-300 and least + wide / N_BINS > least):
            return about
        counts, edges = np.histogram(values, bins=N_BINS)
    return about | {"counts": counts.tolist(), "edges": edges.tolist()}
