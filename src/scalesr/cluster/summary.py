"""The summary of a batch: a line per law, as CSV for spreadsheets and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from scalesr.atomic import write_atomically
from scalesr.cluster.job import BatchLine
from scalesr.tables import csv_text


def write_summary(folder: Path, lines: Sequence[BatchLine]) -> None:
    """Write summary.csv and summary.json, in the order of the jobs."""
    names = [field.name for field in fields(BatchLine)]
    cells = [[_cell(line.values()[name]) for name in names] for line in lines]
    write_atomically(folder / "summary.csv", csv_text([names, *cells]).encode("utf-8", errors="backslashreplace"))
    values = json.dumps([line.values() for line in lines], indent=1, allow_nan=False)
    write_atomically(folder / "summary.json", f"{values}\n".encode())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
