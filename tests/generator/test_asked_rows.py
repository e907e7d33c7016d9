import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.generator.asked_rows import ask_rows, checked_box, rows_in
from scalesr.records.oracle import Oracle

X = np.random.default_rng(0).uniform(0, 1, (50, 2))


def total(table):
    return table.sum(axis=1)


def test_every_row_is_asked_for_once_and_the_budget_shrinks_by_as_many():
    asked = ask_rows(Oracle(total, 80), X)
    np.testing.assert_array_equal(asked.y, total(X))
    assert asked.oracle == Oracle(total, 30)
    assert asked.note == "The given function was asked for 50 rows."


def test_rows_without_an_answer_are_left_out_with_a_note():
    def partly(table):
        if (table[:, 1] > 0.9).any():
            raise RuntimeError("too hot")
        return np.where(table[:, 0] > 0.5, np.nan, total(table))

    asked = ask_rows(Oracle(partly), X)
    known = (X[:, 0] <= 0.5) & (X[:, 1] <= 0.9)
    np.testing.assert_array_equal(asked.answered, known)
    np.testing.assert_array_equal(asked.y, total(X[known]))
    assert f"{50 - known.sum()} of 50 rows have no answer and were left out." in asked.note


def test_a_budget_smaller_than_the_table_leaves_rows_out():
    asked = ask_rows(Oracle(total, 20), X)
    assert asked.answered.sum() == 20
    assert asked.oracle.budget == 0


@pytest.mark.parametrize(
    ("oracle", "said"), [(Oracle(lambda table: total(table) * np.nan), "no finite"), (Oracle(total, 0), "budget is 0")]
)
def test_no_answer_at_all_is_an_error(oracle, said):
    with pytest.raises(DataError, match=said):
        ask_rows(oracle, X)


def test_rows_lie_in_the_box_and_spread_over_orders_of_magnitude():
    rows = rows_in([(-2, 3), (1e-6, 1e6)], 2000, rng=np.random.default_rng(0))
    assert rows.shape == (2000, 2)
    assert rows[:, 0].min() >= -2
    assert rows[:, 0].max() <= 3
    assert abs(rows[:, 0].mean() - 0.5) < 0.15
    assert 1e-6 <= rows[:, 1].min() < 1e-5
    assert 1e5 < rows[:, 1].max() <= 1e6
    assert 0.1 < np.median(rows[:, 1]) < 10


def test_a_box_is_read_as_numbers():
    assert checked_box({"x": [0, 1], "y": np.array([2, 3])}) == {"x": (0.0, 1.0), "y": (2.0, 3.0)}


@pytest.mark.parametrize(
    "box", [{}, [(0, 1)], {"x": 3}, {"x": (1, 0)}, {"x": (0, np.inf)}, {"x": (0, 1, 2)}, {"x": ("a", "b")}]
)
def test_a_box_that_is_none_is_refused(box):
    with pytest.raises(DataError, match=r"box|range"):
        checked_box(box)
