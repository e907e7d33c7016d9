"""Opening: the browser gets the address by way of a file, since other users can read the command line of a browser."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scalesr.report.html import text as escaped


@contextmanager
def opened(address: str, folder: Path) -> Iterator[Path]:
    """A block during which a file in a private folder leads to an address; the browser is sent to that file."""
    path = folder / f"open-{os.getpid()}.html"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(
                f'<!doctype html>\n<meta charset="utf-8"><meta name="referrer" content="no-referrer">\n'
                f'<meta http-equiv="refresh" content="0;url={escaped(address)}">\n'
                f'<title>ScaleSR</title><a href="{escaped(address)}">Open the page</a>\n'
            )
        webbrowser.open(path.absolute().as_uri())
        yield path
    finally:
        path.unlink(missing_ok=True)
