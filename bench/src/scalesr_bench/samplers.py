"""Rows of problems: where they lie, and the noise of their targets."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr_bench.problems.problem import Problem, Range, Spacing

Floats = NDArray[np.float64]


def uniform_rows(box: Sequence[Range], n_rows: int, *, rng: np.random.Generator) -> Floats:  # (rows, variables)
    """Rows drawn uniformly from a box."""
    low, high = np.array(box, np.float64).T
    return rng.uniform(low, high, (n_rows, len(box)))


def log_uniform_rows(box: Sequence[Range], n_rows: int, *, rng: np.random.Generator) -> Floats:  # (rows, variables)
    """Rows drawn from a box so that every power of ten is as likely as the next."""
    if not all(low > 0 for low, _ in box):
        raise DataError(f"Log-uniform rows need ranges above 0; this box is {list(box)}.")
    return np.exp(uniform_rows([(math.log(low), math.log(high)) for low, high in box], n_rows, rng=rng))


def even_rows(box: Sequence[Range], n_rows: int) -> Floats:  # (rows, 1)
    """Evenly spaced rows of one variable, ends included."""
    if len(box) != 1:
        raise DataError(f"Evenly spaced rows are for one variable; this box has {len(box)}.")
    return np.linspace(*box[0], n_rows)[:, np.newaxis]


def random_rows(box: Sequence[Range], n_rows: int, spacing: Spacing, *, rng: np.random.Generator) -> Floats:
    """Rows anywhere in a box, log-uniform where its rows usually are."""
    draw = log_uniform_rows if spacing == "log-uniform" else uniform_rows
    return draw(box, n_rows, rng=rng)


def standard_rows(problem: Problem, n_rows: int | None = None, *, rng: np.random.Generator) -> Floats:
    """The rows a problem is usually given by; `n_rows` replaces their number and is needed where none is usual."""
    count = n_rows if n_rows is not None else problem.sampling.n_rows
    if count is None:
        raise DataError(f"{problem.key} has no usual number of rows; say how many.")
    if problem.sampling.spacing == "even":
        return even_rows(problem.box, count)
    return random_rows(problem.box, count, problem.sampling.spacing, rng=rng)


def with_noise(y: Floats, share: float, *, rng: np.random.Generator) -> Floats:
    """Targets with normal noise whose standard deviation is `share` of theirs."""
    return y + share * y.std() * rng.normal(size=y.shape) if share else y
