"""Groups as records."""

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.records.dataset import Dataset
from scalesr.records.groups import GroupConstants, GroupedData


def test_rows_of_a_group_stand_together_in_the_order_in_which_groups_appear():
    data = Dataset.from_table([[1.0], [2.0], [3.0], [4.0]], [10, 20, 30, 40])
    groups = GroupedData.from_labels(data, ("b", "a", "b", "c"), "kind")
    assert groups.labels == ("b", "a", "c")
    assert groups.data.y.tolist() == [10, 30, 20, 40]
    assert groups.sizes.tolist() == [2, 1, 1]
    assert groups.group_of_rows.tolist() == [0, 0, 1, 2]
    assert groups.group(0).y.tolist() == [10, 30]
    with pytest.raises(DataError, match="4 rows need a group each; there are 1 labels"):
        GroupedData.from_labels(data, ("b",))


def constants():
    return GroupConstants("kind", ("b", "a"), ("k",), np.array([[1.0], [2.0]]), np.full((2, 1, 1), 0.04), 0.1)


def test_rows_get_the_constants_of_their_group_behind_their_cells():
    assert constants().with_letters(np.array([[7.0], [8.0]]), ("a", "b")).tolist() == [[7, 2], [8, 1]]
    assert constants().standard_errors.tolist() == [[0.2], [0.2]]
    with pytest.raises(DataError, match=r"There is no kind 'x' among the 2 groups.*calibrate"):
        constants().places_of(("x",))


def test_a_group_is_added_or_replaced():
    more = constants().with_group("x", np.array([5.0]), np.array([[0.01]]))
    assert more.labels == ("b", "a", "x")
    again = more.with_group("b", np.array([6.0]), np.array([[0.01]]))
    assert again.labels == ("a", "x", "b")
    assert again.values[:, 0].tolist() == [2, 5, 6]
    assert again.noise == 0.1


def test_shapes_have_to_fit():
    with pytest.raises(DataError, match="2 groups with 1 constants"):
        GroupConstants("kind", ("b", "a"), ("k",), np.zeros((1, 1)), np.zeros((2, 1, 1)))
