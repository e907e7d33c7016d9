"""Laws that are hard without any noise, in four kinds, each in a half to look at and a half put aside.

They stand in `data/hard.csv`:

- poles: the target passes near a pole somewhere in the box, so that a few rows carry most of its variance;
- decades: columns over two to fourteen powers of ten, constants at the magnitudes of real units;
- oscillations: from a few to some hundreds of periods over the box, in a column, a combination or a product of
  columns, in some tables with columns beside that do not matter;
- many-terms: sums of 16 to 20 terms in 8 or 10 variables. About half of the terms have two variables, each as a
  power, a reciprocal, a sine, a cosine or a decaying exponential; in the laws whose name ends in "s" a third of the
  factors are waves or exponentials of a rate of their own. They were drawn once and written down.

Noise is a share of each value where values go over decades or pass poles, else of the standard deviation. The halves
are made as those of `science`, kind by kind, before any of the laws was tried.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from scalesr.errors import DataError
from scalesr.tables import read_labels
from scalesr_bench.bundled import bundled
from scalesr_bench.problems.problem import NoiseUnit, Problem
from scalesr_bench.problems.problem_file import read_problems
from scalesr_bench.problems.science import PARTS, SEEN

SUITE: Final = "hard"
KINDS: Final = ("poles", "decades", "oscillations", "many-terms")
HARD_SUITES: Final = tuple(f"{SUITE}-{kind}" for kind in KINDS)
_ROWS: Final[Mapping[str, int]] = {"many-terms": 5000}
_USUAL_ROWS: Final = 2000
_NOISE: Final[Mapping[str, NoiseUnit]] = {"poles": "value", "decades": "value"}


@dataclass(frozen=True, slots=True)
class HardLaw:
    """A law with its kind and the half it belongs to."""

    problem: Problem
    kind: str
    part: str


def suite_of_kind(kind: str) -> str:
    """The name of the suite of a kind."""
    if kind not in KINDS:
        raise DataError(f"Unknown kind {kind!r} of {SUITE} laws; it is one of {', '.join(KINDS)}.")
    return f"{SUITE}-{kind}"


def hard(suite: str, part: str = SEEN) -> tuple[Problem, ...]:
    """The laws of one suite of them, a half or all."""
    if part not in PARTS:
        raise DataError(f"Unknown part {part!r} of {suite}; it is one of {', '.join(PARTS)}.")
    return tuple(law.problem for law in hard_laws() if law.problem.suite == suite and part in (law.part, "all"))


@cache
def hard_laws() -> tuple[HardLaw, ...]:
    """All laws, in the order of the file."""
    file = bundled(SUITE)
    labels = zip(read_labels(file, "kind"), read_labels(file, "part"), strict=True)
    return tuple(
        HardLaw(_as_usual(problem, kind), kind, part)
        for problem, (kind, part) in zip(read_problems(file, SUITE), labels, strict=True)
    )


def _as_usual(problem: Problem, kind: str) -> Problem:
    """A law with the rows and the noise that its kind usually has."""
    n_rows, noise = _ROWS.get(kind, _USUAL_ROWS), _NOISE.get(kind, "std")
    return replace(
        problem, suite=suite_of_kind(kind), sampling=replace(problem.sampling, n_rows=n_rows, noise=noise)
    )  # fmt: skip
