"""Laws whose values are counted: scaled to a mean number of events, where they are positive."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr_bench.problems.no_law import NoLaw
from scalesr_bench.problems.problem import Problem
from scalesr_bench.samplers import random_rows

N_REFERENCE: Final = 20_000  # rows of the box that the mean count is over; they do not depend on the table's rows
DIGITS: Final = 4  # of the factor: the scaled law stays readable


def can_be_counted(source: Problem | NoLaw) -> bool:
    """Whether a source is a law that is positive everywhere in its box."""
    return isinstance(source, Problem) and not source.is_measured and bool((_reference(source) > 0).all())


def counted(source: Problem | NoLaw, level: float) -> Problem:
    """The law times the factor that makes its mean 1/level^2 events."""
    if not isinstance(source, Problem) or not can_be_counted(source):
        raise DataError(f"{source.key} is not positive everywhere in its box; nothing is counted there. Leave it out.")
    factor = float(f"{1 / (level**2 * _reference(source).mean()):.{DIGITS}g}")
    return replace(source, formula=f"{factor!r}*({source.formula})")


def _reference(problem: Problem) -> NDArray[np.float64]:
    """Values over the box, the same ones every time."""
    rng = np.random.default_rng([zlib.crc32(problem.key.encode()), N_REFERENCE])
    return problem.values(random_rows(problem.box, N_REFERENCE, problem.sampling.spacing, rng=rng))
