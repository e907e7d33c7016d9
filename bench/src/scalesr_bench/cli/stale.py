"""`scalesr-bench stale`: which stored results are older than the code."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, say_lines, write_json

STORED = Path("benchmarks/results")
SOME_ARE_STALE = 1


def stale(
    names: Annotated[list[str] | None, typer.Argument(help="Results, such as laws-srbench; all, if none.")] = None,
    folder: Annotated[Path, typer.Option(help="Folder of the stored results.")] = STORED,
    json: JsonPath = None,
) -> None:
    """List the stored results that are older than the last change of the code that could change them.

    A result depends on the folders that its kind of measurement uses; comments, docstrings and moved files do not
    count as changes. The exit code is 0 where no result is stale and 1 where one is.

    Example: scalesr-bench stale laws-srbench paper-table1
    """
    from scalesr_bench.machine import ROOT
    from scalesr_bench.stale import ages

    found = ages(folder, ROOT, names or ())
    stale = [age for age in found if age.is_stale]
    if json != STANDARD_OUTPUT:
        lines = [f"{age.name} (commit {age.commit[:10]}, {age.day}): {age.sentence}" for age in stale]
        say_lines([*lines, f"{len(stale)} of {len(found)} results are older than the code that they depend on."])
    if json:
        write_json(json, [asdict(age) | {"is_stale": age.is_stale} for age in found])
    if stale:
        raise typer.Exit(SOME_ARE_STALE)
