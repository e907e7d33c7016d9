"""Streams of what pyarrow reads: Parquet files and folders, datasets, tables and readers of batches."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scalesr.errors import DataError, MissingExtra
from scalesr.tables.streams.stream import BATCH, Floats, Stream

AHEAD = 2  # batches and files that are read before they are asked for: pyarrow's own 16 and 4 would hold gigabytes


def parquet_stream(path: Path) -> Stream:
    """A Parquet file, a folder of them, or those that a pattern names, in the order of their names."""
    dataset = arrow(path).dataset
    place: Any = str(path)
    if not path.exists():
        place = sorted(glob.glob(place, recursive=True))  # noqa: PTH207 - an absolute pattern is one as well
        if not place:
            raise DataError(f"{path} is neither a file nor a folder, and no file's name is like it; correct the path.")
    try:
        return dataset_stream(dataset.dataset(place, format="parquet"), str(path))
    except DataError:
        raise
    except Exception as error:  # pyarrow raises errors of many kinds for a broken file
        raise DataError(f"{path} holds no Parquet files that can be read ({error}).") from error


def numbers_in(path: Path) -> int:
    """How many numbers a Parquet file would be in memory, told by what it says of itself; 0 for any other file."""
    try:
        with path.open("rb") as file:
            if file.read(4) != b"PAR1":
                return 0
        from pyarrow import parquet

        about = parquet.read_metadata(path)
    except Exception:  # it is read as a table then, whose error says what is wrong
        return 0
    return int(about.num_rows * about.num_columns)


def dataset_stream(dataset: Any, about: str = "the dataset") -> Stream:
    """A dataset of pyarrow."""

    def batches(names: Sequence[str]) -> Iterator[Any]:
        scanner = dataset.scanner(
            columns=list(names), batch_size=BATCH, batch_readahead=AHEAD, fragment_readahead=1, use_threads=True
        )
        return iter(scanner.to_batches())

    return _stream(dataset.schema, batches, about)


def table_stream(table: Any) -> Stream:
    """A table of pyarrow, which is in memory and looked at in batches all the same."""
    return _stream(table.schema, lambda names: iter(table.select(list(names)).to_batches(BATCH)), "the table")


def reader_stream(schema: Any, open_reader: Callable[[Sequence[str]], Any], about: str) -> Stream:
    """What gives a new reader of record batches for each pass."""
    return _stream(schema, lambda names: iter(open_reader(names)), about)


def _stream(schema: Any, batches: Callable[[Sequence[str]], Iterator[Any]], about: str) -> Stream:
    names = [name for name in schema.names if not name.startswith("__index_level_")]
    numeric = tuple(name for name in names if _is_numeric(schema.field(name).type))

    def read(wanted: Sequence[str]) -> Iterator[Floats]:
        try:
            for batch in batches(wanted):
                if batch.num_rows:
                    yield np.stack([_column(batch.column(name)) for name in wanted])
        except MemoryError as error:
            raise DataError(f"{about} has parts that do not fit into memory; write smaller row groups.") from error
        except Exception as error:  # pyarrow raises errors of many kinds for a broken file
            raise DataError(f"{about} cannot be read to its end: {error}.") from error

    return Stream(about, numeric, read, tuple(name for name in names if name not in numeric))


def _is_numeric(kind: Any) -> bool:
    types = arrow("the table").types
    return bool(
        types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind) or types.is_decimal(kind)
    )  # fmt: skip


def _column(values: Any) -> Floats:
    pa = arrow("the table")
    kind = pa.int8() if pa.types.is_boolean(values.type) else pa.float64()
    return np.asarray(values.cast(kind, safe=False).to_numpy(zero_copy_only=False), np.float64)


def arrow(about: object) -> Any:
    """The library that reads Parquet, which is an extra."""
    try:
        import pyarrow as pa
        import pyarrow.dataset
    except ImportError as error:
        raise MissingExtra(f"To read {about} in batches needs pyarrow: pip install 'scalesr[parquet]'.") from error
    return pa
