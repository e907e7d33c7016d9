"""Parquet files as tables, through pyarrow."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from scalesr.errors import DataError, MissingExtra
from scalesr.tables.table import Column, Table, shortened


def parquet_table(content: bytes, source: str) -> Table:
    """The columns of a Parquet file; what is neither number nor truth value is text."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra(
            f"{source} is a Parquet file, which needs pyarrow: pip install 'scalesr[parquet]'. Or save it as CSV."
        ) from error
    try:
        found = parquet.read_table(io.BytesIO(content))
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{source} is no Parquet file that can be read ({error}).") from error
    names = [name for name in found.column_names if not name.startswith("__index_level_")]
    if doubled := next((name for name in names if names.count(name) > 1), None):
        raise DataError(f"{source} has two columns called {shortened(doubled)!r}; rename one.")
    columns = tuple(_column(name, found.column(name), pa) for name in names)
    if found.num_rows == 0 or not columns:
        raise DataError(f"{source} holds no rows.")
    return Table(source, columns, found.num_rows, "Parquet")


def _column(name: str, values: Any, pa: Any) -> Column:
    kind = values.type
    types = pa.types
    if types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind) or types.is_decimal(kind):
        numbers = values.cast(pa.float64() if not types.is_boolean(kind) else pa.int8(), safe=False)
        return Column(name, np.asarray(numbers.to_numpy(), np.float64))
    return Column(name, None, str(next((value.as_py() for value in values if value.is_valid), "")))
