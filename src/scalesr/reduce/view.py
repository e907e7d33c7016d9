"""Views: a target whose few largest rows carry its variance, looked at on a scale that all rows share.

Beside a pole least squares sees a handful of rows. The reciprocal of the target is smooth there, and a law of it is a
law of the target. The view is taken for the whole problem, so that functions are learned, columns judged and factors
divided out on that scale.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.reduce.plain.targets import RECIPROCAL, View
from scalesr.reduce.polynomials import Polynomials
from scalesr.reduce.reduction import Reduction, seen_through

Floats = NDArray[np.float64]

HEAVY: Final = 0.01  # share of the rows, the largest, that
MOST: Final = 0.5  # carry so much of the variance of a target with heavy tails: of a normal one it is 0.08
DEGREE: Final = 6  # of polynomials that a smooth function is told by
ROWS_PER_FUNCTION: Final = 8  # rows that each of them asks for
N_ROWS: Final = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Viewed:
    """The rows with a function of the target, and how steep that is at each row."""

    reduction: Reduction
    slopes: Floats  # (rows,)
    sentence: str


def has_heavy_tails(y: Floats) -> bool:
    """Whether a few rows carry most of the variance."""
    squares = np.sort((y - np.median(y)) ** 2)
    n_largest = max(round(HEAVY * len(y)), 1)
    total = float(squares.sum())
    return total > 0 and float(squares[-n_largest:].sum()) > MOST * total


def reciprocal_view(here: Reduction, operators: Operators) -> Viewed | None:
    """The rows with the reciprocal of the target, where smooth functions say more of it; None elsewhere."""
    data = here.data
    can_write = all(operators.can_end_with(name) for name in RECIPROCAL.needs)
    view = RECIPROCAL.view(View(data, None)) if can_write and has_heavy_tails(data.y) else None
    if view is None:
        return None
    before, after = _unexplained(data, data.y), _unexplained(data, view.rows.y)
    if after > MOST * before:
        return None
    viewed = replace(view.rows, target=f"1/{data.target}")
    said = f"The target has heavy tails: smooth functions leave {before:.0%} of it and {after:.0%} of its reciprocal."
    return Viewed(seen_through(RECIPROCAL.back, here, viewed), 1 / data.y**2, said)


def _unexplained(data: Dataset, y: Floats) -> float:
    """Share of the variance that low polynomials leave."""
    thin = data.with_target(y, data.target).thinned(N_ROWS)
    polynomials = Polynomials(thin.columns)
    degree = min(DEGREE, polynomials.largest_degree(thin.n_rows / ROWS_PER_FUNCTION))
    goal = thin.y / np.abs(thin.y).max()
    q, _ = np.linalg.qr(polynomials.upto(degree))
    left = goal - q @ (q.T @ goal)
    return float(left @ left) / max(float(((goal - goal.mean()) ** 2).sum()), np.finfo(np.float64).tiny)
