"""Streams of frames and relations of other libraries, which are asked by their own methods and never imported here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from scalesr.tables.streams.arrow import reader_stream
from scalesr.tables.streams.stream import BATCH, Floats, Read, Stream

NUMERIC = "biuf"  # kinds of numpy's types that are numbers


def pandas_stream(frame: Any) -> Stream:
    """A frame of pandas."""

    def read(names: Sequence[str]) -> Iterator[Floats]:
        for start in range(0, len(frame), BATCH):
            yield _numbers(frame.iloc[start : start + BATCH], names)

    return _stream("the frame", frame, read)


def dask_stream(frame: Any) -> Stream:
    """A frame of Dask, one partition after the other."""

    def read(names: Sequence[str]) -> Iterator[Floats]:
        chosen = frame[list(names)]
        for place in range(chosen.npartitions):
            part = chosen.get_partition(place).compute(scheduler="synchronous")
            if len(part):
                yield _numbers(part, names)

    return _stream("the frame of Dask", frame, read)


def polars_stream(frame: Any) -> Stream:
    """A frame of polars, lazy or not; a lazy one is worked out in batches in each pass."""
    lazy = frame.lazy()
    schema = lazy.collect_schema()
    numeric = tuple(name for name, kind in schema.items() if kind.is_numeric() or str(kind) == "Boolean")

    def read(names: Sequence[str]) -> Iterator[Floats]:
        for part in lazy.select(list(names)).collect_batches(chunk_size=BATCH, maintain_order=True):
            if len(part):
                yield np.stack([_polars_column(part.get_column(name)) for name in names])

    return Stream("the frame of polars", numeric, read, tuple(name for name in schema if name not in numeric))


def duckdb_stream(relation: Any) -> Stream:
    """A relation of DuckDB, which is asked again for each pass."""

    def open_reader(names: Sequence[str]) -> Any:
        quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        return relation.project(quoted).to_arrow_reader(BATCH)

    return reader_stream(relation.limit(0).to_arrow_table().schema, open_reader, "the relation of DuckDB")


def _stream(about: str, frame: Any, read: Read) -> Stream:
    """A frame whose types are those of pandas."""
    kinds = {str(name): getattr(kind, "kind", "O") in NUMERIC for name, kind in frame.dtypes.items()}
    numeric = tuple(name for name, is_number in kinds.items() if is_number)
    return Stream(about, numeric, read, tuple(name for name in kinds if name not in numeric))


def _numbers(part: Any, names: Sequence[str]) -> Floats:
    return np.stack([part[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in names])


def _polars_column(column: Any) -> Floats:
    return np.asarray(column.cast(float, strict=False).to_numpy(), np.float64)
