"""`scalesr-bench groups`: laws with constants that differ between groups."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr.cli.table_argument import names_in
from scalesr_bench.cli.delivery import deliver, open_runs
from scalesr_bench.cli.options import AcceptStale, Jobs, RelativeNoise, RunsPath
from scalesr_bench.cli.progress_line import ProgressLine
from scalesr_bench.cli.text_table import print_table

STORED = "benchmarks/results/groups-{part}.json"
RUNS = Path("benchmarks/runs/groups.jsonl")


def groups(  # noqa: PLR0913, PLR0917  one argument per option
    part: Annotated[str, typer.Option(help="seen, unseen (put aside while the method was made) or all.")] = "seen",
    laws: Annotated[str, typer.Option(help="Names of laws with commas; all of the part if not given.")] = "",
    noise: RelativeNoise = 0.01,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the tables.")] = 0,
    max_work: Annotated[float, typer.Option("--max-work", min=0.001, help="Units of work for each law.")] = 6000.0,
    jobs: Jobs = 1,
    runs: RunsPath = RUNS,
    accept_stale: AcceptStale = False,
    json: JsonPath = None,
) -> None:
    """Measure how often the form is found, and which constants differ between groups.

    Thirty laws with 10 to 200 groups, half of them with 5 rows in each; half of the laws are put aside. Said are also
    how many constants are within three of their standard errors. A whole part is stored under benchmarks/results unless
    --json says otherwise.

    Example: scalesr-bench groups --laws "decay,gas" --max-work 500 --json -
    """
    from scalesr_bench.groups.measure import GroupSettings, measure_groups, runs_table

    names = names_in(laws)
    settings = GroupSettings(part, noise, seed, max_work, names, jobs)
    log = open_runs(runs, settings.run_limit, accept_stale=accept_stale)
    result = measure_groups(settings, log, progress=ProgressLine())
    path = json or (None if names else Path(STORED.format(part=part)))
    deliver(path, result.as_json(), lambda: print_table(runs_table(result)))
