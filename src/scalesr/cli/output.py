"""Where results go besides the screen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from scalesr.errors import DataError

JsonPath = Annotated[Path | None, typer.Option("--json", metavar="PATH", help="Write the result as JSON; - prints it.")]

STANDARD_OUTPUT = Path("-")


def write_json(path: Path, result: object) -> None:
    """Write `result` to a file, or to the screen where `path` is -."""
    write_text(path, json.dumps(result, indent=2, allow_nan=False) + "\n", option="--json PATH")


def write_text(path: Path, text: str, *, option: str = "--output PATH") -> None:
    """Write a text to a file, or to the screen where `path` is -."""
    if path == STANDARD_OUTPUT:
        typer.echo(text, nl=False)
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}. Choose another {option}.") from error
