import json

import numpy as np

from scalesr.runs.understood import MOST_COLUMNS, MOST_ROWS, understood
from scalesr.tables import Column, Table


def table_of(**columns):
    made = tuple(
        Column(name, None if values is None else np.asarray(values, float)) for name, values in columns.items()
    )
    n_rows = max(len(column.numbers) for column in made if column.numbers is not None)
    return Table("t.csv", made, n_rows, "made")


def test_columns_are_told_by_kind_range_and_missing_cells():
    known = understood(table_of(a=[1, 2, np.nan, 4], b=[5, 5, 5, 5], c=[np.nan] * 4, d=None))
    a, b, c, d = known["columns"]
    assert (a["kind"], a["missing"], a["least"], a["most"], a["mean"]) == ("number", 1, 1.0, 4.0, 7 / 3)
    assert (b["kind"], c["kind"], c["missing"], d["kind"]) == ("constant", "empty", 4, "text")
    assert sum(a["counts"]) == 3
    assert known["sample"]["a"] == [1.0, 2.0, None, 4.0]
    assert "counts" not in b


def test_large_tables_stay_small():
    known = understood(table_of(**{f"x{j}": np.arange(5000.0) for j in range(MOST_COLUMNS + 20)}))
    assert known["n_columns"] == MOST_COLUMNS + 20
    assert len(known["columns"]) == MOST_COLUMNS
    assert {len(values) for values in known["sample"].values()} == {MOST_ROWS}
    assert len(json.dumps(known)) < 2**20


def test_any_numbers_can_be_written():
    extremes = [[1e308, -1e308], [0, 5e-324], [1, 1 + 2e-16], [np.inf, 1], [1e300, 1e300 * (1 + 1e-15)]]
    for values in extremes:
        written = json.loads(json.dumps(understood(table_of(a=values, b=[1, 2])), allow_nan=False))
        assert [column["name"] for column in written["columns"]] == ["a", "b"]
