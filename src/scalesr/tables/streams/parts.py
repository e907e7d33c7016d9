"""Parquet in parts: a folder that is written a part at a time, so that it may be larger than memory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scalesr.errors import DataError
from scalesr.tables.streams.arrow import arrow
from scalesr.tables.streams.stream import Floats


def write_part(path: Path, columns: Mapping[str, Floats]) -> None:
    """Write columns of equal length as a Parquet file, which is there when it is whole."""
    pa = arrow("a folder of Parquet")
    from pyarrow import parquet

    beside = path.with_name(f".{path.name}.part")
    try:
        parquet.write_table(pa.table(dict(columns)), beside, compression="none")
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise DataError(
            f"{path} cannot be written: {error.strerror or error}. Make room or give fewer rows."
        ) from error
