"""`scalesr-bench knowledge`: what templates, starting formulas and constraints are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scalesr.cli.output import JsonPath, say_lines
from scalesr.errors import SettingError
from scalesr_bench.cli.delivery import deliver

if TYPE_CHECKING:
    from scalesr_bench.knowledge.problems import Kind

STORED = "benchmarks/results/knowledge-{kind}-{part}.json"
WORK = {
    "templates": 3000.0,
    "starts": 600.0,
    "constraints": 300.0,
}  # units with what is known; without it as much, and five times that


def knowledge(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="templates, starts or constraints.")],
    part: Annotated[str, typer.Option(metavar="PART", help="seen, or unseen: the half that is put aside.")] = "seen",
    max_work: Annotated[
        float | None, typer.Option("--max-work", min=1, metavar="UNITS", help="For each run with what is known.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Tables of each law.")] = 1,
    most: Annotated[int | None, typer.Option(min=1, metavar="N", help="Only the first N laws.")] = None,
    json: JsonPath = None,
) -> None:
    """Measure how many laws are found with what is known of them that are missed without.

    20 laws with a template, 20 with a formula to begin from and 20 with constraints. Each table is looked at with what
    is known, without it, and without it with five times the counted work. A law is won that is found in the first way
    and in neither of the others. Stored in benchmarks/results/knowledge-KIND-PART.json unless --json says otherwise or
    --most asks for some laws only.

    Example: scalesr-bench knowledge templates --most 3 --json -
    """
    if kind not in WORK or part not in ("seen", "unseen"):
        raise SettingError(f"{kind!r} and {part!r}: there are templates, starts and constraints, seen and unseen.")
    from scalesr_bench.knowledge.measure import KnowledgeSettings, measure_knowledge  # loads the compiler

    kinds: dict[str, Kind] = {"templates": "templates", "starts": "starts", "constraints": "constraints"}
    settings = KnowledgeSettings(
        kinds[kind], "seen" if part == "seen" else "unseen", max_work or WORK[kind], seeds, most
    )
    result = measure_knowledge(settings, lambda line: typer.echo(line, err=True))
    path = json or (Path(STORED.format(kind=kind, part=part)) if most is None else None)
    deliver(path, result, lambda: say_lines(f"{name}: {value}" for name, value in result["summary"].items()))
