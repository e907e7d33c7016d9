"""`scalesr`: one command per job.

Exit codes: 0 found, 1 nothing acceptable found, 2 bad input or a result that could not be written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from scalesr import __version__
from scalesr.cli import batch, calibrate, demo, dynamics, fit, page, predict, report, show, warmup
from scalesr.cli.output import say
from scalesr.cli.running import run_app

app = typer.Typer(
    name="scalesr",
    help="ScaleSR finds the law behind a table.",
    epilog="Exit codes: 0 found, 1 nothing acceptable found, 2 bad input or a file that could not be written.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("fit")(fit.fit)
app.command("predict")(predict.predict)
app.command("calibrate")(calibrate.calibrate)
app.command("show")(show.show)
app.command("report")(report.report)
app.command("dynamics")(dynamics.dynamics)
app.command("batch")(batch.batch)
app.command("demo")(demo.demo)
app.command("app")(page.page)
app.command("warmup")(warmup.warmup)


def _print_version(asked: bool) -> None:
    if asked:
        say(f"scalesr {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    del version  # the callback has done the work


def run(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command."""
    return run_app(app, arguments)
