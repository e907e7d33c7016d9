"""Identifiability: what these rows cannot tell apart, whatever the law."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.expr.evaluate import jacobian
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fit
from scalesr.records.dataset import Dataset
from scalesr.records.precision import PROPORTIONAL

Floats = NDArray[np.float64]

RANK = 1e-9  # singular value, of columns of length 1, below which they depend on each other
CLEAR = 1e-6  # of the largest weight in a linear relation: smaller ones are rounding


def what_hides(expr: Expression, data: Dataset) -> str | None:
    """Why the variables of a law cannot be told apart on these rows, as a sentence; None if they can."""
    for used in expr.variables:
        if float(np.ptp(data.columns[used])) == 0:
            return (
                f"{data.names[used]} has one value ({data.columns[used][0]:g}) on all rows, "
                "so that its part in the law cannot be seen."
            )
    weights = linear_relation(data.columns, set(expr.variables))
    return None if weights is None else _sentence(weights, data.names)


def saturated_column(done: Fit, data: Dataset) -> str | None:
    """The column whose few values a law's constants can be made to meet, as a sentence; None if there is none.

    Constants that cannot be told apart while a column is held serve to explain its levels. Two levels, beyond
    the first, for each of them are asked for: with fewer, any values of the levels would be met as well.
    """
    thin = data.thinned(EVIDENCE.rows_of_levels)
    slopes = jacobian(done.expression, thin.table)[:, done.skeleton.open_indices]
    if not len(done.constants) or not np.isfinite(slopes).all():
        return None
    whole = _rank(slopes)
    for used in done.expression.variables:
        levels, place, counts = np.unique(thin.columns[used], return_inverse=True, return_counts=True)
        if len(levels) > 2 * len(done.constants):
            continue
        needed = whole - _rank(slopes[place == int(np.argmax(counts))])
        if 2 * needed > len(levels) - 1:
            return (
                f"{data.names[used]} has {len(levels)} values, which {needed} of the law's constants could be made to "
                "meet whatever they were."
            )
    return None


def _rank(slopes: Floats) -> int:
    """Of columns in units of their own size."""
    sizes = np.abs(slopes).max(axis=0)
    unit = slopes / np.where(sizes > 0, sizes, 1.0)
    return int(np.linalg.matrix_rank(unit / np.maximum(np.linalg.norm(unit, axis=0), 1e-300), tol=RANK))


def linear_relation(columns: Floats, used: set[int]) -> Floats | None:
    """Weights and an offset, last, with which columns sum to 0 on every row; None unless a used one takes part.

    The relation with the fewest columns is looked for first among pairs.
    """
    moving = [
        j for j in range(len(columns)) if float(np.ptp(columns[j])) > PROPORTIONAL * float(np.abs(columns[j]).max())
    ]
    pairs = [[one, other] for one in moving for other in moving if one < other and {one, other} & used]
    for group in [*pairs, moving] if len(moving) > 1 else []:
        weights = _relation(columns[group])
        if weights is not None:
            found = np.zeros(len(columns) + 1)
            found[[*group, -1]] = weights
            if any(found[j] != 0 for j in used):
                return found
    return None


def _relation(columns: Floats) -> Floats | None:
    """Weights and an offset, last, with which the columns sum to 0 on every row; None where there are none."""
    if columns.shape[1] <= len(columns) + 1:
        return None
    centre = columns.mean(axis=1)
    about = columns - centre[:, np.newaxis]
    sizes = np.linalg.norm(about, axis=1)
    _, lengths, right = np.linalg.svd((about / sizes[:, np.newaxis]).T, full_matrices=False)
    rounding = PROPORTIONAL * max(1.0, float((np.abs(columns).max(axis=1) / sizes).max()))
    if lengths[-1] > rounding * lengths[0]:
        return None
    weights = np.where(np.abs(right[-1]) > CLEAR * np.abs(right[-1]).max(), right[-1], 0.0) / sizes
    return np.append(weights, -weights @ centre)


def _sentence(weights: Floats, names: tuple[str, ...]) -> str:
    """A relation, solved for its first column."""
    first = int(np.flatnonzero(weights[:-1])[0])
    shares = -weights / weights[first]
    terms = [
        f"{'-' if share < 0 else '+'} {'' if abs(abs(share) - 1) < PROPORTIONAL else f'{abs(share):.6g}*'}{name}"
        for share, name in zip(shares[:-1].tolist(), names, strict=True)
        if share != 0 and name != names[first]
    ]
    size = float(np.abs(shares[:-1]).max())
    offset = float(shares[-1])
    terms += [f"{'-' if offset < 0 else '+'} {abs(offset):.6g}"] if abs(offset) > 1e-9 * size else []
    right = " ".join(terms).removeprefix("+ ")
    return f"{names[first]} = {right} on every row, so that these columns cannot be told apart."
