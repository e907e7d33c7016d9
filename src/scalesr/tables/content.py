"""The bytes of a table, from a file or a stream, as far as they are of decent size."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path
from typing import BinaryIO, Final

from scalesr.errors import DataError
from scalesr.tables.decode import require_text

MAX_BYTES: Final = 2**31  # of a table
MAX_LINE: Final = 2**24  # bytes of a line of text: room for the most columns, 160 bytes each
MAX_COLUMNS: Final = 100_000  # of a table; a search takes a few hundred of them
MAX_ROWS: Final = 5_000_000  # of a table of text: a minute of reading and three gigabytes meanwhile
MAX_NUMBERS: Final = 2**27  # of a table that is stored as numbers: a gigabyte
MAX_CELLS: Final = 10_000_000  # the same, for rows times columns

_PART: Final = 2**20
_GZIP: Final = b"\x1f\x8b"


def content_of(source: Path | BinaryIO, name: str) -> bytes:
    """All bytes, unpacked where they are gzipped; a line without end is refused before it is read whole."""
    try:
        if isinstance(source, Path):
            if source.is_dir():
                raise DataError(f"{name} is a folder; give a file.")
            with source.open("rb") as file:
                return _unpacked(file, name)
        return _unpacked(source, name)
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name} cannot be read: {error}.") from error  # such as a name with a zero byte
    except (EOFError, zlib.error) as error:
        raise DataError(f"{name} cannot be unpacked: {error}. Make the gzip file again.") from error


def _unpacked(file: BinaryIO, name: str) -> bytes:
    first = _read(file, _PART)
    whole = _Joined(first, file)
    if first.startswith(_GZIP):
        with gzip.GzipFile(fileobj=io.BufferedReader(whole), mode="rb") as unpacked:
            return _limited(unpacked, name)
    return _limited(whole, name)


def _limited(file: io.RawIOBase | gzip.GzipFile, name: str) -> bytes:
    parts: list[bytes] = []
    size = line = n_lines = 0
    is_text = True
    while part := file.read(_PART):
        if not parts:
            is_text = not is_binary_format(part)
            if is_text:
                require_text(part, name)
        parts.append(part)
        size += len(part)
        n_lines += max(part.count(b"\n"), part.count(b"\r"))
        last = max(part.rfind(b"\n"), part.rfind(b"\r"))
        line = line + len(part) if last < 0 else len(part) - last - 1
        if is_text and line > MAX_LINE:
            raise DataError(
                f"{name} has a line of more than {MAX_LINE // 2**20} MiB, which is not a row of a table. "
                f"Give a file with one line per row."
            )
        if is_text and n_lines > 2 * MAX_ROWS:  # empty lines and comments are counted later
            raise too_large(name, f"more than {2 * MAX_ROWS:,} lines", f"{MAX_ROWS:,} rows")
        if size > MAX_BYTES:
            raise DataError(f"{name} has more than {MAX_BYTES // 2**30} GiB; give a part of its rows.")
    return b"".join(parts)


def too_large(name: str, seen: str, limit: str) -> DataError:
    """The error for a table beyond a limit."""
    return DataError(
        f"{name} has {seen} and tables are read up to {limit}. A law needs far less: give a random part of the rows "
        f"(shuf -n 100000) or the columns that matter, or save it as Parquet."
    )


def check_numbers(n_rows: int, n_columns: int, name: str) -> None:
    """Refuse a table of numbers that would fill the memory."""
    if n_columns > MAX_COLUMNS:
        raise too_large(name, f"{n_columns:,} columns", f"{MAX_COLUMNS:,}")
    if n_rows * n_columns > MAX_NUMBERS:
        raise too_large(name, f"{n_rows:,} rows of {n_columns:,} columns", f"{MAX_NUMBERS:,} numbers")


def is_binary_format(content: bytes) -> bool:
    """Whether bytes begin as one of the formats that have no lines."""
    return content.startswith((b"PAR1", b"PK\x03\x04", b"\x93NUMPY"))


def _read(file: BinaryIO, size: int) -> bytes:
    """This many bytes, or all there are; a pipe gives them in pieces."""
    parts: list[bytes] = []
    while size > 0 and (part := file.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class _Joined(io.RawIOBase):
    """A stream that begins with bytes that were already taken from it."""

    def __init__(self, first: bytes, rest: BinaryIO) -> None:
        self._first, self._rest = io.BytesIO(first), rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        part = self._first.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)
