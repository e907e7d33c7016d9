"""`scalesr-bench groups`: laws with constants that differ between groups."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, write_json
from scalesr_bench.cli.progress_line import ProgressLine
from scalesr_bench.cli.text_table import print_table

STORED = "benchmarks/results/groups-{part}.json"
RUNS = Path("benchmarks/runs/groups.jsonl")


def groups(  # noqa: PLR0913, PLR0917  one argument per option
    part: Annotated[str, typer.Option(help="seen, unseen (put aside while the method was made) or all.")] = "seen",
    laws: Annotated[str, typer.Option(help="Names of laws with commas; all of the part if not given.")] = "",
    noise: Annotated[float, typer.Option(min=0, help="Noise over the standard deviation of the target.")] = 0.01,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the tables.")] = 0,
    max_work: Annotated[float, typer.Option("--max-work", min=0.001, help="Units of work for each law.")] = 6000.0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; each uses one core.")] = 1,
    runs: Annotated[Path, typer.Option(help="File of finished runs; a killed benchmark goes on from it.")] = RUNS,
    accept_stale: Annotated[
        bool, typer.Option("--accept-stale", help="Count stored runs of other code and limits, too.")
    ] = False,
    json: JsonPath = None,
) -> None:
    """Measure how often the form is found, and which constants differ between groups.

    Thirty laws with 10 to 200 groups, half of them with 5 rows in each; half of the laws are put aside. Said are also
    how many constants are within three of their standard errors. A whole part is stored under benchmarks/results unless
    --json says otherwise.

    Example: scalesr-bench groups --laws "decay,gas" --max-work 500 --json -
    """
    from scalesr_bench.groups.measure import GroupSettings, measure_groups, open_log, runs_table
    from scalesr_bench.machine import provenance  # loads the compiler; --help does without

    names = tuple(name for name in laws.split(",") if name)
    settings = GroupSettings(part, noise, seed, max_work, names, jobs)
    result = measure_groups(settings, open_log(runs, settings, accept_stale=accept_stale), progress=ProgressLine())
    path = json or (None if names else Path(STORED.format(part=part)))
    if path != STANDARD_OUTPUT:
        print_table(runs_table(result))
    if path:
        write_json(path, provenance() | result.as_json())
