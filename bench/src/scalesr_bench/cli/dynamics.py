"""`scalesr-bench dynamics`: laws of motion of known systems, from simulated trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import JsonPath
from scalesr_bench.cli.delivery import deliver
from scalesr_bench.cli.options import FirstSeed, Seeds

if TYPE_CHECKING:
    from scalesr_bench.dynamics.measure import DynamicsResult, DynamicsRun

STORED = Path("benchmarks/results")


def dynamics(  # noqa: PLR0913, PLR0917  one argument per option
    systems: Annotated[
        str, typer.Argument(metavar="SYSTEM", help="toggle, strogatz, textbook, pendulum, ... with commas.")
    ],
    seeds: Seeds = 5,
    seed: FirstSeed = 0,
    noise: Annotated[float, typer.Option(help="Noise, as a share of each state's standard deviation.")] = 0.0,
    trajectories: Annotated[int | None, typer.Option(min=1, help="Trajectories instead of the usual number.")] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds per fit.")] = 300.0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes of a fit.")] = 2,
    method: Annotated[str, typer.Option(help="scalesr, or weak-sindy for the weak form of pysindy.")] = "scalesr",
    json: JsonPath = None,
) -> None:
    """Measure how often the laws of motion behind trajectories are found, and how well they predict others.

    The result is stored in benchmarks/results/dynamics-SYSTEM.json unless --json says otherwise.

    "textbook" is the half of the textbook systems to build with, "textbook-aside" the half for the end.

    Example: scalesr-bench dynamics toggle --seeds 1 --trajectories 20 --json -
    """
    from scalesr_bench.dynamics.measure import DynamicsSettings, measure_dynamics

    settings = DynamicsSettings(systems, seeds, seed, noise, trajectories, time_limit, jobs, method)
    result = measure_dynamics(settings, progress=_tell)
    path = json or STORED / f"{settings.label}.json"
    deliver(path, result.as_json(), lambda: _print(result))


def _tell(run: DynamicsRun) -> None:
    close = f"R2 {run.reconstructs} and {run.generalises} on unseen runs"
    typer.echo(f"{run.system}, seed {run.seed}: {run.seconds:.1f} s, nmse {run.nmse}, {close}", err=True)
    for law in run.laws:
        said = "right" if law.right else "form" if law.form else "WRONG"
        typer.echo(f"  {said:6} d{law.state}/dt = {law.found}  [{law.verdict}]", err=True)


def _print(result: DynamicsResult) -> None:
    for system in dict.fromkeys(run.system for run in result.runs):
        typer.echo("  ".join(f"{name} {value}" for name, value in result.summary(system).items()))
    typer.echo("all: " + "  ".join(f"{name} {value}" for name, value in result.totals().items()))
