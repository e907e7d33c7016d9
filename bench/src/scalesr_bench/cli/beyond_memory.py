"""`scalesr-bench rows-beyond-memory`: time, passes and memory of tables that are read in passes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, say_lines, tell, write_json
from scalesr.errors import DataError
from scalesr_bench.cli.figure_path import FigurePath, check_figure, save_figure

if TYPE_CHECKING:
    from scalesr_bench.beyond_memory import RowsLine

STORED = Path("benchmarks/results/rows-beyond-memory.json")
MIB = 2**20


def rows_beyond_memory(
    folder: Annotated[Path, typer.Option(help="Where the tables are made; 72 bytes a row.")],
    rows: Annotated[str, typer.Option(help="Sizes of tables, with commas.")] = "1e6,1e7",
    sample_rows: Annotated[int, typer.Option("--sample-rows", min=100, help="Rows that the search sees.")] = 20_000,
    max_work: Annotated[float, typer.Option("--max-work", min=1, help="Units of work for a search.")] = 8000.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the rows and of the search.")] = 0,
    figure: FigurePath = None,
    json: JsonPath = None,
) -> None:
    """Make tables of 8 columns in parts on disk, and measure how their law is found in passes.

    Stored in benchmarks/results/rows-beyond-memory.json unless --json says otherwise; the tables stay in
    the folder and are not made again. --figure draws the memory over time.

    Example: scalesr-bench rows-beyond-memory --rows 1e5 --folder /tmp/rows --json -
    """
    check_figure(figure)
    sizes = _sizes(rows)
    from scalesr_bench.beyond_memory import as_json, measure_rows  # loads the compiler; --help does without
    from scalesr_bench.machine import provenance

    lines = measure_rows(
        folder, sizes, sample_rows=sample_rows, seed=seed, max_work=max_work, progress=lambda text: tell([text])
    )
    path = json or STORED
    settings = {"sample_rows": sample_rows, "max_work": max_work, "seed": seed}
    write_json(path, provenance() | settings | {"points": as_json(lines)})
    if path != STANDARD_OUTPUT:
        say_lines(map(_told, lines))
    if figure is not None:
        _draw(lines, figure)


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(float(part)) for part in text.split(",")]
    except (ValueError, OverflowError):
        sizes = []
    if not sizes or min(sizes) < 1000:
        raise DataError(f"--rows {text!r} are not numbers of rows; give some of 1000 or more, such as 1e6,1e7.")
    return sizes


def _told(line: RowsLine) -> str:
    return (
        f"{line.n_rows:,} rows, {line.table_bytes / MIB:,.0f} MiB on disk: {line.verdict}, "
        f"{'right' if line.is_right else 'wrong'}, {line.n_passes} passes, {line.seconds:.0f} s in all, "
        f"{line.seconds_in_passes:.1f} s of it for passes and judging, {line.seconds_reading:.1f} s for reading once, "
        f"peak {line.peak_bytes / MIB:.0f} MiB, {line.idle_bytes / MIB:.0f} MiB before"
    )


def _draw(lines: Sequence[RowsLine], path: Path) -> None:
    from scalesr_bench.figures.memory import memory_figure

    save_figure(memory_figure({f"{line.n_rows:,} rows": line.memory for line in lines}), path)
