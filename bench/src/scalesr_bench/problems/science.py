"""Laws of science and engineering at the magnitudes of real units, in a half to look at and a half put aside.

The laws stand in `data/science.csv`. Each has between 2 and 10 variables, at most 32 nodes as it is written,
finite values on its box, a target that is not the work of a few rows, and variables that all matter: each
has a total Sobol index of at least 0.01. None has the form of a law of another suite.

The halves: sort the laws by their number of variables, those with equally many by the SHA-256 digest of
their name, and take every other one, the first as "seen". The file holds the outcome, so that it stays as
it is. What is built is tried on the seen half; the unseen half is for the last measurement only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Final, Literal, get_args

from scalesr.errors import DataError
from scalesr.tables import read_labels
from scalesr_bench.bundled import bundled
from scalesr_bench.problems.problem import Problem
from scalesr_bench.problems.problem_file import read_problems

Part = Literal["seen", "unseen", "all"]

SUITE: Final = "science"
SEEN: Final[Part] = "seen"
UNSEEN: Final[Part] = "unseen"
PARTS: Final[tuple[Part, ...]] = get_args(Part)
_ROWS: Final = 2000  # the usual number


@dataclass(frozen=True, slots=True)
class ScienceLaw:
    """A law with the field it is from and the half it belongs to."""

    problem: Problem
    field: str
    part: str


def science(part: str = SEEN) -> tuple[Problem, ...]:
    """The laws of one half, or all of them."""
    if part not in PARTS:
        raise DataError(f"Unknown part {part!r} of {SUITE}; it is one of {', '.join(PARTS)}.")
    return tuple(law.problem for law in science_laws() if part in (law.part, "all"))


@cache
def science_laws() -> tuple[ScienceLaw, ...]:
    """All laws, in the order of the file."""
    file = bundled(SUITE)
    problems = read_problems(file, SUITE)
    labels = zip(read_labels(file, "field"), read_labels(file, "part"), strict=True)
    return tuple(
        ScienceLaw(replace(problem, sampling=replace(problem.sampling, n_rows=_ROWS)), field, part)
        for problem, (field, part) in zip(problems, labels, strict=True)
    )


def halves(problems: Sequence[Problem]) -> dict[str, str]:
    """The half of each law by its name, as the rule has it."""
    in_order = sorted(problems, key=lambda one: (one.n_variables, sha256(one.name.encode()).hexdigest()))
    return {problem.name: UNSEEN if place % 2 else SEEN for place, problem in enumerate(in_order)}
