"""Parquet, Excel and NumPy files give the columns that their own libraries wrote."""

import datetime as dt
import io

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.tables import read_table


def saved(save, *arguments, **options):
    file = io.BytesIO()
    save(file, *arguments, **options)
    file.seek(0)
    return file


def test_parquet():
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {"x": [1.5, None, 3.0], "n": [1, 2, 3], "ok": [True, False, None], "who": ["a", "b", None]}
    file = io.BytesIO()
    parquet.write_table(arrow.table(columns), file)
    file.seek(0)
    table = read_table(file, "lab.parquet")
    assert table.description == "lab.parquet: 3 rows, 4 columns (x, n, ok, who: text), Parquet"
    x, n, ok, who = table.columns
    assert np.array_equal(x.numbers, [1.5, np.nan, 3.0], equal_nan=True)
    assert np.array_equal(n.numbers, [1, 2, 3])
    assert np.array_equal(ok.numbers, [1, 0, np.nan], equal_nan=True)
    assert who.numbers is None


def test_excel():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "runs"
    for row in (["day", "x", "y"], [dt.date(2026, 1, 2), 1, 2.5], [None, 3, None], [None, 4, "broken"]):
        sheet.append(row)
    book.create_sheet("notes").append(["hello"])
    file = io.BytesIO()
    book.save(file)
    file.seek(0)
    table = read_table(file, "lab.xlsx")
    assert table.names == ("day", "x", "y")
    assert table.form == "Excel sheet 'runs', header"
    assert table.columns[0].numbers is None
    assert table.columns[1].numbers.tolist() == [1, 3, 4]
    assert "not 'notes'" in table.notes[0]


def test_a_numpy_array_has_default_names():
    table = read_table(saved(np.save, np.array([[1, 2], [3, 4], [5, 6]])), "lab.npy")
    assert (table.names, table.n_rows, table.form) == (("x0", "x1"), 3, "NumPy array")
    assert table.columns[1].numbers.tolist() == [2, 4, 6]


def test_a_structured_array_has_its_fields():
    table = read_table(saved(np.save, np.array([(1, 2.5), (3, 4.5)], dtype=[("n", "i4"), ("v", "f8")])))
    assert table.names == ("n", "v")


def test_an_archive_has_its_arrays():
    table = read_table(saved(np.savez_compressed, X=np.ones((4, 2)), y=np.arange(4)))
    assert table.names == ("X0", "X1", "y")
    assert table.columns[2].numbers.tolist() == [0, 1, 2, 3]


def test_arrays_of_different_length_are_refused():
    with pytest.raises(DataError, match="different numbers of rows"):
        read_table(saved(np.savez, x=np.ones(3), y=np.ones(4)))


def test_python_objects_are_not_loaded():
    with pytest.raises(DataError, match="Python objects"):
        read_table(saved(np.save, np.array([{"a": 1}, None]), allow_pickle=True))


def test_an_array_that_claims_more_than_its_file_has_is_refused():
    content = saved(np.save, np.ones((2, 2))).getvalue().replace(b"(2, 2)", b"(2, 9)")
    with pytest.raises(DataError, match="ends before its array"):
        read_table(io.BytesIO(content), "lab.npy")
