"""`scalesr app`: a page in the browser, on this machine, to find laws on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import say
from scalesr.errors import DataError


def page(
    table: Annotated[Path | None, typer.Argument(metavar="[TABLE]", help="A table to begin with.")] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 is any free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open nothing.")] = False,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="Where runs are kept; ScaleSR in the home folder.")
    ] = None,
) -> None:
    """Open a page to find laws on, in the browser, without code.

    The page is served to this machine alone, by an address that holds a secret token. Runs are kept
    as plain files; a search goes on when the page or the server is closed.

    \b
    Examples:
      scalesr app
      scalesr app planets.csv
      scalesr app --no-browser --port 8123
    """
    from scalesr.app.serve import serve

    if table is not None and not table.is_file():
        raise DataError(f"{table} is no file; give a table, or none and choose it on the page.")
    serve(folder or Path.home() / "ScaleSR", port=port, table=table, opens=not no_browser, say=say)
