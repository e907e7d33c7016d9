"""`scalesr`: one command per job.

Exit codes: 0 found, 1 nothing acceptable found, 2 bad input or a result that could not be written.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO, TextIOWrapper
from typing import Annotated, Any

import typer

from scalesr import __version__
from scalesr.cli import (
    INTERRUPTED,
    batch,
    bench,
    calibrate,
    demo,
    dynamics,
    fit,
    page,
    paper,
    predict,
    report,
    show,
    warmup,
)
from scalesr.cli.output import BAD_INPUT, say, silence, tell
from scalesr.cli.signals import CutShort, heard_once
from scalesr.errors import ScaleSRError

_UsageError: Any = typer.BadParameter.__base__  # of all complaints about arguments; typer does not name it

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
app.add_typer(bench.app, name="bench")
app.command("paper")(paper.paper)


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
    """The exit code of a command; what is expected to go wrong is told in a sentence."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show ends nothing
    with heard_once(), _warnings_told():
        try:
            code = _ended(_with_json_path(sys.argv[1:] if arguments is None else arguments))
            if sys.stdout is not None:
                sys.stdout.flush()
        except BrokenPipeError:
            silence(sys.stdout)
            return 0
        except OSError as error:
            silence(sys.stdout)
            tell([f"Error: the output cannot be written: {error.strerror or error}."])
            return BAD_INPUT
        return code


def _ended(arguments: list[str]) -> int:
    """How a command ended."""
    try:
        code = int(app(args=arguments, standalone_mode=False) or 0)
    except ScaleSRError as error:
        tell([f"Error: {error}"])
        return BAD_INPUT
    except _UsageError as error:
        message = StringIO()
        error.show(file=message)
        tell(message.getvalue().splitlines())
        return BAD_INPUT
    except MemoryError:
        tell(["Error: there is not enough memory; give fewer rows or columns."])
        return BAD_INPUT
    except CutShort as cut:
        tell([str(cut)])
        return INTERRUPTED
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # typer's answer to it, with the code for no law
            silence(sys.stdout)
            return 0
        raise
    if code == INTERRUPTED:
        tell(["Interrupted before there was a result."])
    return code


@contextmanager
def _warnings_told() -> Iterator[None]:
    """A block in which warnings are sentences, without the line of code that they come from."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: tell([f"Warning: {message}"])
        yield


def _with_json_path(arguments: Sequence[str]) -> list[str]:
    """`--json` without a path prints: it gets the path -."""
    found = list(arguments)
    for place, argument in enumerate(arguments):
        following = arguments[place + 1] if place + 1 < len(arguments) else "--"
        if argument == "--json" and following.startswith("-") and following != "-":
            found[place] = "--json=-"
    return found
