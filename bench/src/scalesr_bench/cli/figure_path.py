"""Where a figure goes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Protocol

import typer

from scalesr.errors import DataError

PICTURES = (".png", ".svg", ".pdf")

FigurePath = Annotated[Path | None, typer.Option(help="Draw it into this file: .png, .svg or .pdf.")]


class Figure(Protocol):
    """What can be written to a file."""

    def savefig(self, path: Path, /) -> None: ...


def check_figure(path: Path | None) -> None:
    """Refuse a file whose name does not tell its kind, before anything is measured."""
    if path is not None and path.suffix not in PICTURES:
        raise DataError(f"{path} names no kind of picture; its name ends in {', '.join(PICTURES)}.")


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a file, in place of one that is there."""
    from scalesr.report.picture_file import write_figure

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_figure(path, figure)
    except OSError as error:
        raise DataError(
            f"{path} cannot be written: {error.strerror or error}. Choose another --figure PATH."
        ) from error
