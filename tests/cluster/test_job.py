"""Lines and names of laws, as files hold them."""

import json

import pytest

from scalesr.cluster.job import BatchLine, line_of
from scalesr.cluster.named import file_names, matching
from scalesr.errors import DataError

LINE = BatchLine("a", "a.csv", "y", "2*x", "exact", probability=0.999, complexity=3, error=0.0, n_rows=9, seconds=1.5)


def test_a_line_comes_back_from_its_values():
    assert line_of(json.loads(json.dumps(LINE.values()))) == LINE


@pytest.mark.parametrize(
    "change", [{"name": 3}, {"probability": "much"}, {"seconds": [1]}, {"law": None}, {"more": 1}, {"n_rows": True}]
)
def test_a_line_of_something_else_is_refused(change):
    with pytest.raises(DataError):
        line_of(LINE.values() | change)


def test_names_of_laws_are_names_of_files_and_differ():
    names = file_names(["a", "A", "a/b", "../up", "", "x" * 500, "a\nb", "ä b"])
    assert names == ["a", "A-2", "a_b", "_up", "law", "x" * 120, "a_b-2", "ä b"]


def test_no_name_is_longer_than_file_systems_take():
    names = file_names(["漢" * 200, "漢" * 200, "é" * 500])
    assert len(set(names)) == 3
    assert max(len(f"{name}.json".encode()) for name in names) < 255


def test_patterns_choose_names_in_their_order():
    assert matching(["g2", "x", "g1", "[q]"], ["g*", "[q]"]) == ["g2", "g1", "[q]"]
