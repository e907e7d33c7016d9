"""The command line of the bench."""

from __future__ import annotations

from collections.abc import Sequence

from scalesr.cli import end_with


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""

    def run() -> int:
        from scalesr.cli.running import run_app
        from scalesr_bench.cli.app import app

        return run_app(app, arguments)

    end_with(run)
