"""`scalesr warmup`: what is made once per machine, made now."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, say, write_json
from scalesr.cli.progress import show_progress


def warmup(
    json: JsonPath = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Compile the engine, so that the first fit has nothing to wait for.

    It is kept on disk. Without this command the first fit compiles before its time limit begins.

    Example: scalesr warmup
    """
    from scalesr.kernels.disk import writable_folder  # loads the compiler; --help does without
    from scalesr.records.engine import ready_engine

    started = time.monotonic()
    with show_progress(quiet=quiet) as told:
        ready_engine(told)
    seconds, folder = time.monotonic() - started, writable_folder()
    where = "nowhere: no folder can be written, so every process compiles for itself" if folder is None else str(folder)
    if not quiet and json != STANDARD_OUTPUT:
        say(f"Ready after {seconds:.1f} s. Compiled code is kept in {where}.")
    if json is not None:
        write_json(json, {"seconds": seconds, "folder": None if folder is None else str(folder)})
