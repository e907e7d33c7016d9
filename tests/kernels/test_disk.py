"""Where compiled code lies: in the first folder that takes files, for the sources that it was made of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scalesr.kernels import disk
from scalesr.kernels.tape import jacobian_by_constants
from tests.kernels.test_compile import answer, one_part


def test_where_nothing_can_be_written_a_temporary_folder_serves_and_is_removed() -> None:
    n_compiled, is_kept, folder = answer(one_part("/dev/null/nowhere"))
    assert n_compiled > 0
    assert is_kept
    assert not Path(folder).exists()


def test_processes_that_race_on_an_empty_cache_both_get_there(tmp_path: Path) -> None:
    for process in [one_part(tmp_path) for _ in range(2)]:
        assert answer(process)[1]
    assert answer(one_part(tmp_path))[0] == 0


def test_code_that_somebody_else_has_baked_in_is_read_where_it_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    baked = disk.folders
    jacobian_by_constants.make_ready()
    places = [*baked(), tmp_path]
    monkeypatch.setattr(disk, "folders", lambda: iter(places))
    monkeypatch.setattr(disk, "writable_folder", lambda: tmp_path)
    assert jacobian_by_constants.is_on_disk
    assert not [*tmp_path.iterdir()]


def test_the_first_folder_that_takes_files_is_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    places = [Path("/dev/null/package"), tmp_path / "user", tmp_path / "other"]
    monkeypatch.setattr(disk, "folders", lambda: iter(places))
    assert disk.writable_folder.__wrapped__() == tmp_path / "user"


def test_without_a_home_there_is_no_folder_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SCALESR_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert disk.user_folder() is None


def test_a_change_in_any_kernel_file_makes_cached_code_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = disk.stamp()
    (tmp_path / "changed.py").write_text("x = 1\n")
    monkeypatch.setattr(disk, "__file__", str(tmp_path / "disk.py"))
    assert disk.stamp.__wrapped__() != before
