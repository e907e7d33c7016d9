"""How a command line runs and ends: exit codes, and a sentence for whatever is expected to go wrong."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import StringIO, TextIOWrapper
from typing import Any

import typer

from scalesr.cli import INTERRUPTED
from scalesr.cli.output import BAD_INPUT, silence, tell
from scalesr.cli.signals import CutShort, heard_once, is_interrupt, while_read
from scalesr.errors import ScaleSRError, ScaleSRWarning

_UsageError: Any = typer.BadParameter.__base__  # of all complaints about arguments; typer does not name it


def run_app(app: typer.Typer, arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command; what is expected to go wrong is told in a sentence."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show ends nothing
    with heard_once(), _warnings_told():
        try:
            code = _ended(app, _with_json_path(sys.argv[1:] if arguments is None else arguments))
            if sys.stdout is not None:
                with while_read():
                    sys.stdout.flush()
        except BrokenPipeError:
            silence(sys.stdout)
            return 0
        except OSError as error:
            silence(sys.stdout)
            tell([f"Error: the output cannot be written: {error.strerror or error}."])
            return BAD_INPUT
        return code


def _ended(app: typer.Typer, arguments: list[str]) -> int:
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
    except SystemExit as stop:
        if isinstance(stop.__context__, BrokenPipeError):  # typer's answer to it, with the code for no law
            silence(sys.stdout)
            return 0
        raise
    except (Exception, KeyboardInterrupt) as error:
        if not is_interrupt(error):
            raise
        code = INTERRUPTED
    if code == INTERRUPTED:
        tell(["Interrupted before there was a result."])
    return code


@contextmanager
def _warnings_told() -> Iterator[None]:
    """A block in which warnings are sentences, without the line of code that they come from.

    Ours are told whatever the environment wants of warnings (PYTHONWARNINGS): as errors they would cost the law.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("default", ScaleSRWarning)
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
