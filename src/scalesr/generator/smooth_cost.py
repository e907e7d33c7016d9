"""What rows cost under a smooth function that nobody has a formula for: the rival of every law."""

from __future__ import annotations

import math
from collections.abc import Callable

from scalesr.generator.variant import suited, variants
from scalesr.records.dataset import Dataset

N_OTHERS = 2  # what is tuned besides one scale for each input: the noise and the linear part


def smooth_cost(data: Dataset, *, check: Callable[[], None] = lambda: None) -> float:
    """Minus the log marginal likelihood of the target under the likeliest Gaussian process, in nats.

    Each number that was tuned costs half the logarithm of the rows. Work grows with the cube of the rows; `check` is
    called on the way and may raise.
    """
    n_rows = data.n_rows
    best = suited(data, variants(data), check=check)[0]
    tuned = 0.5 * math.log(n_rows) * (len(best.variant.columns) + N_OTHERS)
    return n_rows * (best.cost + 0.5 * (1 + math.log(2 * math.pi))) + tuned
