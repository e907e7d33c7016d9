"""Text tables as people save them: each spelling gives the numbers that it stands for."""

import gzip
import io

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.tables import read_table

X, Y = [1.5, 2.5, -3.25], [10.0, 2000.0, 0.125]


def read(content, name="lab.csv"):
    return read_table(io.BytesIO(content.encode() if isinstance(content, str) else content), name)


def numbers(table):
    return np.column_stack([column.numbers for column in table.columns])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("x,y\n1.5,10\n2.5,2e3\n-3.25,.125\n", "comma separated, header"),
        ("x\ty\n1.5\t10\n2.5\t2e3\n-3.25\t.125\n", "tab separated, header"),
        ("x;y\n1.5;10\n2.5;2e3\n-3.25;.125\n", "semicolon separated, header"),
        ("x|y\n1.5|10\n2.5|2e3\n-3.25|.125", "separated by |, header"),
        ("  x    y\n 1.5   10\n 2.5  2e3\n-3.25 .125\n", "separated by spaces, header"),
        ("x;y\n1,5;10\n2,5;2000\n-3,25;,125\n", "semicolon separated, decimal commas, header"),
        ("x\ty\n1,5\t10\n2,5\t2000\n-3,25\t0,125\n", "tab separated, decimal commas, header"),
        ('"x","y"\n"1,5","10"\n"2,5","2000"\n"-3,25","0,125"\n', "comma separated, decimal commas, header"),
        ('x,y\n1.5,10\n2.5,"2,000.0"\n-3.25,.125\n', "comma separated, commas between thousands, header"),
        ("# made by hand\nx,y\n1.5,10\n# doubtful\n2.5,2000\n\n-3.25,.125\n", "comma separated, header"),
        ("# x y\n1.5 10\n2.5 2.0D+03\n-3.25 1.25D-01\n", "separated by spaces, header in a comment"),
        ("\ufeffx,y\r\n1.5,10\r\n2.5,2000\r\n-3.25,.125\r\n", "comma separated, header"),
        ("x,y\r1.5,10\r2.5,2000\r\u22123.25,.125\r", "comma separated, header"),
        ("x,y,\n1.5,10,\n2.5,2000,\n-3.25,.125,\n", "comma separated, header"),
        (",x,y\n0,1.5,10\n1,2.5,2000\n2,-3.25,.125\n", "comma separated, header"),
    ],
)
def test_the_same_table_in_many_spellings(text, form):
    table = read(text)
    assert table.names == ("x", "y")
    assert np.array_equal(numbers(table), np.column_stack([X, Y]))
    assert table.form == form


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_encodings_with_a_mark_or_a_clear_pattern(encoding):
    table = read("größe,y\n1,2\n3,5\n".encode(encoding))
    assert table.names == ("größe", "y")
    assert table.notes == ()


def test_latin_1_is_read_with_a_note():
    table = read("größe,y\n1,2\n3,5\n".encode("latin-1"))
    assert table.names == ("größe", "y")
    assert "Latin-1" in table.form
    assert any("not UTF-8" in note for note in table.notes)


def test_a_cell_in_quotes_may_have_a_line_break():
    table = read('who,x,y\n"Ann\nLee",1,2\nBob,3,4\n')
    assert (table.n_rows, table.columns[2].numbers.tolist()) == (2, [2, 4])


def test_a_gzipped_table_is_unpacked():
    assert read(gzip.compress(b"x,y\n1,2\n3,5\n"), "lab.csv.gz").names == ("x", "y")


def test_a_table_without_header_has_default_names():
    table = read("1,2\n3,4\n5,6\n")
    assert (table.names, table.n_rows) == (("x0", "x1"), 3)
    assert "no header" in table.form


def test_a_bad_cell_in_the_first_row_makes_no_header():
    table = read("oops,2,3\n3,4,5\n5,6,7\n")
    assert table.n_rows == 3
    assert table.notes == ("Column 'x0': 1 cell that is not a number ('oops' in line 1) counts as missing.",)


def test_spaces_and_unicode_in_names_are_kept():
    assert read("wind speed (m/s),Δφ\n1,2\n3,4\n").names == ("wind speed (m/s)", "Δφ")


def test_columns_of_text_are_told_from_numbers_with_gaps():
    table = read("name,x,y\nfirst,1,\nsecond,NA,3\nthird,5,4\n")
    assert table.description == "lab.csv: 3 rows, 3 columns (name: text, x, y), comma separated, header"
    assert table.columns[0].numbers is None
    assert np.isnan(table.columns[1].numbers).tolist() == [False, True, False]


def test_a_comma_that_can_be_read_in_two_ways_is_noted():
    table = read("x;y\n1,234;2\n5,678;3\n")
    assert table.columns[0].numbers.tolist() == [1.234, 5.678]
    assert table.notes == ("'1,234' was read as 1.234.",)


def test_ten_thousand_columns_are_read():
    names = [f"c{j}" for j in range(10_000)]
    table = read(",".join(names) + "\n" + ",".join("1" * 10_000) + "\n" + ",".join("2" * 10_000) + "\n")
    assert len(table.columns) == 10_000
    assert len(table.description) < 200


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "lab.csv is empty"),
        (b" \n\n", "lab.csv is empty"),
        (b"# nothing\n", "lab.csv is empty"),
        (b"x,y\n", "holds no rows"),
        (b"x\n1\n2\n", "one column"),
        (b"x,x\n1,2\n3,4\n", "two columns called 'x'"),
        (b"x,y\n1,2\n3\n5,6\n7,8\n9,1\n", r"line 3: 1 cells where most lines have 2"),
        (bytes(range(256)) * 10, "is binary"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "old Excel file"),
        (b"\x1f\x8b" + b"no gzip", "cannot be unpacked|cannot be read"),
        (gzip.compress(b"x,y\n" * 1000, mtime=0)[:-20], "cannot be unpacked"),
        (b'x,y\n1,"2\n3",4\n5,6\n7,8\n9,9\n6,6\n', "line 3: 3 cells where most lines have 2"),
        (b"PK\x03\x04rubbish", "broken zip"),
        (b"\x93NUMPYrubbish", "not a NumPy file"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(content, message):
    with pytest.raises(DataError, match=message):
        read(content)


def test_what_begins_as_parquet_and_is_none_is_refused_with_the_reason():
    pytest.importorskip("pyarrow")
    with pytest.raises(DataError, match="not a Parquet file"):
        read(b"PAR1rubbish")


class Endless(io.RawIOBase):
    """A line that never ends; it counts what is taken from it."""

    taken = 0

    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = b"a" * len(buffer)
        self.taken += len(buffer)
        return len(buffer)


def test_a_line_without_end_is_refused_before_it_is_read_whole():
    stream = Endless()
    with pytest.raises(DataError, match="a line of more than 16 MiB"):
        read_table(stream)
    assert stream.taken < 20 * 2**20


def test_a_gzip_bomb_of_one_line_is_refused():
    with pytest.raises(DataError, match="a line of more than 16 MiB"):
        read(gzip.compress(b"0" * 2**25))


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(DataError, match="is a folder"):
        read_table(tmp_path)
    with pytest.raises(DataError, match=r"gone\.csv cannot be read: No such file"):
        read_table(tmp_path / "gone.csv")
