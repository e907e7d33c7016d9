"""Arrays and whole numbers in JSON, to the last bit."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.model_files.values import Fault, excerpt, text


def packed(values: NDArray[Any]) -> str:
    """The numbers of an array, little-endian and of eight bytes, as base64."""
    kind = "<f8" if values.dtype.kind == "f" else "<i8"
    return base64.b64encode(np.ascontiguousarray(values, kind).tobytes()).decode("ascii")


def unpacked(value: Any, where: str) -> NDArray[np.float64]:
    """The floats of a packed array, in a row."""
    return np.frombuffer(_content(value, where), "<f8").astype(np.float64)


def unpacked_whole(value: Any, where: str) -> NDArray[np.int64]:
    """The whole numbers of a packed array, in a row."""
    return np.frombuffer(_content(value, where), "<i8").astype(np.int64)


def whole(value: Any, where: str) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Fault(f"{where} is {excerpt(value)} and no whole number")
    return value


def count(value: Any, where: str) -> int:
    """How many there are of something."""
    found = whole(value, where)
    if not 0 <= found < 2**63:
        raise Fault(f"{where} is {excerpt(value)} and no count")
    return found


def _content(value: Any, where: str) -> bytes:
    try:
        content = base64.b64decode(text(value, where), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Fault(f"{where} is not base64 of numbers ({error})") from error
    if len(content) % 8:
        raise Fault(f"{where} is not base64 of numbers of eight bytes")
    return content
