"""Bytes as text: UTF-8, UTF-16, or Latin-1 with a note."""

from __future__ import annotations

import codecs
import re
from typing import Final

from scalesr.errors import DataError

_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_KNOWN: Final = {
    b"\xd0\xcf\x11\xe0": "an old Excel file; save it as .xlsx or CSV",
    b"\x89HDF": "an HDF5 file; save the table as CSV or Parquet",
    b"SIMPLE  =": "a FITS file; save the table as CSV or Parquet",
    b"%PDF": "a PDF; save the table as CSV",
    b"{\\rtf": "a text document; save the table as CSV",
    b"ARROW1": "an Arrow file; save the table as Parquet",
    codecs.BOM_UTF32_LE: "text in UTF-32; save it as UTF-8 CSV",  # which begins as UTF-16 does
    codecs.BOM_UTF32_BE: "text in UTF-32; save it as UTF-8 CSV",
}
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MARK: Final = "\ufeff"  # of the order of bytes, which files that were put together may have twice
_SEEN: Final = 2**16  # bytes by which text is told from anything else


def decoded(content: bytes, name: str) -> tuple[str, str]:
    """The text and the encoding's name, "" for UTF-8."""
    require_text(content, name)
    if content.startswith(_UTF16):
        return _decoded(content, "utf-16", name), "UTF-16"
    head = content[:_SEEN]
    if _is_bare_utf16(head):
        return _decoded(content, "utf-16-le" if head[1] == 0 else "utf-16-be", name), "UTF-16"
    try:
        return content.decode("utf-8").lstrip(_MARK), ""
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace"), "Latin-1"


def require_text(start: bytes, name: str) -> None:
    """Refuse what is no text by its first bytes, so that the rest of it need not be read."""
    for known, what in _KNOWN.items():
        if start.startswith(known):
            raise DataError(f"{name} is {what}.")
    head = start[:_SEEN]
    if head.startswith(_UTF16) or _is_bare_utf16(head):
        return
    if (control := _CONTROL.search(head)) is not None:
        raise DataError(
            f"{name} is binary (byte {control.start()} is {control[0][0]:#04x}) and none of the formats that are "
            f"read: CSV and other text, Parquet, Excel (.xlsx), NumPy."
        )


def _is_bare_utf16(head: bytes) -> bool:
    """Whether every second byte is zero, as in UTF-16 of plain letters and digits."""
    if len(head) < 8 or b"\x00" not in head[:2]:
        return False
    odd, even = head[1::2], head[0::2]
    return min(odd.count(0) / len(odd), 1 - even.count(0) / len(even)) > 0.9 or (
        min(even.count(0) / len(even), 1 - odd.count(0) / len(odd)) > 0.9
    )


def _decoded(content: bytes, encoding: str, name: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(f"{name} is broken UTF-16 text (byte {error.start}); save it as UTF-8 CSV.") from error
