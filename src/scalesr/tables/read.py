"""A file of any of the known formats as a table; its content tells the format, not its name."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import BinaryIO

from scalesr.errors import DataError
from scalesr.tables.arrays import archive_table, array_table
from scalesr.tables.cells import table_of
from scalesr.tables.content import content_of
from scalesr.tables.decode import decoded
from scalesr.tables.parquet import parquet_table
from scalesr.tables.plain import plain_table
from scalesr.tables.sentinels import AUTO, without_sentinels
from scalesr.tables.spreadsheet import workbook_grid
from scalesr.tables.table import Table
from scalesr.tables.text import grid_of


def read_table(source: Path | BinaryIO, name: str | None = None, *, missing_values: str = AUTO) -> Table:
    """Read a table from a file or a stream; `name` is what messages call it.

    `missing_values` are numbers that stand for missing cells: "auto", "none" or some with commas between.
    """
    label = name or (source.name if isinstance(source, Path) else "standard input")
    content = content_of(source, label)
    if not content.strip():
        raise DataError(f"{label} is empty; a table needs a line of column names and a line per row.")
    table = _table(content, label)
    if len(table.columns) < 2:
        raise DataError(f"{label} has one column, {table.names[0]}; a law needs a target and another column.")
    return without_sentinels(table, missing_values)


def _table(content: bytes, label: str) -> Table:
    if content.startswith(b"PAR1"):
        return parquet_table(content, label)
    if content.startswith(b"\x93NUMPY"):
        return array_table(content, label)
    if content.startswith(b"PK\x03\x04"):
        return _zipped(content, label)
    text, encoding = decoded(content, label)
    if (plain := plain_table(text, label, encoding)) is not None:
        return plain
    return table_of(grid_of(text, label, encoding))


def _zipped(content: bytes, label: str) -> Table:
    """A workbook or an archive of arrays: both are zip files."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DataError(f"{label} is a broken zip file ({error}); make it again.") from error
    if any(name.startswith("xl/") for name in names):
        return table_of(workbook_grid(content, label))
    if names and all(name.endswith(".npy") for name in names):
        return archive_table(content, label)
    raise DataError(f"{label} is a zip file; unpack it and give the table in it.")
