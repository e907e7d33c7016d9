"""A list of skeletons as a file that is believed only where it is whole.

    magic and version | SHA-256 of the file's name and of what follows | deflated arrays

A list with a skeleton missing would let a search claim that it has tried them all, and a code or an
argument out of range would reach compiled code. So a file is used if its checksum is right, its
name is its own, and every formula in it is one; otherwise it is made anew.
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

MAGIC: Final = b"scalesr skeletons 2\n"  # with the version of the format
MAX_BYTES: Final = 2**28  # of the arrays: a hundred times the largest list
_DIGEST: Final = hashlib.sha256().digest_size
_COUNTS: Final = struct.Struct("<qqq")  # skeletons, nodes, constants

List = tuple[Programs, NDArray[np.uint64]]


def write_list(path: Path, packed: Programs, keys: NDArray[np.uint64]) -> None:
    """Write skeletons and the keys of their families, in place of a file that is there."""
    counts = _COUNTS.pack(len(keys), len(packed.codes), len(packed.constants))
    arrays = [np.ascontiguousarray(array).tobytes() for array in (*packed, keys)]
    content = zlib.compress(b"".join([counts, *arrays]), 6)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{path.parent} cannot be made: {error.strerror or error}.") from error
    write_atomically(path, MAGIC + _digest(path, content) + content)


def read_list(path: Path) -> List | None:
    """What a file holds, read-only; None where there is none that can be believed."""
    try:
        with path.open("rb") as file:
            whole = file.read(MAX_BYTES + 1)
    except OSError:
        return None
    start = len(MAGIC) + _DIGEST
    content = whole[start:]
    if not whole.startswith(MAGIC) or whole[len(MAGIC) : start] != _digest(path, content):
        return None
    try:
        unpacker = zlib.decompressobj()
        return _arrays(unpacker.decompress(content, MAX_BYTES))
    except zlib.error:
        return None


def _arrays(content: bytes) -> List | None:
    if len(content) < _COUNTS.size:
        return None
    n, n_nodes, n_constants = _COUNTS.unpack_from(content)
    kinds = ("<i4", n_nodes), ("<i4", n_nodes), ("<i8", n + 1), ("<f8", n_constants), ("<i8", n + 1), ("<u8", n)
    sizes = [int(kind[-1]) * count for kind, count in kinds]
    if min(n, n_nodes, n_constants) < 0 or _COUNTS.size + sum(sizes) != len(content):
        return None
    arrays, place = [], _COUNTS.size
    for (kind, count), size in zip(kinds, sizes, strict=True):
        arrays.append(_native(np.frombuffer(content, kind, count, place)))
        place += size
    *packed, keys = arrays
    programs = Programs(*packed)
    is_sound = are_sound(programs) and len(np.unique(keys)) == n
    return (programs, keys) if is_sound else None


def _native(array: NDArray[Any]) -> NDArray[Any]:
    """An aligned copy in this machine's order of bytes, read-only as the arrays of formulas are."""
    copy = array.astype(array.dtype.newbyteorder("="))
    copy.setflags(write=False)
    return copy


def _digest(path: Path, content: bytes) -> bytes:
    return hashlib.sha256(path.name.encode() + b"\0" + content).digest()
