import numpy as np
import pytest

from scalesr.tables import plain, read_table
from scalesr.tables.plain import plain_table


@pytest.fixture
def small(monkeypatch):
    """Blocks of some lines, so that a small table is a large one."""
    monkeypatch.setattr(plain, "FEWEST", 100)
    monkeypatch.setattr(plain, "HEAD", 200)
    monkeypatch.setattr(plain, "BLOCK", 300)


def lines(separator: str, *, extra: str = "") -> str:
    rng = np.random.default_rng(0)
    rows = [separator.join(f"{value:.17g}" for value in row) for row in rng.normal(size=(60, 3)).tolist()]
    return "\n".join([separator.join(("a [m]", "b", "c")), *rows[:50], *([extra] if extra else []), *rows[50:], ""])


def both(text: str, tmp_path, monkeypatch):
    """The table in blocks, and read with care."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    table = plain_table(text, "table.csv", "")
    monkeypatch.setattr(plain, "FEWEST", 2**24)
    return table, read_table(path)


@pytest.mark.parametrize("separator", [",", ";", "\t", " "])
def test_a_table_in_blocks_is_the_same_to_the_last_bit(small, separator, tmp_path, monkeypatch):
    fast, careful = both(lines(separator), tmp_path, monkeypatch)
    assert fast is not None
    assert (fast.names, fast.n_rows, fast.form) == (careful.names, careful.n_rows, careful.form)
    assert [one.unit for one in fast.columns] == [one.unit for one in careful.columns]
    for one, other in zip(fast.columns, careful.columns, strict=True):
        np.testing.assert_array_equal(one.numbers, other.numbers)


@pytest.mark.parametrize("extra", [",,", ",1,", "1,,2", "1,2,", "  ,3, ", "nan,1,2"])
def test_empty_cells_are_missing_there_too(small, extra, tmp_path, monkeypatch):
    fast, careful = both(lines(",", extra=extra), tmp_path, monkeypatch)
    assert fast is not None
    for one, other in zip(fast.columns, careful.columns, strict=True):
        np.testing.assert_array_equal(one.numbers, other.numbers)


@pytest.mark.parametrize("extra", ["1,2", "1,2,3,4", "x,1,2", '"1",2,3', "# remark", "1,$2,3", "1,2 %,3", "1,0x10,2"])
def test_whatever_is_not_plain_is_left_to_the_careful_way(small, extra):
    assert plain_table(lines(",", extra=extra), "table.csv", "") is None


def test_decimal_commas_are_left_to_the_careful_way(small):
    rows = "\n".join(f"{k},5;{2 * k},25" for k in range(100))
    assert plain_table(f"a;b\n{rows}\n", "table.csv", "") is None


def test_small_tables_take_the_careful_way():
    assert plain_table(lines(","), "table.csv", "") is None
