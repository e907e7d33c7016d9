"""Streams of every kind give the same rows, again and again, and say what is wrong."""

import numpy as np
import pandas as pd
import pytest

from scalesr.errors import DataError
from scalesr.tables.streams import goes_in_passes, open_stream
from scalesr.tables.streams.arrow import reader_stream
from scalesr.tables.streams.stream import BATCH


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(0)
    n = 2 * BATCH + 17
    return pd.DataFrame(
        {"a": rng.normal(size=n), "b": rng.integers(0, 9, n), "t": ["text"] * n, "c": rng.normal(size=n) > 0}
    )


@pytest.fixture(scope="module")
def folder(frame, tmp_path_factory):
    pytest.importorskip("pyarrow")
    place = tmp_path_factory.mktemp("parts")
    frame.iloc[:BATCH].to_parquet(place / "1.parquet")
    frame.iloc[BATCH:].to_parquet(place / "2.parquet")
    return place


def pandas_frame(frame, folder):
    return frame


def folder_of_parquet(frame, folder):
    return folder


def pattern(frame, folder):
    return str(folder / "*.parquet")


def arrow_dataset(frame, folder):
    import pyarrow.dataset as ds

    return ds.dataset(str(folder))


def arrow_table(frame, folder):
    import pyarrow as pa

    return pa.Table.from_pandas(frame)


def polars_lazy(frame, folder):
    return pytest.importorskip("polars").scan_parquet(str(folder / "*.parquet"))


def polars_frame(frame, folder):
    return pytest.importorskip("polars").from_pandas(frame)


def duckdb_relation(frame, folder):
    return pytest.importorskip("duckdb").read_parquet(str(folder / "*.parquet"))


def dask_frame(frame, folder):
    return pytest.importorskip("dask.dataframe").read_parquet(str(folder))


KINDS = [
    pandas_frame, folder_of_parquet, pattern, arrow_dataset, arrow_table, polars_lazy, polars_frame, duckdb_relation,
    dask_frame,
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_source_gives_its_rows_in_order_each_time(kind, frame, folder):
    stream = open_stream(kind(frame, folder))
    assert (stream.names, stream.others) == (("a", "b", "c"), ("t",))
    expected = frame[["c", "a", "b"]].to_numpy(float).T
    for _ in range(2):
        batches = list(stream.batches(["c", "a", "b"]))
        assert max(one.shape[1] for one in batches) <= BATCH
        assert np.array_equal(np.concatenate(batches, axis=1), expected)


def test_missing_cells_are_no_numbers(tmp_path):
    pytest.importorskip("pyarrow")
    pd.DataFrame({"a": [1.0, None, 3.0], "b": pd.array([1, 2, None], "Int64")}).to_parquet(tmp_path / "t.parquet")
    (cells,) = open_stream(tmp_path / "t.parquet").batches(["a", "b"])
    assert np.array_equal(cells, [[1, np.nan, 3], [1, 2, np.nan]], equal_nan=True)


def test_columns_are_chosen_by_name(frame):
    stream = open_stream(frame)
    assert stream.select(["b"], keep=["a"]).names == ("a", "b")
    assert stream.select(drop=["b"]).names == ("a", "c")
    with pytest.raises(DataError, match="has no column 'q'; its columns are a, b, c"):
        stream.select(["q"])
    with pytest.raises(DataError, match="Column 't' of the frame holds no numbers"):
        stream.require("t")


def test_what_is_no_source_is_said(tmp_path, folder):
    (tmp_path / "no.parquet").write_text("PAR1 no")
    for source, message in (
        (tmp_path / "none", "neither a file nor a folder"),
        (tmp_path / "no.parquet", "holds no Parquet files that can be read"),
        ([1, 2], r"not builtins\.list"),
    ):
        with pytest.raises(DataError, match=message):
            open_stream(source)


def test_folders_and_patterns_go_in_passes_and_small_files_do_not(folder):
    assert goes_in_passes(folder)
    assert goes_in_passes(folder / "*.parquet")
    assert not goes_in_passes(folder / "1.parquet")
    assert not goes_in_passes(folder / "none")


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("ArrowNotImplementedError", "cannot be read to its end: broken page"),
        ("ArrowKeyError", "cannot be read to its end: "),
        ("ArrowMemoryError", "has parts that do not fit into memory"),
    ],
)
def test_whatever_pyarrow_raises_in_the_middle_of_a_pass_is_one_error(fault, message):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": [1.0, 2.0]})

    def batches(names):
        yield from table.select(names).to_batches()
        raise getattr(pa, fault)("broken page")

    stream = reader_stream(table.schema, batches, "the table")
    with pytest.raises(DataError, match=f"the table {message}"):
        list(stream.batches(["a"]))
