"""The lists that come with the package are those that its rules make."""

from scalesr.expr.operators import Operators
from scalesr.search.exhaustive.lists import SHIPPED, Level, SkeletonLists
from scalesr.search.exhaustive.search import LARGEST
from scalesr.search.exhaustive.shipping import ship, wanted


def test_every_list_of_the_default_operators_is_there_and_no_other():
    names = {path.name for path in SHIPPED.glob("*.list")}
    assert names == wanted().keys(), "The rules of the lists have changed: run `make lists` and commit what it makes."
    assert all(Level.load(SHIPPED / name) is not None for name in names)


def test_what_is_shipped_is_what_would_be_made(tmp_path):
    for n_variables in LARGEST:
        made = SkeletonLists(Operators("physics"), n_variables, folder=tmp_path)
        for size in range(1, LARGEST[n_variables] - 1):  # the largest two take long, and follow the same rules
            shipped = Level.load(SHIPPED / made.file_name(size))
            assert list(shipped.chunks()) == list(made.level(size).chunks())


def test_a_search_makes_none_of_them(tmp_path, monkeypatch):
    monkeypatch.setenv("SCALESR_CACHE", str(tmp_path))
    assert len(SkeletonLists(Operators("physics"), 1).level(LARGEST[1])) > 70_000
    assert not list(tmp_path.iterdir())


def test_shipping_makes_what_is_missing_and_removes_what_is_old(tmp_path, monkeypatch):
    monkeypatch.setattr("scalesr.search.exhaustive.shipping.LARGEST", {1: 3})
    (tmp_path / "skeletons-old-1.list").write_bytes(b"old")
    ship(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == wanted(tmp_path).keys()
