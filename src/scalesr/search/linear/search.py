"""LinearSearch: sums of terms from a generic library, each with a coefficient per group."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scalesr.expr.expression import open_constant
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.linear.blas import one_thread
from scalesr.search.linear.design import MAX_VALUES, make_design
from scalesr.search.linear.library import make_library
from scalesr.search.linear.selection import MAX_TERMS, Selection, shortlist, stages
from scalesr.search.scoring import Scorer

N_LIKELY = 40  # terms tried on all rows, at least


@dataclass(frozen=True, slots=True)
class LinearSearch:
    """Sparse regression, as SINDy does it, with the number of terms decided by description length.

    No randomness: `rng` is not used. A sum has at most half as many terms as a group has rows on
    average. On exact data a sum that only creeps up to rounding level, term by term, is taken for
    the expansion of something else and left out.
    """

    operators: Operators = field(default_factory=lambda: Operators("physics"))
    max_terms: int = MAX_TERMS
    n_threads: int = 1

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank the sums that the stages of the selection offer."""
        del rng
        scorer = Scorer(sweep, budget, progress=progress, n_threads=self.n_threads)
        scorer.stage = "linear laws"
        max_terms = min(self.max_terms, sweep.n_rows // (2 * sweep.n_groups))
        with scorer.running(), one_thread():
            scorer.score([open_constant()])
            if max_terms > 0:
                _search(scorer, self.operators, max_terms)
        return scorer.ranking()


def _search(scorer: Scorer, operators: Operators, max_terms: int) -> None:
    """All terms on some of the rows, and then, where there are more, the likely terms on as many as can be."""
    selection = Selection(make_design(scorer.sweep, make_library(scorer.sweep, operators)), max_terms)
    _select(scorer, selection)
    if selection.design.n_rows < scorer.sweep.n_rows and not selection.is_exact:
        likely = shortlist(selection, max(MAX_VALUES // scorer.sweep.n_rows, N_LIKELY))
        _select(scorer, Selection(make_design(scorer.sweep, likely), max_terms))


def _select(scorer: Scorer, selection: Selection) -> None:
    for supports in stages(selection, scorer.check):
        scorer.score([selection.design.skeleton(support) for support in supports])
