"""`scalesr-bench canonical`: how many equal formulas the canonical form finds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from scalesr.cli.output import JsonPath
from scalesr_bench.cli.delivery import deliver

STORED = Path("benchmarks/results/canonical.json")
QUICK_PAIRS, FULL_PAIRS = 100, 3000


def canonical(
    json: JsonPath = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few pairs, for a first look.")] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the random formulas.")] = 0,
) -> None:
    """Measure the share of equal formulas that get the same key, and look for false merges.

    Equal pairs come from random rewrites, from sympy and from chance. A full run is stored in
    benchmarks/results/canonical.json unless --json says otherwise.

    Example: scalesr-bench canonical --quick --json -
    """
    from scalesr_bench.canonical.share import measure  # loads the compiler and sympy; --help does without

    result = measure(QUICK_PAIRS if quick else FULL_PAIRS, seed)
    path = json or (None if quick else STORED)
    deliver(path, {"quick": quick} | result, lambda: _print(result))


def _print(result: dict[str, Any]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Equal pairs that are found", title_justify="left", box=SIMPLE, pad_edge=False)
    for heading in ("formulas", "source", "pairs", "same key", "same simplified form"):
        table.add_column(heading, justify="right" if "pairs" in heading or "same" in heading else "left")
    for kind in ("closed", "skeletons"):
        for source, share in result[kind].items():
            shares = (share["share_with_same_key"], share["share_with_same_simplified_form"])
            table.add_row(kind, source, str(share["pairs"]), *(f"{value:.2%}" for value in shares))
    console = Console()
    console.print(table)
    console.print(f"False merges: {result['false_merges']}")
    console.print(f"Keys per second: {result['keys_per_second']}")
