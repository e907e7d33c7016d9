"""Whether one family of functions contains another, by fits to samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit
from scalesr.expr.redundancy import family_rank

EXACT: Final = 1e-7  # residual, of the sample's standard deviation, below which a fit is exact
THOROUGH: Final = Effort(n_screened=128, n_polished=16)
N_SAMPLES: Final = 3
N_STARTS: Final = 30  # of the second opinion on a fit that failed

Floats = NDArray[np.float64]


def sample(skeleton: Expression, rows: Floats, rng: np.random.Generator) -> tuple[Floats, Floats] | None:
    """Rows with a value and the values, for random constants; None if they are too few or all alike."""
    sizes = rng.uniform(0.4, 1.8, skeleton.n_open) * rng.choice([-1.0, 1.0, 1.0], skeleton.n_open)
    values = evaluate(skeleton.bind(sizes), rows)
    known = np.isfinite(values)
    if known.sum() < len(rows) // 3 or np.ptp(values[known]) < 1e-6 or np.abs(values[known]).max() > 1e4:
        return None
    return rows[known], values[known]


def fits(skeleton: Expression, rows: Floats, values: Floats, rng: np.random.Generator) -> bool:
    """Whether some constants give these values exactly."""
    scale = float(np.std(values))
    if not skeleton.n_open:
        return bool(np.abs(evaluate(skeleton, rows) - values).max() < EXACT * scale)
    found = fit(skeleton, rows, values, effort=THOROUGH)
    if found.ok and np.sqrt(found.rss / len(values)) < EXACT * scale:
        return True
    return any(_fits_from(skeleton, rows, values, rng) < EXACT * scale for _ in range(N_STARTS))


def _fits_from(skeleton: Expression, rows: Floats, values: Floats, rng: np.random.Generator) -> float:
    """Residual of a plain fit from one random start."""

    def residuals(constants: Floats) -> Floats:
        left = evaluate(skeleton.bind(constants), rows) - values
        return np.where(np.isfinite(left), np.clip(left, -1e6, 1e6), 1e6)

    found = least_squares(residuals, rng.normal(0.0, 2.0, skeleton.n_open), max_nfev=80)
    return float(np.sqrt(np.mean(found.fun**2)))


def contains(larger: Expression, smaller: Expression, rows: Floats, rng: np.random.Generator) -> bool | None:
    """Whether samples of one family are in the other; None if none could be drawn."""
    drawn = 0
    for _ in range(4 * N_SAMPLES):
        data = sample(smaller, rows, rng)
        if data is None:
            continue
        drawn += 1
        if not fits(larger, *data, rng):
            return False
        if drawn == N_SAMPLES:
            return True
    return None if drawn == 0 else True


def mutually_fitting(skeletons: Sequence[Expression], rng: np.random.Generator) -> list[tuple[Expression, Expression]]:
    """Pairs of skeletons in one variable, each of which fits samples of the other."""
    rows = rng.uniform(0.2, 2.0, (30, 1)) * rng.choice([-1.0, 1.0, 1.0], (30, 1))
    ranks = [family_rank(skeleton, rows) for skeleton in skeletons]
    pairs = []
    for i, first in enumerate(skeletons):
        data = sample(first, rows, rng)
        for j in range(i + 1, len(skeletons)):
            if data is None or ranks[j] != ranks[i] or not _fits_quickly(skeletons[j], *data):
                continue
            second = skeletons[j]
            if contains(second, first, rows, rng) and contains(first, second, rows, rng):
                pairs.append((first, second))
    return pairs


def _fits_quickly(skeleton: Expression, rows: Floats, values: Floats) -> bool:
    found = fit(skeleton, rows, values)
    return found.ok and bool(np.sqrt(found.rss / len(values)) < EXACT * np.std(values))
