"""View: the few numbers by which a page draws a law without reading its table again."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from scalesr.records.discovery import Discovery
from scalesr.report.law_on_rows import LawOnRows
from scalesr.runs.files import finite_list

MOST_ROWS: Final = 800  # that a page shows, as many as a report does


def table_view(discovery: Discovery, rows: LawOnRows) -> dict[str, Any]:
    """How a law does on all rows, and some of these rows."""
    shown = (np.arange(min(len(rows.y), MOST_ROWS)) * len(rows.y)) // min(len(rows.y), MOST_ROWS)
    order = np.argsort(rows.predicted, kind="stable")
    return {
        "names": list(discovery.equation.names),
        "target": rows.target,
        "groups": discovery.taken.groups is not None,
        "n_rows": len(rows.y),
        "n_without": rows.n_without,
        "error": rows.error,
        "explained": rows.explained if np.isfinite(rows.explained) else None,
        "left": rows.what_is_left(),
        "least": rows.table.min(axis=0).tolist(),
        "most": rows.table.max(axis=0).tolist(),
        "middle": rows.table[order[len(order) // 2]].tolist(),
        "X": rows.table[shown].tolist(),
        "y": rows.y[shown].tolist(),
    }


def motion_view(curves: Any, states: tuple[str, ...]) -> dict[str, Any]:
    """Trajectories as they were measured and as the laws give them, in some of their points."""
    shown = []
    for times, measured, simulated in curves[:MOST_RUNS]:
        kept = (np.arange(min(len(times), MOST_POINTS)) * len(times)) // min(len(times), MOST_POINTS)
        shown.append(
            {
                "times": times[kept].tolist(),
                "measured": [finite_list(column) for column in measured[kept].T],
                "simulated": [finite_list(column) for column in simulated[kept].T],
            }
        )
    return {"states": list(states), "n_runs": len(curves), "runs": shown}


MOST_RUNS: Final = 12
MOST_POINTS: Final = 300  # of one trajectory
