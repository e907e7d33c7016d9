"""`scalesr-bench clock`: how limits, interrupts, kills and first uses are kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, write_json
from scalesr.cli.table_argument import names_in
from scalesr.errors import SettingError

STORED = Path("benchmarks/results/clock.json")


def clock(  # noqa: PLR0913, PLR0917 - options
    json: JsonPath = None,
    only: Annotated[
        str, typer.Option(metavar="A,B,...", help="Of starts, limits, interrupts, kills; all if not given.")
    ] = "",
    fits: Annotated[int, typer.Option(min=1, help="Fits with random limits of 0.2 to 20 s.")] = 200,
    interrupts: Annotated[int, typer.Option(min=1, help="Interrupts at random moments.")] = 100,
    kills: Annotated[int, typer.Option(min=1, help="Kills at random moments, each run resumed.")] = 100,
    repeats: Annotated[int, typer.Option(min=1, help="First uses, of which the quickest counts.")] = 3,
    runs: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Keep each run here; what is there already is not run again.")
    ] = None,
    busy: Annotated[int, typer.Option(min=0, help="Busy loops that run beside all of it.")] = 0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of limits, moments and tables.")] = 0,
) -> None:
    """Measure whether fits keep to their limits, end when they are asked to and survive kills.

    The first law from an empty cache and in a new process; fits with random time limits in the main thread, in
    threads and in processes, and what late ones were doing; interrupts; kills, after which runs with counted work
    are resumed and have to end in the law of the unbroken run. Half an hour in full, stored in
    benchmarks/results/clock.json unless --json says otherwise; what is there of parts that were not asked for stays.
    With --runs a measurement that was ended goes on where it was.

    Example: scalesr-bench clock --only kills --kills 3 --json -
    """
    from scalesr_bench.clock.kept import KeptRecords
    from scalesr_bench.clock.measure import PARTS, joined, measure_clock  # loads the compiler; --help does without
    from scalesr_bench.machine import provenance

    asked = names_in(only) or PARTS
    if unknown := [part for part in asked if part not in PARTS]:
        raise SettingError(f"--only names {unknown[0]!r}; known are {', '.join(PARTS)}.")
    result = measure_clock(
        tuple(asked), n_fits=fits, n_interrupts=interrupts, n_kills=kills, repeats=repeats, n_busy=busy, seed=seed,
        kept=KeptRecords(runs),
        told=lambda text: typer.echo(text, err=True),
    )  # fmt: skip
    path = json or STORED
    if path != STANDARD_OUTPUT:
        _print(result)
    write_json(path, joined(path, provenance() | result))


def _print(result: dict[str, Any]) -> None:
    for part, values in result.items():
        if isinstance(values, dict):
            counts = [f"{name} {value}" for name, value in values.items() if not isinstance(value, list)]
            typer.echo(f"{part}: " + ", ".join(counts))
            for late in values.get("late_in", ()):
                typer.echo(f"  {late['seconds']:.1f} s of {late['limit']:g} s in {' < '.join(late['doing'])}")
