import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.tables import read_columns, read_labels


def written(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode())
    return path


def test_columns_come_in_the_order_asked_for(tmp_path):
    path = written(tmp_path, "# a comment\nname,x,y\nfirst,1,2e3\n\nsecond,-0.5,4\n")
    assert np.array_equal(read_columns(path, ["y", "x"]), [[2000, 1], [4, -0.5]])
    assert read_labels(path, "name") == ["first", "second"]


def test_a_byte_order_mark_and_windows_lines_are_no_trouble(tmp_path):
    path = written(tmp_path, "\ufeffx, y\r\n1,2\r\n")
    assert np.array_equal(read_columns(path, ["x", "y"]), [[1, 2]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no rows"),
        ("x,y\n", "holds no rows"),
        ("a,b\n1,2\n", "no column 'x'; its columns are a, b"),
        ("# c\nx,y\n1,2\n3\n", "line 4: 1 cells under 2 column names"),
        ("x,y\n1,2\n3,four\n", "Line 3, column 'y': 'four' is not a number"),
    ],
)
def test_a_bad_table_is_refused_with_the_place(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read_columns(written(tmp_path, text), ["x", "y"])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match=r"nowhere\.csv cannot be read: No such file"):
        read_columns(tmp_path / "nowhere.csv", ["x"])


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(b"x\n\xff\xfe\n")
    with pytest.raises(DataError, match="not UTF-8"):
        read_columns(path, ["x"])
