"""The command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

INTERRUPTED = 130  # what shells call a program that Ctrl-C has ended


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; it is loaded here, so that an interrupt while it loads is no traceback either."""
    try:
        _fill_closed_streams()
        from scalesr.cli.app import run

        code = run(arguments)
    except KeyboardInterrupt:  # before there is anything to be told
        code = INTERRUPTED
    raise SystemExit(code)


def _fill_closed_streams() -> None:
    """Let streams that the caller has closed lead nowhere, or the next file that is opened takes their place."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
