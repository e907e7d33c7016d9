"""`scalesr-bench mcts`: the tree search next to itself with Powell's method for the constants."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scalesr.cli.output import JsonPath, say_lines
from scalesr_bench.cli.delivery import deliver

STORED = Path("benchmarks/results/mcts.json")


def mcts(
    json: JsonPath = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Processor seconds per run, of which there are four.")] = 20.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the search.")] = 0,
) -> None:
    """Measure distinct skeletons per second, constants fitted, against SciPy's Powell per candidate.

    Stored in benchmarks/results/mcts.json unless --json says otherwise.

    Example: scalesr-bench mcts --seconds 1 --json -
    """
    from scalesr_bench.mcts_speed import measure_mcts  # loads the compiler; --help does without

    result = measure_mcts(seconds=seconds, seed=seed)
    deliver(json or STORED, result, lambda: say_lines(f"{name}: {value}" for name, value in result.items()))
