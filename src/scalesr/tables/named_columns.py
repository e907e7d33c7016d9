"""Tables on disk become arrays. A line that starts with # is a comment."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError


def read_columns(path: Path | Traversable, columns: Sequence[str]) -> NDArray[np.float64]:  # (rows, columns)
    """Read the named columns of a CSV file as numbers."""
    rows = [[_number(row, name, line) for name in columns] for line, row in _rows(path, columns)]
    return np.array(rows, np.float64)


def read_labels(path: Path | Traversable, column: str) -> list[str]:
    """Read one column of a CSV file as it is written."""
    return [row[column] for _, row in _rows(path, [column])]


def _rows(path: Path | Traversable, columns: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """Each row of the file with the line it stands on, sure to hold `columns`."""
    lines = [(n, line) for n, line in enumerate(_text(path).splitlines(), 1) if line.strip() and line[0] != "#"]
    cells = list(csv.reader(line for _, line in lines))
    if len(cells) < 2:
        raise DataError(f"{path} holds no rows; a table needs a line of column names and a line per row.")
    header = [name.strip() for name in cells[0]]
    missing = [name for name in columns if name not in header]
    if missing:
        raise DataError(f"{path} has no column {missing[0]!r}; its columns are {', '.join(header)}.")
    for (line, _), row in zip(lines, cells, strict=True):
        if len(row) != len(header):
            raise DataError(
                f"{path}, line {line}: {len(row)} cells under {len(header)} column names; correct that line."
            )
    return [(line, dict(zip(header, row, strict=True))) for (line, _), row in zip(lines[1:], cells[1:], strict=True)]


def _text(path: Path | Traversable) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8 text (byte {error.start}); save it as UTF-8 CSV.") from error


def _number(row: dict[str, str], name: str, line: int) -> float:
    try:
        return float(row[name])
    except ValueError:
        raise DataError(f"Line {line}, column {name!r}: {row[name]!r} is not a number.") from None
