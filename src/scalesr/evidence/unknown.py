"""The unknown law: a smooth function without a formula, which a law has to tell the rows better than.

A search finds what it finds. Whether what it leaves of the rows is noise, or the law is only near another one that
nobody proposed, a few rows cannot tell by the residual alone. But they tell how well they would be predicted by a
smooth function of the columns of which nothing else is known: its marginal likelihood is the evidence for a law that
was not tried, and competes with the laws that were.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.refit import FitData
from scalesr.evidence.score import Evidence
from scalesr.evidence.stopping import shortest_law
from scalesr.expr.fitting import Fit
from scalesr.records.dataset import Dataset

FEWEST = 4  # rows: with fewer there is no function to speak of


@dataclass(frozen=True, slots=True, eq=False)
class UnknownLaw:
    """What some rows cost under a smooth function without a formula."""

    rows: Dataset
    cost: float

    @classmethod
    def of(cls, data: FitData, smooth_cost: Callable[[Dataset], float]) -> UnknownLaw | None:
        """The unknown law of some of the rows; None where there is nothing to learn or its cost is no number."""
        rows = data.thinned(EVIDENCE.rows_of_unknown).evidence.data
        if rows.n_rows < FEWEST or rows.std == 0:
            return None
        with np.errstate(all="ignore"):
            cost = smooth_cost(rows)
        return cls(rows, cost) if math.isfinite(cost) else None

    def lead(self, law: Fit) -> float:
        """By how many nats the rows prefer a law that was fitted to them, or to the larger table they are of.

        An unknown law of the same columns has to name each of them, and pays for that as every law does.
        """
        here = replace(law, covariance=law.covariance * (law.n_rows / self.rows.n_rows))  # what these rows alone tell
        own = Evidence(self.rows).score(here).promise
        return self.cost + shortest_law(len(law.expression.variables)) - own


def share_of_known(lead: float) -> float:
    """Probability that a law is what it seems to be, and not near an unknown one, by its lead in nats."""
    return 1 / (1 + math.exp(min(-lead, 700.0)))
