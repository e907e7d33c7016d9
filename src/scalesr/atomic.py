"""Files that are whole at every moment: a new one is written beside the old one and takes its place at once.

Everything that this package writes goes through here.
"""

from __future__ import annotations

import errno
import os
import select
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from scalesr.errors import DataError

_PREFIX: Final = ".scalesr-"  # short: a name may have 255 bytes and no more
_SUFFIX: Final = ".part"
PATIENCE: Final = 5.0  # seconds that the reader of a pipe may take nothing


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that a reader, a kill at any moment or a full disk meets the old content or the new one.

    A pipe or a device has no content to keep and is written to as it is, as long as somebody takes it.
    """
    with _told_of(path):
        if _is_special(path):
            _pour(path, content)
            return
        place = path.resolve()  # a link keeps pointing at the file
        _replace(place, content)
        _sync_folder(place.parent)


def require_writable(path: Path) -> None:
    """Raise the error that writing this file would meet, as far as it can be known before there is a content."""
    with _told_of(path):
        if _is_special(path):
            return
        place = path.resolve()
        if place.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        if not place.parent.is_dir():
            raise FileNotFoundError(None, f"there is no folder {place.parent}")
        handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=place.parent)
        os.close(handle)
        Path(name).unlink(missing_ok=True)


@contextmanager
def _told_of(path: Path) -> Iterator[None]:
    """A block whose faults become one sentence with the file's name; a loop of links is a RuntimeError to pathlib."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"{path} cannot be written: {why}. Choose another file or make room.") from error


def _replace(place: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(_mode(place))
        Path(name).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    """Whether a path leads to something that is neither a file nor a folder; a pipe may have no name but its number."""
    return path.exists() and not stat.S_ISREG(path.stat().st_mode) and not path.is_dir()


def _pour(path: Path, content: bytes) -> None:
    """Write to a pipe or a device; a pipe that nobody reads is an error and no wait without end."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(error.errno, "nobody reads from it") from error
        raise
    room, left = select.poll(), memoryview(content)
    room.register(handle, select.POLLOUT)
    try:
        while left:
            if not room.poll(PATIENCE * 1000):
                raise TimeoutError(errno.ETIMEDOUT, f"its reader has taken nothing for {PATIENCE:g} seconds")
            left = left[os.write(handle, left) :]
    except BrokenPipeError:
        return  # the reader has what it wanted
    finally:
        os.close(handle)


def _mode(path: Path) -> int:
    """The rights of the old file, or those that a new one gets here."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can; the file is whole without it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
