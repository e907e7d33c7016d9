import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scalesr import atomic
from scalesr.atomic import require_writable, write_atomically
from scalesr.errors import DataError

LONG = bytes(range(256)) * 4096  # more than a pipe holds


def test_a_file_is_replaced_with_its_rights(tmp_path):
    path = tmp_path / "law.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_keeps_pointing_at_the_file(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "law.json"
    path.write_bytes(b"old")

    def fail(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_pipe_is_written_to_by_its_name_and_by_its_number(tmp_path):
    """The second is what a shell gives for >(command)."""
    named = tmp_path / "pipe"
    os.mkfifo(named)
    with ThreadPoolExecutor() as pool:
        reading = pool.submit(named.read_bytes)
        with named.open("wb"):  # which waits for the reader
            require_writable(named)
            write_atomically(named, LONG)
        assert reading.result() == LONG
        there, here = os.pipe()
        with os.fdopen(there, "rb") as reader:
            reading = pool.submit(reader.read)
            numbered = Path(f"/dev/fd/{here}")
            require_writable(numbered)
            write_atomically(numbered, LONG)
            os.close(here)
            assert reading.result() == LONG


def test_a_pipe_that_nobody_reads_is_an_error_and_no_wait(tmp_path, monkeypatch):
    named = tmp_path / "pipe"
    os.mkfifo(named)
    with pytest.raises(DataError, match="pipe cannot be written: nobody reads from it"):
        write_atomically(named, b"new")
    monkeypatch.setattr(atomic, "PATIENCE", 0.0)
    there = os.open(named, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(DataError, match="its reader has taken nothing for 0 seconds"):
        write_atomically(named, LONG)
    os.close(there)


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    there, here = os.pipe()
    numbered = Path(f"/dev/fd/{here}")
    os.close(there)
    write_atomically(numbered, LONG)
    os.close(here)
