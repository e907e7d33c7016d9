"""The command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from scalesr.cli.signals import heard_once, is_interrupt

INTERRUPTED = 130  # what shells call a program that Ctrl-C has ended


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""

    def run() -> int:
        from scalesr.cli.app import run

        return run(arguments)

    end_with(run)


def end_with(run: Callable[[], int]) -> None:
    """End with the exit code of a command line; `run` also loads it, so that an interrupt then is not a traceback."""
    with heard_once():  # from here on, since what is loaded first takes a second
        try:
            _fill_closed_streams()
            code = run()
        except (Exception, KeyboardInterrupt) as error:
            if not is_interrupt(error):
                raise
            code = INTERRUPTED  # before there is anything to be told
        raise SystemExit(code)


def _fill_closed_streams() -> None:
    """Let streams that the caller has closed lead nowhere, or the next file that is opened takes their place."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free, which is this one
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
