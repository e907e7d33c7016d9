"""What is used of a table, and that nothing is left out without a word."""

import io

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.tables import Wanted, choose_rows, columns_called, read_table

TABLE = read_table(io.BytesIO(b"who,a,b,w,void,P\nA,1,2,1,,3\nB,4,,1,,6\nC,7,8,2,,9\nD,1,1,1,,inf\n"), "lab.csv")


def test_all_numbers_but_target_and_weights_are_features():
    rows = choose_rows(TABLE, Wanted("P", weights="w"))
    assert rows.names == ("a", "b")
    assert rows.X.tolist() == [[1, 2], [7, 8]]
    assert (rows.y.tolist(), rows.weights.tolist()) == ([3, 9], [1, 2])
    assert rows.notes == (
        "who: text, left out.",
        "void: empty, left out.",
        "2 of 4 rows have a missing or infinite cell and were left out.",
    )


def test_rows_are_only_lost_for_cells_that_are_used():
    rows = choose_rows(TABLE, Wanted("P", features=("a",)))
    assert rows.X.ravel().tolist() == [1, 4, 7]
    assert choose_rows(TABLE, Wanted("P", drop=("b", "w"))).X.ravel().tolist() == [1, 4, 7]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": "Q"}, "no column 'Q'; its columns are who, a, b, w, void, P"),
        ({"target": "who"}, "to be the target and holds text, such as 'A'"),
        ({"target": "P", "features": ["who"]}, "to be a feature and holds text"),
        ({"target": "P", "drop": ["z"]}, "no column 'z'"),
        ({"target": "P", "features": ["P"]}, "cannot be a feature and the target"),
        ({"target": "P", "features": ["void"]}, "No row of lab.csv has a number in every column"),
        ({"target": "P", "drop": ["a", "b", "w"]}, "no column of numbers besides the target"),
    ],
)
def test_what_cannot_be_chosen_is_said(options, message):
    with pytest.raises(DataError, match=message):
        choose_rows(TABLE, Wanted(**options))


def test_columns_by_name_tell_which_rows_are_whole():
    cells, whole = columns_called(TABLE, ["b", "a"])
    assert whole.tolist() == [True, False, True, True]
    assert np.array_equal(cells[0], [2, 1])


def test_too_many_columns_are_refused_with_those_that_are_most_related():
    X = np.random.default_rng(0).normal(size=(20, 1000))
    names = ",".join(f"c{j}" for j in range(1000))
    lines = [",".join(map(repr, row)) + f",{-3 * row[77] ** 3!r}" for row in X.tolist()]
    table = read_table(io.BytesIO("\n".join([names + ",y", *lines]).encode()), "wide.csv")
    with pytest.raises(
        DataError, match=r"has 1000 columns that a law could use.*Choose some by --features; .* are c77,"
    ):
        choose_rows(table, Wanted("y"))
    assert choose_rows(table, Wanted("y", features=("c77",))).X.shape == (20, 1)
