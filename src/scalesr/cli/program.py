"""What every program of ours has: its name, its help and `--version`."""

from __future__ import annotations

import typer
from typer.core import TyperGroup

from scalesr import __version__
from scalesr.cli.output import say


def make_program(
    name: str, about: str, *, epilog: str | None = None, group: type[TyperGroup] = TyperGroup
) -> typer.Typer:
    """A program without commands yet; `group` finds the command for what was typed."""
    program = typer.Typer(
        name=name, cls=group, epilog=epilog, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None
    )

    def print_version(asked: bool) -> None:
        if asked:
            say(f"{name} {__version__}")
            raise typer.Exit

    asking = typer.Option(False, "--version", callback=print_version, is_eager=True, help="Print the version and stop.")

    @program.callback(help=about)
    def options(version: bool = asking) -> None:
        del version  # the callback has done the work

    return program
