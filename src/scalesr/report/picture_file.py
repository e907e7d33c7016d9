"""Figures as files of the kind that their names end in."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from scalesr.atomic import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_figure(path: Path, figure: Figure) -> None:
    """Draw a figure into a file, in place of one that is there."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format=path.suffix.lower().removeprefix("."))
    write_atomically(path, drawn.getvalue())
