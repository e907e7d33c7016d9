"""The text of a file that may hold anything, as plain JSON values."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import numpy as np

from scalesr.model_files.model import MAX_BYTES
from scalesr.model_files.values import Fault

MAX_DEPTH: Final = 16  # of lists and objects within each other


def content_of(path: Path, max_bytes: int = MAX_BYTES) -> str:
    """The file's text, as far as it is one of decent size."""
    with path.open("rb") as file:
        return text_of(file.read(max_bytes + 1), max_bytes)


def text_of(content: bytes, max_bytes: int = MAX_BYTES) -> str:
    """The text that bytes are, as far as it is one of decent size."""
    if len(content) > max_bytes:
        raise Fault(f"it has more than {max_bytes} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Fault(f"byte {error.start} is not UTF-8 text") from error


def json_of(text: str) -> Any:
    """The values that a text stands for."""
    if _depth(text) > MAX_DEPTH:
        raise Fault(f"lists and objects are nested more than {MAX_DEPTH} deep")
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except ValueError as error:
        raise Fault(f"it is not JSON ({error})") from error


def _depth(text: str) -> int:
    """How deep brackets are nested outside of texts; counted without recursion, as the text may be hostile."""
    outside = "".join(re.sub(r"\\.", "", text, flags=re.DOTALL).split('"')[::2])
    brackets = np.frombuffer(re.sub(r"[^\[\]{}]", "", outside).encode("ascii"), np.uint8)
    steps = np.where((brackets == ord("[")) | (brackets == ord("{")), 1, -1)
    return int(np.cumsum(steps).max(initial=0))


def _no_constant(text: str) -> float:
    raise Fault(f"{text} is not JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Fault("an object has the same field twice")
    return found
