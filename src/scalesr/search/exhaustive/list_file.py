"""A list of skeletons as a file that is believed only where it is whole.

    magic and version | SHA-256 of the file's name and of what follows | deflated arrays

A list with a skeleton missing would let a search claim that it has tried them all, and a code or an
argument out of range would reach compiled code. So a file is used if its checksum is right, its
name is its own, and every formula in it is one; otherwise it is made again.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scalesr.atomic import write_atomically
from scalesr.errors import DataError
from scalesr.expr.programs import Programs, are_sound
from scalesr.search.exhaustive.config import EXHAUSTIVE

MAGIC: Final = b"scalesr skeletons 3\n"  # with the version of the format
_DIGEST: Final = hashlib.sha256().digest_size
_COUNTS: Final = struct.Struct("<qqq")  # skeletons, nodes, constants

_KINDS: Final = ("<i4", "<i4", "<f8", "<u2", "<u2")  # codes, arguments, constants; nodes and constants of each


def write_list(path: Path, packed: Programs) -> None:
    """Write skeletons, in place of a file that is there."""
    codes, args, starts, constants, constant_starts = packed
    counts = _COUNTS.pack(len(starts) - 1, len(codes), len(constants))
    arrays: tuple[NDArray[np.generic], ...] = (codes, args, constants, np.diff(starts), np.diff(constant_starts))
    parts = [array.astype(kind).tobytes() for array, kind in zip(arrays, _KINDS, strict=True)]
    content = zlib.compress(b"".join([counts, *parts]), 9)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{path.parent} cannot be made: {error.strerror or error}.") from error
    write_atomically(path, MAGIC + _digest(path, content) + content)


def read_list(path: Path) -> Programs | None:
    """What a file holds, read-only; None where there is none that can be believed."""
    try:
        with path.open("rb") as file:
            whole = file.read(EXHAUSTIVE.max_bytes + 1)
    except OSError:
        return None
    start = len(MAGIC) + _DIGEST
    content = whole[start:]
    if not whole.startswith(MAGIC) or whole[len(MAGIC) : start] != _digest(path, content):
        return None
    try:
        unpacker = zlib.decompressobj()
        return _arrays(unpacker.decompress(content, EXHAUSTIVE.max_bytes))
    except zlib.error:
        return None


def _arrays(content: bytes) -> Programs | None:
    if len(content) < _COUNTS.size:
        return None
    n, n_nodes, n_constants = _COUNTS.unpack_from(content)
    lengths = n_nodes, n_nodes, n_constants, n, n
    sizes = [int(kind[-1]) * length for kind, length in zip(_KINDS, lengths, strict=True)]
    if min(lengths) < 0 or _COUNTS.size + sum(sizes) != len(content):
        return None
    places = np.cumsum([_COUNTS.size, *sizes[:-1]])
    parts = zip(_KINDS, lengths, places, strict=True)
    codes, args, constants, nodes_of_each, constants_of_each = (np.frombuffer(content, *part) for part in parts)
    programs = Programs(
        _native(codes, np.int32), _native(args, np.int32), _starts(nodes_of_each), _native(constants, np.float64),
        _starts(constants_of_each),
    )  # fmt: skip
    return programs if are_sound(programs) else None


def _native(array: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """An aligned copy in this machine's order of bytes, read-only as the arrays of formulas are."""
    copy = array.astype(kind)
    copy.setflags(write=False)
    return copy


def _starts(lengths: NDArray[np.uint16]) -> NDArray[np.int64]:
    return _native(np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]), np.int64)


def _digest(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()
