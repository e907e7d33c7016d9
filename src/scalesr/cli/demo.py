"""`scalesr demo`: two tables, and the law behind each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, check_targets, say_lines, write_json
from scalesr.cli.progress import show_progress

if TYPE_CHECKING:
    from scalesr.demo.tables import DemoTable
    from scalesr.records.discovery import Discovery

NOTHING_FOUND = 1
SHOWN = 6  # rows, and constants


def demo(
    json: JsonPath = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the method and of the made table.")] = 0,
    time_limit: Annotated[float, typer.Option("--time-limit", min=0.1, help="Seconds per table.")] = 20.0,
) -> None:
    """Find the laws behind two tables: Kepler's planets and balls that sink in a liquid.

    The method gets the rows alone. The first table was measured, the second is made from a law that
    is printed beside what was found.

    Example: scalesr demo --json -
    """
    check_targets({"--json": json}, [])
    import numpy as np

    from scalesr.demo.tables import demo_tables  # loads the compiler; --help does without
    from scalesr.pipeline import discover
    from scalesr.records.config import Settings
    from scalesr.records.discovery import Verdict

    found = []
    for table in demo_tables(seed):
        with show_progress() as told:
            done = discover(table.data, Settings(time_limit=time_limit), rng=np.random.default_rng(seed), progress=told)
        if json != STANDARD_OUTPUT:
            say_lines(_lines(table, done))
        found.append(_summary(table, done))
    if json:
        write_json(json, found)
    if any(line["verdict"] == Verdict.NO_LAW for line in found):
        raise typer.Exit(NOTHING_FOUND)


def _lines(table: DemoTable, done: Discovery) -> list[str]:
    data, law = table.data, done.equation.rounded()
    columns = [*data.names, data.target]
    lines = [table.title, f"  {table.origin}; {data.n_rows} rows", "", "  " + "".join(f"{c:>11}" for c in columns)]
    for row, y in zip(data.table[:SHOWN], data.y[:SHOWN], strict=True):
        lines.append("  " + "".join(f"{value:>11.5g}" for value in (*row, y)))
    if data.n_rows > SHOWN:
        lines.append("  " + f"{'...':>11}" * len(columns))
    stages = ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in done.timings.items())
    lines += ["", f"  law        {data.target} = {law}"]
    pairs = zip(law.constants.tolist(), law.standard_errors.tolist(), strict=True)
    fitted = [f"  constant   {value} ± {error:.2g}" for value, error in pairs if error > 0]
    lines += fitted if len(fitted) <= SHOWN else []
    lines += [f"  verdict    {done.sentence}", f"  time       {done.seconds:.2f} s: {stages}", ""]
    return lines


def _summary(table: DemoTable, done: Discovery) -> dict[str, object]:
    law = done.equation
    return {
        "table": table.name,
        "origin": table.origin,
        "law": str(law),
        "constants": law.constants.tolist(),
        "standard_errors": law.standard_errors.tolist(),
        "verdict": str(done.verdict),
        "reason": done.reason,
        "seconds": done.seconds,
        "seconds_per_stage": done.timings,
    }
