"""Parquet files as tables, through pyarrow."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from scalesr.errors import DataError, MissingExtra
from scalesr.tables.content import check_numbers
from scalesr.tables.table import Column, Table, first_double, shortened


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
        return _table(parquet.ParquetFile(io.BytesIO(content)), source, pa)
    except DataError:
        raise
    except Exception as error:  # pyarrow raises errors of many kinds for a broken file
        raise DataError(f"{source} is not a Parquet file that can be read ({error}).") from error


def _table(file: Any, source: str, pa: Any) -> Table:
    """The columns of numbers; those of text are named and not read."""
    schema = file.schema_arrow
    names = [name for name in schema.names if not name.startswith("__index_level_")]
    n_rows = file.metadata.num_rows
    if n_rows <= 0 or not names:
        raise DataError(f"{source} holds no rows.")
    if (doubled := first_double(names)) is not None:
        raise DataError(f"{source} has two columns called {shortened(doubled)!r}; rename one.")
    if n_rows != sum(file.metadata.row_group(place).num_rows for place in range(file.metadata.num_row_groups)):
        raise DataError(f"{source} says that it has {n_rows} rows, and its parts have another number; write it again.")
    check_numbers(n_rows, len(names), source)
    numeric = [name for name in names if _is_numeric(schema.field(name).type, pa)]
    found = file.read(columns=numeric) if numeric else None
    columns = tuple(
        _column(name, found.column(name), pa) if found and name in found.column_names
        else Column(name, None, f"a value of the type {schema.field(name).type}")
        for name in names
    )  # fmt: skip
    return Table(source, columns, n_rows, "Parquet")


def _is_numeric(kind: Any, pa: Any) -> bool:
    types = pa.types
    return bool(
        types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind) or types.is_decimal(kind)
    )  # fmt: skip


def _column(name: str, values: Any, pa: Any) -> Column:
    numbers = values.cast(pa.float64() if not pa.types.is_boolean(values.type) else pa.int8(), safe=False)
    return Column(name, np.asarray(numbers.to_numpy(), np.float64))
