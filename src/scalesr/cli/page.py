"""`scalesr app`: a page in the browser, on this machine, to find laws on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import say, tell
from scalesr.errors import DataError


def page(
    table: Annotated[Path | None, typer.Argument(metavar="[TABLE]", help="A table to begin with.")] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 is any free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="Where to listen; other than this machine alone, a password is asked for."
        ),
    ] = "127.0.0.1",
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="Where runs are kept; ScaleSR in the home folder.")
    ] = None,
) -> None:
    """Open a page to find laws on, in the browser, without code.

    The page is served to this machine alone, by an address that holds a secret token. Runs are kept
    as plain files; a search goes on when the page or the server is closed. With --host other machines
    can reach it; they are asked for a password, which comes from the variable SCALESR_PASSWORD or is
    typed in.

    \b
    Examples:
      scalesr app
      scalesr app planets.csv
      scalesr app --no-browser --port 8123
      scalesr app --host 0.0.0.0 --port 8123
    """
    from scalesr.app.serve import Served, serve

    if table is not None and not table.is_file():
        raise DataError(f"{table} is not a file; give a table, or none and choose it on the page.")
    where = Served(host, port, _password() if Served.is_elsewhere(host) else "")
    if where.is_shared:
        tell(_WARNING)
    serve(folder or Path.home() / "ScaleSR", where, table=table, opens=not no_browser and not where.is_shared, say=say)


_WARNING = [
    "Warning: other machines can reach this page. Whoever has the password can read and delete the runs, and use this",
    "machine for searches. Nothing is encrypted on the way, the password included. On a network that is not your own,",
    "leave --host out and use a tunnel: ssh -L 8123:127.0.0.1:8123 THIS_MACHINE",
]


def _password() -> str:
    """From the environment, or typed in; never from the command line, which other users can read."""
    given = os.environ.pop("SCALESR_PASSWORD", "")  # searches have no use for it
    return given or str(typer.prompt("A password for the page", hide_input=True, confirmation_prompt=True))
