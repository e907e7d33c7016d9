"""Lists of skeletons on disk: what is not as it was written is made again, and nothing of it reaches compiled code."""

import zlib

import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.expr.programs import Programs, pack
from scalesr.expr.text import parse
from scalesr.search.exhaustive import list_file
from scalesr.search.exhaustive.list_file import MAGIC, read_list, write_list
from scalesr.search.exhaustive.lists import Level, SkeletonLists, cache_folder

FORMS = [parse(text) for text in ("C*x0", "sin(C*x0 + C)", "2.5*x0^3")]
PACKED = pack(FORMS)
START = len(MAGIC) + 32


@pytest.fixture
def path(tmp_path):
    write_list(tmp_path / "a.list", PACKED)
    return tmp_path / "a.list"


def sealed(path, body):
    path.write_bytes(MAGIC + list_file._digest(path, body) + body)


def test_a_list_comes_back_as_it_was(path):
    level = Level.load(path)
    assert [level[i] for i in range(3)] == FORMS


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:-1],
        lambda content: content[:START],
        lambda content: content.replace(b"skeletons 3", b"skeletons 2"),
        lambda content: content[:-5] + bytes([content[-5] ^ 1]) + content[-4:],
        lambda content: b"PK\x03\x04" + content,
    ],
)
def test_a_damaged_file_is_none(path, damage):
    path.write_bytes(damage(path.read_bytes()))
    assert read_list(path) is None


def test_the_file_of_another_list_is_none(path):
    other = path.with_name("b.list")
    other.write_bytes(path.read_bytes())
    assert read_list(other) is None
    assert read_list(path.parent) is None
    assert read_list(path.with_name("gone")) is None


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("codes", 0, -1), ("codes", 0, 63), ("codes", 0, 2**31 - 1), ("codes", 2, 0), ("args", 1, -1), ("args", 0, 7),
        ("args", 2, 5), ("args", -1, 10**6), ("starts", 1, -5), ("starts", 1, 10**9), ("starts", 0, 1),
        ("starts", 1, 2), ("constant_starts", 1, 2), ("constant_starts", 1, 2**40),
        ("constants", 0, 1.0), ("constants", -1, np.inf), ("constants", -1, np.nan),
    ],
)  # fmt: skip
def test_values_out_of_range_are_none_also_with_a_right_checksum(path, name, place, value):
    arrays = {field: array.copy() for field, array in PACKED._asdict().items()}
    arrays[name][place] = value
    write_list(path, Programs(**arrays))
    assert read_list(path) is None


def test_a_bomb_and_broken_deflate_are_none_also_with_a_right_checksum(path, monkeypatch):
    sealed(path, zlib.compress(b"\0" * 2**22))
    assert read_list(path) is None
    sealed(path, b"nothing deflated")
    assert read_list(path) is None


def test_a_list_that_was_emptied_is_made_anew(tmp_path):
    small = Operators("+", "*", "sin")
    expected = len(SkeletonLists(small, 1, folder=tmp_path).level(3))
    for file in tmp_path.glob("*.list"):
        content = zlib.decompress(file.read_bytes()[START:])
        file.write_bytes(file.read_bytes()[:START] + zlib.compress(content[:24].replace(content[:8], bytes(8))))
    assert len(SkeletonLists(small, 1, folder=tmp_path).level(3)) == expected > 0


def test_a_list_for_more_variables_is_not_used(tmp_path):
    small = Operators("+", "*")
    SkeletonLists(small, 1, folder=tmp_path).level(1)
    (file,) = tmp_path.glob("*-1.list")
    write_list(file, pack([parse("C*x1")]))
    assert SkeletonLists(small, 1, folder=tmp_path).level(1).n_columns == 1


def test_no_place_to_write_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    lists = SkeletonLists(Operators("+", "*"), 1, folder=tmp_path / "file" / "folder")
    assert len(lists.level(2)) > 0
    monkeypatch.delenv("SCALESR_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # a user without a home
    assert cache_folder() is None
