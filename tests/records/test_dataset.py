import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.records.dataset import Dataset

X = np.arange(12.0).reshape(4, 3)
y = np.array([1.0, 2.0, 3.0, 5.0])


def test_parts_keep_names_rows_and_weights_together():
    data = Dataset.from_table(X, y, names="abc", weights=[1, 2, 3, 4])
    part = data.rows(np.array([2, 0])).select([2, 0])
    assert part.names == ("c", "a")
    assert part.table.tolist() == [[8.0, 6.0], [2.0, 0.0]]
    assert part.y.tolist() == [3.0, 1.0]
    assert part.weights is not None
    assert part.weights.tolist() == [3.0, 1.0]


def test_a_split_loses_no_row_and_repeats_none():
    first, second = Dataset.from_table(X, y).split(1, rng=np.random.default_rng(0))
    assert (first.n_rows, second.n_rows) == (3, 1)
    assert sorted([*first.y, *second.y]) == y.tolist()


def test_thinning_takes_evenly_spaced_rows():
    assert Dataset.from_table(X, y).thinned(2).y.tolist() == [1.0, 3.0]
    assert Dataset.from_table(X, y).thinned(9).n_rows == 4


@pytest.mark.parametrize(
    ("table", "target", "rest", "message"),
    [
        (X, y[:2], {}, "does not match a target of 2 rows"),
        (X, [1, np.nan, 2, 3], {}, "NaN or infinite"),
        (X, y, {"names": ["a"]}, "3 columns need as many names"),
        (X, y, {"weights": [1.0]}, "4 rows need as many weights"),
    ],
)
def test_what_does_not_fit_together_is_refused(table, target, rest, message):
    with pytest.raises(DataError, match=message):
        Dataset.from_table(table, target, **rest)


def test_a_sweep_of_the_rows_has_their_weights_and_none_of_weight_zero():
    sweep = Dataset.from_table(X, y, weights=[1, 0, 1, 4]).sweep(0.1)
    assert sweep.y.tolist() == [1.0, 3.0, 5.0]
    assert sweep.columns.T.tolist() == X[[0, 2, 3]].tolist()
    assert sweep.weights is not None
    assert sweep.weights.tolist() == pytest.approx([0.5, 0.5, 2.0])
    assert sweep.noise == 0.1
