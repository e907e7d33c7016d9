"""Tables as people have them, one file each in `messy`, with the line that a user should see."""

import io
from pathlib import Path

import numpy as np
import pytest

from scalesr.errors import DataError, SettingError
from scalesr.tables import Wanted, choose_rows, columns_called, read_table

FOLDER = Path(__file__).parent / "messy"

# file: target, the line, names of the features, the first row and its target
TABLES = {
    "title.csv": (
        "period", "A line of the header was left out: 'Pendulum measurements May 2024'.", ("length",), [0.25, 1.003],
    ),
    "title_and_blank_cells.csv": (
        "power", "2 lines stand above the table and were left out: 'Tank test 7'.", ("flow", "head"), [1, 3, 29.43],
    ),
    "footer.csv": (
        "emissions", "1 line stands below the table and was left out: 'Source: national statistics'.", ("year",),
        [2001, 21.5],
    ),
    "units_line.csv": (
        "E", "units_line.csv: 12 rows, 3 columns (m [kg], v [m/s], E [J]), comma separated, header, units", ("m", "v"),
        [1, 2, 2],
    ),
    "units_in_brackets.txt": (
        "height",
        "units_in_brackets.txt: 12 rows, 2 columns (time [s], height [m]), separated by spaces, header, units",
        ("time",), [0.1, 0.04905],
    ),
    "two_header_lines.csv": (
        "flow", "A line of the header was left out: 'run inlet outlet'.", ("pressure", "temperature"), [2, 1, 2],
    ),
    "comment_block.csv": (
        "weight", "comment_block.csv: 12 rows, 2 columns (volume, weight), comma separated, header", ("volume",),
        [1, 7.87],
    ),
    "decimal_comma.csv": (
        "Zeit",
        "decimal_comma.csv: 12 rows, 2 columns (Länge, Zeit), semicolon separated, decimal commas, Latin-1, header",
        ("Länge",), [0.25, 1.003],
    ),
    "european_thousands.csv": (
        "Menge",
        "european_thousands.csv: 12 rows, 2 columns (Umsatz, Menge), semicolon separated, decimal commas, points "
        "between thousands, header", ("Umsatz",), [1234.5, 1],
    ),
    "swiss_gaps.csv": (
        "fee", "swiss_gaps.csv: 12 rows, 2 columns (amount, fee), tab separated, header", ("amount",), [25_000, 125],
    ),
    "dollars.csv": (
        "revenue", "Column 'revenue': '$' left out, '$6,516.24' was read as 6516.24.", ("units", "price"),
        [1, 2, 6516.24],
    ),
    "per_cent.csv": ("share", "Column 'share': per cent signs left out, '4 %' was read as 4.", ("dose",), [1, 4]),
    "unit_in_cells.csv": ("force", "Column 'force': '9.81 N' was read as 9.81.", ("mass",), [1, 9.81]),
    "sentinel_999.csv": (
        "oxygen", "Column 'temperature': 2 cells of -999 count as missing; --missing-values none keeps them.",
        ("depth", "temperature"), [1, 19, 7.75],
    ),
    "sentinel_9999.csv": (
        "power", "Column 'power': 1 cell of 9999 counts as missing; --missing-values none keeps them.", ("wind",),
        [1, 0.02],
    ),
    "dates_iso.csv": (
        "level", "date: dates, read as days since 2024-03-04.", ("date (days since 2024-03-04)",), [0, 5.75],
    ),
    "dates_us.csv": (
        "level", "when: dates, read as days since 2024-03-10.", ("when (days since 2024-03-10)",), [0, 9.5],
    ),
    "clock_times.csv": (
        "charge", "time: dates, read as seconds since 12:01:30.", ("time (seconds since 12:01:30)",), [0, 2],
    ),
    "text_column.csv": (
        "load",
        "material: text with 3 values (brass, oak, steel), which may have constants of their own; --drop leaves it "
        "out.",
        ("area",), [1, 3],
    ),
    "id_column.csv": (
        "volume", "id: numbers the rows, left out; --features would keep it.", ("radius",), [2, 33.5103],
    ),
    "yes_no.csv": ("survived", "Column 'survived': yes was read as 1 and no as 0.", ("dose",), [1, 0]),
    "missing_cells.csv": (
        "z", "2 of 12 rows have a missing or infinite cell and were left out.", ("x", "y"), [1, 1, 3],
    ),
}  # fmt: skip


def read(text: str, **options):
    return read_table(io.BytesIO(text.encode()), "lab.csv", **options)


def test_every_file_has_its_line():
    assert {path.name for path in FOLDER.iterdir()} == set(TABLES)
    assert len(TABLES) >= 20


@pytest.mark.parametrize("name", TABLES)
def test_a_messy_table_is_understood_and_says_so(name):
    target, line, features, first = TABLES[name]
    table = read_table(FOLDER / name)
    rows = choose_rows(table, Wanted(target))
    assert line in (table.description, *table.notes, *rows.notes)
    assert rows.names == features
    assert [*rows.X[0], rows.y[0]] == pytest.approx(first)
    assert np.isfinite(rows.X).all()


def test_the_units_of_a_table_come_with_its_rows():
    assert choose_rows(read_table(FOLDER / "units_line.csv"), Wanted("E")).units == {"m": "kg", "v": "m/s", "E": "J"}
    rows = choose_rows(read_table(FOLDER / "unit_in_cells.csv"), Wanted("force"))
    assert rows.units == {"mass": "kg", "force": "N"}


@pytest.mark.parametrize(
    ("unit", "name", "second"),
    [
        ("seconds", "date (seconds since 2024-03-04)", 3 * 86_400),
        ("days", "date (days since 2024-03-04)", 3),
        ("years", "date (years since 2024-03-04)", 3 / 365.2425),
        ("phase", "date (phase of the year)", 66 / 366),
    ],
)
def test_dates_count_what_is_asked_for_and_a_law_finds_them_again(unit, name, second):
    rows = choose_rows(read_table(FOLDER / "dates_iso.csv"), Wanted("level", dates=unit))
    assert rows.names == (name,)
    assert rows.X[1] == pytest.approx([second])
    cells, whole = columns_called(read("level,date\n1,2025-01-01\n2,2025-01-04\n"), [name])
    assert whole.all()
    longer = read("date,level\n2024-03-04,0\n2025-01-01,1\n2025-01-04,2\n")
    assert cells == pytest.approx(choose_rows(longer, Wanted("level", dates=unit)).X[1:])


def test_dates_are_features_by_their_own_name():
    rows = choose_rows(read_table(FOLDER / "dates_iso.csv"), Wanted("level", features=("date",)))
    assert rows.names == ("date (days since 2024-03-04)",)


def test_days_and_months_that_can_be_mistaken_are_said():
    table = read("day,y\n03/04/2024,1\n05/06/2024,2\n07/08/2024,3\n")
    assert table.notes == ("Column 'day': '03/04/2024' was read as 2024-03-04.",)
    assert read("day,y\n13/04/2024,1\n05/06/2024,2\n07/08/2024,3\n").notes == ()


def test_sentinels_are_kept_or_named_where_that_is_asked_for():
    text = "x,y\n1,2\n2,-999\n3,6\n4,7\n5,-1\n"
    assert read(text, missing_values="none").columns[1].numbers.tolist() == [2, -999, 6, 7, -1]
    named = read(text, missing_values="-1")
    assert np.isnan(named.columns[1].numbers).tolist() == [False, False, False, False, True]
    assert named.notes == ("Column 'y': 1 cell of -1 counts as missing.",)
    with pytest.raises(SettingError, match="'odd' is neither 'auto' nor 'none' nor numbers"):
        read(text, missing_values="odd")


def test_a_large_number_among_large_ones_is_no_sentinel():
    assert read("x,y\n1,990\n2,999\n3,1010\n4,1030\n").notes == ()
    assert read("x,y\n1,99\n2,1\n3,99\n4,1\n").notes == ()


def test_missing_cells_are_refused_where_that_is_asked_for():
    table = read_table(FOLDER / "missing_cells.csv")
    with pytest.raises(DataError, match=r"2 of 12 rows of missing_cells.csv have a missing .* the first is row 4"):
        choose_rows(table, Wanted("z", missing="error"))
    with pytest.raises(SettingError, match="--missing 'fill' is neither 'drop' nor 'error'"):
        choose_rows(table, Wanted("z", missing="fill"))
    with pytest.raises(SettingError, match="--dates 'weeks' is unknown; known are auto, seconds"):
        choose_rows(table, Wanted("z", dates="weeks"))


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("$3,258.12", 3258.12), ("-$12", -12), ("$-12", -12), ("€ 12", 12), ("12 €", 12), ("(1,200.5)", -1200.5),
        ("12 %", 12), ("12%", 12), ("1 234 567", 1234567), ("1'234", 1234), ("USD 5", 5), ("\u22125", -5),
    ],
)  # fmt: skip
def test_numbers_with_signs_around_them(cell, value):
    table = read(f'x;y\n1;"{cell}"\n2;"1,000.5"\n3;"7.25"\n')
    assert table.columns[1].numbers.tolist() == [value, 1000.5, 7.25]


@pytest.mark.parametrize("cell", ["5$5", "a%", "%", "$", "()", "12 34", "v1 2"])
def test_what_is_no_number_stays_none(cell):
    table = read(f'x;y\n1;"{cell}"\n2;2\n3;7.25\n')
    assert np.isnan(table.columns[1].numbers[0])
