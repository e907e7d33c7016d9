"""Options that several benchmarks share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Jobs = Annotated[int, typer.Option(min=1, help="Processes; each uses one core.")]
Seeds = Annotated[int, typer.Option(min=1, help="Repetitions.")]
FirstSeed = Annotated[int, typer.Option(min=0, help="First seed.")]
RelativeNoise = Annotated[float, typer.Option(min=0, help="Noise over the standard deviation of the target.")]
RunsPath = Annotated[Path, typer.Option(help="File of finished runs; a killed benchmark goes on from it.")]
AcceptStale = Annotated[
    bool, typer.Option("--accept-stale", help="Count stored runs of other code and other limits, too.")
]
TablesFolder = Annotated[Path | None, typer.Option(help="Write tables as Markdown, CSV and LaTeX here.")]
