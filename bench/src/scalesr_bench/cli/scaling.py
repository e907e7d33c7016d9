"""`scalesr-bench scaling`: time and memory against rows and variables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, write_json
from scalesr.errors import DataError
from scalesr_bench.cli.figure_path import FigurePath, check_figure, save_figure

if TYPE_CHECKING:
    from scalesr_bench.scaling import ScaleLine, ScalePoint

STORED = Path("benchmarks/results/scaling.json")
MIB = 2**20


def scaling(
    methods: Annotated[str, typer.Option(help="default, no-plain, paper or module:function, with commas.")] = "default",
    max_rows: Annotated[int, typer.Option(min=10, help="Most rows.")] = 1_000_000,
    max_variables: Annotated[int, typer.Option(min=2, max=10, help="Most variables.")] = 10,
    time_limit: Annotated[float, typer.Option(help="Seconds per table.")] = 90.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the laws and their rows.")] = 0,
    figure: FigurePath = None,
    stored: Annotated[Path | None, typer.Option(help="Show and draw this stored result; measure nothing.")] = None,
    json: JsonPath = None,
) -> None:
    """Measure how time and memory grow with rows (1e3 to 1e6) and with variables (2 to 10).

    Stored in benchmarks/results/scaling.json unless --json says otherwise.

    Example: scalesr-bench scaling --max-rows 10000 --max-variables 4 --json -
    Redrawn: scalesr-bench scaling --stored benchmarks/results/scaling.json --figure scaling.svg
    """
    check_figure(figure)
    if stored is not None:
        _show(_read(stored), figure)
        return
    from scalesr_bench.laws.methods import make_method  # loads the compiler; --help does without
    from scalesr_bench.limits import check_time_limit
    from scalesr_bench.machine import provenance
    from scalesr_bench.scaling import as_json, measure_scaling, scale_points

    check_time_limit(time_limit)
    names = tuple(methods.split(","))
    for name in names:
        make_method(name)
    points = scale_points(
        methods=names, seed=seed, time_limit=time_limit, most_rows=max_rows, most_variables=max_variables
    )
    lines = measure_scaling(points, progress=_tell)
    path = json or STORED
    write_json(path, provenance() | {"seed": seed, "time_limit": time_limit, "points": as_json(lines)})
    if path != STANDARD_OUTPUT:
        _show(lines, figure)
    elif figure is not None:
        _draw(lines, figure)


def _read(path: Path) -> list[ScaleLine]:
    """The points of a stored result."""
    from json import JSONDecodeError, loads

    from scalesr_bench.scaling import from_json

    try:
        return from_json(loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, JSONDecodeError) as error:
        raise DataError(f"The stored result {path} cannot be read: {error}.") from error


def _show(lines: Sequence[ScaleLine], figure: Path | None) -> None:
    for name in dict.fromkeys(line.method for line in lines):
        _print(name, [line for line in lines if line.method == name])
    if figure is not None:
        _draw(lines, figure)


def _draw(lines: Sequence[ScaleLine], path: Path) -> None:
    from scalesr_bench.figures.scaling import scaling_figure

    save_figure(scaling_figure(lines), path)


def _tell(point: ScalePoint) -> None:
    typer.echo(f"{point.method}: {point.n_rows:,} rows x {point.n_variables} variables", err=True)


def _print(method: str, lines: Sequence[ScaleLine]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from scalesr_bench.scaling import chart

    table = Table(title=f"{method}: time and peak memory", title_justify="left", box=SIMPLE, pad_edge=False)
    for heading in ("rows", "variables", "s", "MiB", "right", "verdict"):
        table.add_column(heading, justify="left" if heading == "verdict" else "right")
    for line in lines:
        table.add_row(
            f"{line.n_rows:,}", str(line.n_variables), f"{line.seconds:.2f}", f"{line.peak_bytes / MIB:.0f}",
            "yes" if line.is_right else "no", line.verdict,
        )  # fmt: skip
    console = Console()
    console.print(table)
    console.print("Seconds, on a logarithmic scale")
    labels = [f"{line.n_rows:,} x {line.n_variables}: {line.seconds:.2f}" for line in lines]
    for text in chart(labels, [line.seconds for line in lines]):
        console.print(text, highlight=False)
