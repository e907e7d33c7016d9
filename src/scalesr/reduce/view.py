"""Views: a target whose few largest rows carry its variance, looked at on a scale that all rows share.

Beside a pole least squares sees a handful of rows. The reciprocal of the target is smooth there, and a law of it is a
law of the target. The view is taken for the whole problem, so that functions are learned, columns judged and factors
divided out on that scale.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.reduce.config import REDUCE
from scalesr.reduce.polynomials import Polynomials
from scalesr.reduce.reduction import Reduction, seen_through
from scalesr.reduce.sparse.targets import LOGARITHM, RECIPROCAL, TargetView

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Viewed:
    """The rows with a function of the target, and how steep that is at each row."""

    reduction: Reduction
    slopes: Floats  # (rows,)
    sentence: str


def has_heavy_tails(y: Floats) -> bool:
    """Whether a few rows carry most of the variance."""
    squares = np.sort((y - np.median(y)) ** 2)
    n_largest = max(round(REDUCE.heavy_tail_rows * len(y)), 1)
    total = float(squares.sum())
    return total > 0 and float(squares[-n_largest:].sum()) > REDUCE.heavy_tail_variance * total


def reciprocal_view(here: Reduction, operators: Operators) -> Viewed | None:
    """The rows with the reciprocal of the target, where smooth functions say more of it; None elsewhere."""
    data = here.data
    can_write = all(operators.can_end_with(name) for name in RECIPROCAL.needs)
    view = RECIPROCAL.view(TargetView(data, None)) if can_write and has_heavy_tails(data.y) else None
    if view is None:
        return None
    before, after = _unexplained(data, data.y), _unexplained(data, view.rows.y)
    if after > REDUCE.heavy_tail_variance * before:
        return None
    viewed = replace(view.rows, target=f"1/{data.target}")
    said = f"The target has heavy tails: smooth functions leave {before:.0%} of it and {after:.0%} of its reciprocal."
    return Viewed(seen_through(RECIPROCAL.back, here, viewed), 1 / data.y**2, said)


def other_targets(here: Reduction, operators: Operators, expected: Floats | None) -> list[Reduction]:
    """The rows with the reciprocal and the logarithm of the target, as far as it has them and laws may end that way.

    A law whose sum is in a denominator or an exponent is a plain sum there. `expected` is the target without its
    noise, None where it has none.
    """
    found: list[Reduction] = []
    for function in (RECIPROCAL, LOGARITHM):
        can_write = all(operators.can_end_with(name) for name in function.needs)
        view = function.view(TargetView(here.data, expected)) if can_write else None
        if view is not None:
            rows = replace(view.rows, target=function.text.replace("y", here.data.target))
            found.append(seen_through(partial(function.law, y=here.data.y), here, rows))
    return found


def logarithmic_view(here: Reduction, operators: Operators) -> Reduction | None:
    """The rows with the logarithm of a positive target; None where it is not, or laws may not end with exp."""
    data = here.data
    can_write = all(operators.can_end_with(name) for name in LOGARITHM.needs)
    view = LOGARITHM.view(TargetView(data, None)) if can_write and (data.y > 0).all() else None
    if view is None:
        return None
    return seen_through(LOGARITHM.back, here, replace(view.rows, target=f"log({data.target})"))


def _unexplained(data: Dataset, y: Floats) -> float:
    """Share of the variance that low polynomials leave."""
    thin = data.with_target(y, data.target).thinned(REDUCE.smooth_rows)
    polynomials = Polynomials(thin.columns)
    degree = min(REDUCE.smooth_degree, polynomials.largest_degree(thin.n_rows / REDUCE.rows_per_function))
    goal = thin.y / np.abs(thin.y).max()
    q, _ = np.linalg.qr(polynomials.upto(degree))
    left = goal - q @ (q.T @ goal)
    return float(left @ left) / max(float(((goal - goal.mean()) ** 2).sum()), np.finfo(np.float64).tiny)
