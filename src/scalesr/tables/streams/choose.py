"""Which kind of stream a source is, told by its type, so that no library is loaded that it does not come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scalesr.errors import DataError
from scalesr.tables.content import MAX_NUMBERS
from scalesr.tables.streams.arrow import dataset_stream, numbers_in, parquet_stream, table_stream
from scalesr.tables.streams.frames import dask_stream, duckdb_stream, pandas_stream, polars_stream
from scalesr.tables.streams.stream import Stream


def goes_in_passes(path: Path) -> bool:
    """Whether a path is a folder, a pattern, or a Parquet file that is too large for memory."""
    if path.is_dir():
        return True
    if not path.exists():
        return bool(set("*?[") & set(str(path)))
    return path.is_file() and numbers_in(path) > MAX_NUMBERS


def open_stream(source: Any) -> Stream:
    """A Parquet file or a folder of them, or a dataset, frame or relation of a library that reads more than fits."""
    if isinstance(source, Stream):
        return source
    if isinstance(source, str | Path):
        return parquet_stream(Path(source))
    library, kind = type(source).__module__.partition(".")[0], type(source).__name__
    if library == "pyarrow":
        return table_stream(source) if kind == "Table" else dataset_stream(source)
    if library == "polars":
        return polars_stream(source)
    if library in ("duckdb", "_duckdb"):
        return duckdb_stream(source)
    if library in ("dask", "dask_expr") and kind == "DataFrame":
        return dask_stream(source)
    if library == "pandas" and kind == "DataFrame":
        return pandas_stream(source)
    raise DataError(
        f"With the name of a column as y, X is a Parquet file or a folder of them, a dataset of pyarrow, or a frame of "
        f"pandas, Dask, polars or DuckDB; not {library}.{kind}. Arrays need an array as y."
    )
