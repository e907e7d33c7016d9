"""`scalesr-bench paper`: every table and figure of the paper, our figures beside its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import STANDARD_OUTPUT, JsonPath, write_json
from scalesr.errors import DataError
from scalesr_bench.cli.progress_line import ProgressLine

if TYPE_CHECKING:
    from scalesr_bench.text_tables import TextTable

RESULTS = Path("paper-results")
TABLES = ("table1", "table2", "table3", "table4", "table5")
SYSTEMS = ("toggle", "repressilator")
SPACE = "figure-search-space"
LOST = "where-lost"
EVERYTHING = (*TABLES, *SYSTEMS, SPACE)
BASELINES = ("spl", "nggp", "dsr", "gplearn")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    output: Path
    quick: bool
    seeds: int
    seed: int
    time_limit: float
    jobs: int
    methods: tuple[str, ...]  # none: ours, the paper's and their peers
    rival_seeds: int | None
    accept_stale: bool
    problems: tuple[str, ...]  # patterns; none: all
    steps: int | None
    max_work: float | None


def paper(  # noqa: PLR0913, PLR0917  one argument per option
    what: Annotated[str, typer.Argument(help=f"{', '.join(EVERYTHING)}, {LOST} or all.")],
    output: Annotated[Path, typer.Option(help="Folder for tables, pictures and finished runs.")] = RESULTS,
    quick: Annotated[bool, typer.Option("--quick", help="A small part in minutes; it says that it is one.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="Runs per problem and method.")] = 10,
    seed: Annotated[int, typer.Option("--seed", min=0, help="First seed.")] = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds per run.")] = 60.0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; each uses one core.")] = 1,
    methods: Annotated[str, typer.Option(help="Methods with commas, instead of the experiment's own.")] = "",
    rival_seeds: Annotated[
        int | None, typer.Option(min=1, help="Runs per problem of methods that are not ours; else as --seeds.")
    ] = None,
    accept_stale: Annotated[
        bool, typer.Option("--accept-stale", help="Count stored runs of other code and time limits, too.")
    ] = False,
    problems: Annotated[str, typer.Option(help=f"Problems of {LOST}, with commas and *; else all ten.")] = "",
    steps: Annotated[
        int | None,
        typer.Option(min=1, help=f"Steps of the network's training for {LOST}, instead of the preset's."),
    ] = None,
    max_work: Annotated[
        float | None, typer.Option(help=f"Units of counted work per run of {LOST}, instead of --time-limit.")
    ] = None,
    json: JsonPath = None,
) -> None:
    """Run an experiment of the paper and print our figures beside its own.

    Tables go to the output folder as Markdown, CSV and LaTeX, pictures as PNG and SVG. Finished runs are
    kept in its file runs.jsonl: a killed command goes on where it stopped, and the files of several
    machines, each with other --methods, are merged by writing one after the other.

    Example: scalesr-bench paper table1 --quick
    """
    if not time_limit > 0:
        raise DataError(f"A time limit is a number of seconds above 0, not {time_limit:g}.")
    names = EVERYTHING if what == "all" else (what,)
    if unknown := [name for name in names if name not in (*EVERYTHING, LOST)]:
        raise DataError(f"The paper has no {unknown[0]!r}; there are {', '.join(EVERYTHING)}, {LOST} and all.")
    if (problems or steps or max_work) and what != LOST:
        raise DataError(f"--problems, --steps and --max-work are for {LOST}; {what} has its own. Leave them out.")
    if what == LOST and (methods or quick or rival_seeds):
        raise DataError(f"{LOST} is about the paper's own method: leave --methods, --quick and --rival-seeds out.")
    chosen, wanted = (tuple(text.split(",")) if text else () for text in (methods, problems))
    asked = Asked(
        output, quick, seeds, seed, time_limit, jobs, chosen, rival_seeds, accept_stale, wanted, steps, max_work
    )
    made = {}
    for name in names:
        made[name] = _work(name)(name, asked)
        made[name].write(output, name)  # at once: the next may take hours
        if json != STANDARD_OUTPUT:
            typer.echo(made[name].markdown())
    typer.echo(f"Written to {output}.", err=True)
    if json is not None:
        _write_json(json, asked, made)


def _work(name: str) -> Callable[[str, Asked], TextTable]:
    if name in TABLES:
        return _table
    if name == LOST:
        return _lost
    return _motion if name in SYSTEMS else _space


def _table(name: str, asked: Asked) -> TextTable:
    from scalesr_bench.paper.experiment import RunPlan, run_experiment  # loads the compiler; --help does without
    from scalesr_bench.paper.tables import TABLES as EXPERIMENTS

    effort = RunPlan(
        asked.seeds, asked.time_limit, asked.jobs, asked.quick, asked.seed, asked.rival_seeds, asked.accept_stale
    )  # fmt: skip
    return run_experiment(EXPERIMENTS[name](asked.methods), effort, asked.output, progress=ProgressLine())


def _lost(_: str, asked: Asked) -> TextTable:
    from scalesr_bench.cli.delivery import open_runs
    from scalesr_bench.paper.where_lost import LostLimit, lost_table, measure_lost, plan_lost

    limit = LostLimit(None if asked.max_work else asked.time_limit, asked.max_work, asked.steps)
    jobs = plan_lost(asked.problems, range(asked.seed, asked.seed + asked.seeds), limit)
    log = open_runs(asked.output / "where-lost.jsonl", limit.phrase, accept_stale=asked.accept_stale)
    return lost_table(measure_lost(jobs, log, n_processes=asked.jobs, progress=ProgressLine()), limit)


def _motion(name: str, asked: Asked) -> TextTable:
    from scalesr.report.picture_file import write_figure
    from scalesr.report.trajectories import trajectory_figure
    from scalesr_bench.paper.motion import QUICK_SECONDS, measure_motion  # loads the compiler; --help does without

    limit = min(asked.time_limit, QUICK_SECONDS) if asked.quick else asked.time_limit
    found = measure_motion(name, asked.methods or BASELINES, seed=asked.seed, time_limit=limit, quick=asked.quick)
    asked.output.mkdir(parents=True, exist_ok=True)
    figure = trajectory_figure(found.times, found.truth, found.ours, found.states)
    for kind in ("png", "svg"):
        write_figure(asked.output / f"{name}.{kind}", figure)
    return found.equations


def _space(name: str, asked: Asked) -> TextTable:
    from scalesr.report.picture_file import write_figure
    from scalesr_bench.figures.search_space import space_figure
    from scalesr_bench.paper.space import QUICK, SpaceSettings, measure_space, space_table

    result = measure_space(
        QUICK if asked.quick else SpaceSettings(), seed=asked.seed, progress=lambda text: typer.echo(text, err=True)
    )
    asked.output.mkdir(parents=True, exist_ok=True)
    figure = space_figure(result.lines, result.efforts)
    for kind in ("png", "svg"):
        write_figure(asked.output / f"{name}.{kind}", figure)
    return space_table(result)


def _write_json(path: Path, asked: Asked, made: dict[str, TextTable]) -> None:
    from scalesr_bench.machine import provenance

    settings = {name: value for name, value in asdict(asked).items() if name != "output"}  # a folder of this machine
    write_json(path, provenance() | {"settings": settings} | {name: asdict(table) for name, table in made.items()})
