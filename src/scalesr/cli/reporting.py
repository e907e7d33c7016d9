"""What commands that write a report share: the command as it was typed, and whether pictures can be drawn."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from scalesr.errors import MissingExtra


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["scalesr", *sys.argv[1:]])


def check_report(path: Path | None) -> None:
    """Refuse a report where nothing can be drawn."""
    if path is not None and find_spec("matplotlib") is None:
        raise MissingExtra("Reports need matplotlib: pip install 'scalesr[plot]'.")
