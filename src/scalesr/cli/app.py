"""`scalesr`: one command per job. Exit codes: 0 found, 1 nothing acceptable found, 2 bad input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated

import typer

from scalesr import __version__
from scalesr.cli import bench, demo, dynamics, fit, paper, predict, show
from scalesr.errors import ScaleSRError

BAD_INPUT = 2

app = typer.Typer(
    name="scalesr",
    help="ScaleSR finds the law behind a table.",
    epilog="Exit codes: 0 found, 1 nothing acceptable found, 2 bad input.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("fit")(fit.fit)
app.command("predict")(predict.predict)
app.command("show")(show.show)
app.command("dynamics")(dynamics.dynamics)
app.command("demo")(demo.demo)
app.add_typer(bench.app, name="bench")
app.command("paper")(paper.paper)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"scalesr {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    del version  # the callback has done the work


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; an expected error becomes one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show ends nothing
    try:
        app(args=_with_json_path(sys.argv[1:] if arguments is None else arguments))
    except ScaleSRError as error:
        typer.echo(f"Error: {error}", err=True)
        raise SystemExit(BAD_INPUT) from None


def _with_json_path(arguments: Sequence[str]) -> list[str]:
    """`--json` without a path prints: it gets the path -."""
    found = list(arguments)
    for place, argument in enumerate(arguments):
        following = arguments[place + 1] if place + 1 < len(arguments) else "--"
        if argument == "--json" and following.startswith("-") and following != "-":
            found[place] = "--json=-"
    return found
