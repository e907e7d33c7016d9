"""The command line."""

from __future__ import annotations

from collections.abc import Sequence

INTERRUPTED = 130  # what shells call a program that Ctrl-C has ended


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; it is loaded here, so that an interrupt while it loads is no traceback either."""
    try:
        from scalesr.cli.app import run
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    raise SystemExit(run(arguments))
