"""Tables of text on the screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from scalesr_bench.text_tables import TextTable


def print_tables(tables: Iterable[TextTable]) -> None:
    """Print tables one below the other."""
    for table in tables:
        print_table(table)


def print_table(table: TextTable) -> None:
    """Print a table with its notes below; no cell is cut, however narrow the screen."""
    lines = [table.headings, *table.rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(table.headings))]
    typer.echo(table.title)
    for line in [table.headings, tuple("-" * width for width in widths), *table.rows]:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        typer.echo("  ".join(cells).rstrip())
    for note in table.notes:
        typer.echo(note)
    typer.echo("")
