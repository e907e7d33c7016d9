"""Files that are small and would become large, or that bring more than a table: refused early, with what to do."""

import gzip
import io
import zipfile

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.tables import read_table
from scalesr.tables.exported import csv_text

SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)


def workbook(sheet: str | None = None, **parts: str) -> io.BytesIO:
    """A workbook whose first sheet, or other part, is another."""
    openpyxl = pytest.importorskip("openpyxl")
    book, plain = openpyxl.Workbook(), io.BytesIO()
    for row in (["x", "y"], [1, 2], [3, 4]):
        book.active.append(row)
    book.save(plain)
    replaced = {name.replace("__", "/") + ".xml": text for name, text in parts.items()}
    if sheet is not None:
        replaced["xl/worksheets/sheet1.xml"] = sheet
    changed = io.BytesIO()
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, replaced.pop(name, None) or old.read(name))
        for name, text in replaced.items():
            new.writestr(name, text)
    changed.seek(0)
    return changed


def cell(place: str, value: float) -> str:
    return f'<row r="{place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}"><c r="{place}"><v>{value}</v></c></row>'


def test_broken_xml_is_refused():
    with pytest.raises(DataError, match="not an Excel file that can be read"):
        read_table(workbook("<worksheet><sheetData><row>"), "lab.xlsx")


def test_a_document_type_is_refused_also_behind_a_long_comment():
    bomb = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]>"
    for text in (bomb + SHEET.format(""), f"<!--{'x' * 300_000}-->{bomb}{SHEET.format('')}"):
        with pytest.raises(DataError, match="document type"):
            read_table(workbook(text), "lab.xlsx")


def test_one_cell_in_the_last_corner_is_no_table_of_17_billion():
    sheet = SHEET.format(cell("A1", 1) + cell("XFD1048576", 1))
    assert read_table(workbook(sheet), "lab.xlsx").n_rows == 2
    claimed = sheet.replace("<sheetData>", '<dimension ref="A1:XFD1048576"/><sheetData>')
    assert read_table(workbook(claimed), "lab.xlsx").n_rows == 2


def test_rows_beyond_the_last_are_refused():
    with pytest.raises(DataError, match="more than 2,000,000 cells"):
        read_table(workbook(SHEET.format(cell("A1", 1) + cell("B999999999999", 1))), "lab.xlsx")


def test_a_sheet_that_unpacks_to_gigabytes_is_refused_unread():
    with pytest.raises(DataError, match=r"128 MiB of XML.*give a random part of the rows"):
        read_table(workbook(SHEET.format(" " * (2**27 + 1))), "lab.xlsx")
    with pytest.raises(DataError, match="128 MiB of XML"):
        read_table(workbook(xl__styles=" " * (2**25 + 1)), "lab.xlsx")


@pytest.mark.parametrize("separator", [b",", b"\t", b" "])
def test_millions_of_columns_are_refused(separator):
    with pytest.raises(DataError, match=r"more than 100,000 columns and tables are read up to 100,000"):
        read_table(io.BytesIO(separator.join([b"1"] * 5_000_000) + b"\n"), "wide.csv")


def test_fifty_million_rows_in_a_small_file_are_refused():
    packed = gzip.compress(b"1,2\n" * 50_000_000, 1)
    with pytest.raises(DataError, match=r"rows.*shuf -n 100000"):
        read_table(io.BytesIO(packed), "long.csv.gz")


def test_rows_times_columns_are_bounded():
    line = b",".join([b"1"] * 4999 + [b"a"]) + b"\n"  # a text among them: plain numbers alone are read in blocks
    with pytest.raises(DataError, match=r"3,000 rows of 5,000 columns and tables are read up to 10,000,000 cells"):
        read_table(io.BytesIO(line * 3000), "both.csv")


def test_parquet_of_few_bytes_and_many_rows_is_not_read(monkeypatch):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file, zeros = io.BytesIO(), np.zeros(100_000)
    parquet.write_table(pa.table({"x": zeros, "y": zeros}), file, compression="zstd")
    assert len(file.getvalue()) < 10_000
    file.seek(0)
    monkeypatch.setattr("scalesr.tables.content.MAX_NUMBERS", 150_000)
    with pytest.raises(DataError, match=r"100,000 rows of 2 columns and tables are read up to 150,000 numbers"):
        read_table(file, "long.parquet")


def test_exported_cells_are_no_formulas_to_a_spreadsheet():
    lines = [["=1+1", "+a", "-b", "@c", "\tx", "plain"], ["-1.5", "+2", "-inf", " =x", "", "1e-3"]]
    assert csv_text([["\uff1dA1", "\uff0b1", "\uff0d1", "\uff201"]]) == "'\uff1dA1,'\uff0b1,'\uff0d1,'\uff201\n"
    assert csv_text(lines) == "'=1+1,'+a,'-b,'@c,'\tx,plain\n-1.5,+2,-inf,' =x,,1e-3\n"


def test_what_is_no_text_is_refused_before_it_is_read_to_its_end():
    endless = Endless(np.random.default_rng(0).bytes(2**20))
    for source in (endless, io.BufferedReader(endless)):
        with pytest.raises(DataError, match="the device is binary"):
            read_table(source, "the device")
    assert endless.n_read <= 2**23


class Endless(io.RawIOBase):
    """The same bytes again and again, sixteen times at most, since a test has to end."""

    def __init__(self, content: bytes) -> None:
        self.content, self.n_read = content, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        if self.n_read >= 16 * len(self.content):
            return 0
        part = (self.content * (len(buffer) // len(self.content) + 1))[: len(buffer)]
        buffer[:] = part
        self.n_read += len(part)
        return len(part)


@pytest.mark.parametrize("encoding", ["utf-32", "utf-32-be"])
def test_text_in_utf_32_is_told(encoding):
    with pytest.raises(DataError, match=r"t\.csv is text in UTF-32; save it as UTF-8 CSV"):
        read_table(io.BytesIO("\ufeffx,y\n1,2\n".encode(encoding)), "t.csv")


def test_marks_of_the_order_of_bytes_are_no_part_of_a_name():
    table = read_table(io.BytesIO(("\ufeff" * 2 + "x,y\n1,2\n").encode()), "t.csv")
    assert table.names == ("x", "y")


def test_parquet_that_says_another_number_of_rows_than_its_parts_have_is_refused(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"x": np.arange(300.0), "y": np.arange(300.0)}), tmp_path / "t.parquet")
    content = (tmp_path / "t.parquet").read_bytes()
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")  # of what the file says of itself
    rows, more = b"\x16\xd8\x04", b"\x16\xda\x04"  # 300 and 301, as the footer holds a number of rows
    place = content.index(rows, start)
    (tmp_path / "t.parquet").write_bytes(content[:place] + more + content[place + len(rows) :])
    with pytest.raises(DataError, match="says that it has 301 rows, and its parts have another number"):
        read_table(tmp_path / "t.parquet")
