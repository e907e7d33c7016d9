"""`scalesr-bench`: measurements next to other tools, and the paper's experiments."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from scalesr.cli.program import make_program
from scalesr_bench.cli import (
    beyond_memory,
    canonical,
    clock,
    dynamics,
    engine,
    groups,
    knowledge,
    laws,
    mcts,
    paper,
    public,
    scaling,
    search,
    stale,
    units,
    verdict,
)

SUITES = "laws"  # the command that every other name is a suite of
PAPER = "paper"  # an experiment of the paper where one is named, and the suite of its problems where none is


class SuitesToo(TyperGroup):
    """Commands by name; any other name is a suite of laws, as in `scalesr-bench srbench`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command for what was typed."""
        is_suite = args[0] not in self.commands or (args[0] == PAPER and not _names_experiment(args[1:]))
        return super().resolve_command(ctx, [SUITES, *args] if is_suite else args)


def _names_experiment(rest: list[str]) -> bool:
    """Whether what follows `paper` says which experiment, or asks for help."""
    asked = {*paper.EVERYTHING, paper.LOST, "all", "--help"}
    return bool(rest) and (not rest[0].startswith("-") or any(argument in asked for argument in rest))


app = make_program(
    "scalesr-bench",
    """Measure ScaleSR next to other tools. scalesr-bench SUITE --help tells of suites of laws.

    Whole laws: scalesr-bench SUITE with paper, srbench, feynman, strogatz, nguyen, jin, livermore, constant,
    rational, many-variables, more-variables, empirical, science, hard, real or no-law, or several with commas.
    """,
    group=SuitesToo,
)
app.command("canonical")(canonical.canonical)
app.command("clock")(clock.clock)
app.command("dynamics")(dynamics.dynamics)
app.command("engine")(engine.engine)
app.command("knowledge")(knowledge.knowledge)
app.command("groups")(groups.groups)
app.command(SUITES, hidden=True)(laws.laws)
app.command("mcts")(mcts.mcts)
app.command(PAPER)(paper.paper)
app.command("public-tables")(public.public_tables)
app.command("rows-beyond-memory")(beyond_memory.rows_beyond_memory)
app.command("scaling")(scaling.scaling)
app.command("search")(search.search)
app.command("stale")(stale.stale)
app.command("units")(units.units)
app.command("verdict")(verdict.verdict)
