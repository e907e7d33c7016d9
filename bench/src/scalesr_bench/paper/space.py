"""The paper's figure of search spaces as a table: counted sizes, and what searches really scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np

from scalesr_bench.analysis.searched import (
    SearchEffort,
    effort_of_chain,
    effort_of_default,
    effort_of_tree_search,
    runnable,
)
from scalesr_bench.analysis.study import SpaceLine, sample_equations, summarise
from scalesr_bench.text_tables import TextTable, joined

WAYS: Final = ("mcts", "mcts, control variables", "default")


@dataclass(frozen=True, slots=True)
class SpaceSettings:
    """How much is sampled and run."""

    n_equations: int = 1000
    most_run: int = 12  # greatest complexity of formulas that are run
    n_run: int = 4  # formulas of each complexity that are run
    cap: int = 20_000  # fits of one search
    seconds: float = 10.0  # of one search; three times as much for the whole default
    quick: bool = False


QUICK: Final = SpaceSettings(n_equations=310, most_run=6, n_run=1, cap=4000, seconds=3.0, quick=True)


@dataclass(frozen=True, slots=True)
class SpaceResult:
    """Sizes per complexity, and efforts of the formulas that were run."""

    settings: SpaceSettings
    lines: tuple[SpaceLine, ...]
    efforts: tuple[SearchEffort, ...]
    n_runnable: int  # of the sampled formulas


def measure_space(
    settings: SpaceSettings, *, seed: int = 0, progress: Callable[[str], None] | None = None
) -> SpaceResult:
    """Sample formulas, count their spaces, and run some of them."""
    rng = np.random.default_rng(seed)
    equations = sample_equations(settings.n_equations, rng=rng)
    able = runnable(equations, rng=rng)
    efforts: list[SearchEffort] = []
    for n in range(1, settings.most_run + 1):
        for one in [one for one in able if one.complexity == n][: settings.n_run]:
            efforts += [
                effort_of_tree_search(one, cap=settings.cap, seconds=settings.seconds, rng=rng),
                effort_of_chain(one, cap=settings.cap, seconds=settings.seconds, rng=rng),
                effort_of_default(one, seconds=3 * settings.seconds, rng=rng),
            ]
            if progress is not None:
                progress(f"complexity {n}: {one.closed}")
    return SpaceResult(settings, tuple(summarise(equations)), tuple(efforts), len(able))


def space_table(result: SpaceResult) -> TextTable:
    """A row per complexity."""
    headings = ("complexity", "formulas", "brute force", "control variables, median", "least", "most", *WAYS)
    rows = [
        joined(
            [
                line.complexity, line.n_equations, f"{line.brute_force:.2e}", f"{line.median_control:.2e}",
                f"{line.least_control:.2e}", f"{line.most_control:.2e}",
                *(_scored(result.efforts, way, line.complexity) for way in WAYS),
            ]
        )
        for line in result.lines
    ]  # fmt: skip
    return TextTable("Search space by complexity", headings, tuple(rows), _notes(result))


def _scored(efforts: Sequence[SearchEffort], way: str, complexity: int) -> str:
    """Median of distinct skeletons, and how many formulas were found."""
    chosen = [effort for effort in efforts if effort.way == way and effort.complexity == complexity]
    if not chosen:
        return "-"
    n_found = sum(not effort.censored for effort in chosen)
    return f"{median(effort.n_scored for effort in chosen):.0f} ({n_found}/{len(chosen)} found)"


def _notes(result: SpaceResult) -> tuple[str, ...]:
    settings = result.settings
    notes = [
        "Brute force: all trees up to the complexity over four variables and a constant. Control variables: the "
        "same for each formula in one variable on the way, with two terminals, summed.",
        f"mcts and default: distinct skeletons really scored, of {settings.n_run} formulas per complexity that have "
        f"values ({result.n_runnable} of {settings.n_equations} have); those not found count with what was scored "
        f"until {settings.cap} fits or {settings.seconds:g} s. The default's sparse linear fits are not counted.",
        "The paper says that its MCTS reaches complexity 16 and its method 31.",
    ]
    if settings.quick:
        notes.append("QUICK: fewer formulas and shorter searches; a look at how it works.")
    return tuple(notes)
