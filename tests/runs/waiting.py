"""Waiting for processes by what they write, never by how long they take."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST = 120.0  # seconds after which a test gives up; nothing is decided by it


def until(is_so: Callable[[], object], what: str = "") -> None:
    """Return as soon as something is so."""
    ends = time.monotonic() + LONGEST
    while not is_so():
        if time.monotonic() > ends:
            raise AssertionError(f"This never came: {what}")
        time.sleep(0.02)
