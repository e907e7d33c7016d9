import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scalesr.errors import DataError
from scalesr.estimators.counting_rows import CountingRows, counting_rows

X = np.array([[1.0, 5.0], [2.0, 5.0], [1.0, 5.0], [3.0, 4.0]])
y = np.array([7.0, 8.0, 7.0, 8.0])


def test_rows_that_differ_stay_as_they_are():
    table, target = X[[3, 1, 0]], y[[3, 1, 0]]
    rows = counting_rows(table, target, None)
    assert np.array_equal(rows.table, table)
    assert np.array_equal(rows.y, target)
    assert rows.weights is None
    assert rows.notes == ()


def test_a_copy_becomes_weight_of_the_first():
    rows = counting_rows(X, y, None)
    assert listed(rows) == [
        ([1.0, 5.0], 7.0, 1.5),
        ([2.0, 5.0], 8.0, 0.75),
        ([3.0, 4.0], 8.0, 0.75),
    ]
    assert rows.notes == ("1 of 4 rows are copies of others and count as their weight.",)


def test_equal_rows_are_kept_where_equal_inputs_have_different_targets():
    table = np.array([[1.0], [1.0], [1.0], [2.0]])
    target = np.array([3.0, 3.0, 4.0, 5.0])  # rounded measurements: the two threes are two observations
    rows = counting_rows(table, target, None)
    assert len(rows.y) == 4
    assert rows.weights is None


def test_equal_weights_are_no_weights():
    rows = counting_rows(X[[0, 1, 3]], y[[0, 1, 3]], np.full(3, 1e-200))
    assert rows.weights is None
    assert rows.table.tolist() == X[[0, 1, 3]].tolist()


@pytest.mark.parametrize("unit", [1.0, 1e300, 1e-300])
def test_the_unit_of_weights_means_nothing(unit):
    rows = counting_rows(X[[0, 1, 3]], y[[0, 1, 3]], unit * np.array([1.0, 2.0, 3.0]))
    assert rows.weights.mean() == pytest.approx(1.0)
    assert sorted(rows.weights.tolist()) == pytest.approx([0.5, 1.0, 1.5])


def listed(rows: CountingRows) -> list:
    weights = np.ones(len(rows.y)) if rows.weights is None else rows.weights
    return sorted(zip(rows.table.tolist(), rows.y.tolist(), weights.tolist(), strict=True))


@given(
    st.lists(st.integers(0, 4), min_size=6, max_size=6).filter(lambda counts: np.count_nonzero(counts) > 1),
    st.randoms(use_true_random=False),
)
def test_a_whole_weight_is_the_same_as_so_many_copies(counts, random):
    table = np.random.default_rng(0).normal(size=(6, 2))
    target = np.array([1.0, 1.0, 2.0, 2.0, 3.0, 4.0])
    repeated = np.repeat(np.arange(6), counts)
    random.shuffle(repeated)
    by_weight = counting_rows(table, target, np.array(counts, float))
    by_copies = counting_rows(table[repeated], target[repeated], None)
    assert listed(by_weight) == listed(by_copies)
    if by_weight.weights is not None:
        assert by_weight.table.tolist() == by_copies.table.tolist()  # in the same order, too


def test_too_few_rows_are_refused():
    with pytest.raises(DataError, match="one sample"):
        counting_rows(X[:1], y[:1], None)
    with pytest.raises(DataError, match="Only one of 2 rows is left"):
        counting_rows(X[[0, 2]], y[[0, 2]], None)
    with pytest.raises(DataError, match="Only one of 4 rows is left"):
        counting_rows(X, y, np.array([0.0, 1.0, 0.0, 0.0]))
