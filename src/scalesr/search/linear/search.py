"""LinearSearch: sums of terms from a generic library, each with a coefficient per group."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from scalesr.expr.expression import open_constant
from scalesr.expr.operators import Operators
from scalesr.records.budget import Budget, Report
from scalesr.records.skeleton import Ranking
from scalesr.records.sweep import Sweep
from scalesr.search.linear.blas import one_thread
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.design import Support, make_design
from scalesr.search.linear.library import Library, make_library
from scalesr.search.linear.selection import QUICK_WAYS, SLOW_WAYS, WHOLE_WAYS, Selection, Way, shortlist, stages
from scalesr.search.linear.whole import Threshold, reduce_whole
from scalesr.search.linear.whole_libraries import whole_libraries
from scalesr.search.scoring import Scorer


@dataclass(frozen=True, slots=True)
class LinearSearch:
    """Sparse regression, as SINDy does it, with the number of terms decided by description length.

    No randomness: `rng` is not used. A sum has at most half as many terms as a group has rows on
    average. On exact data a sum that only creeps up to rounding level, term by term, is taken for
    the expansion of something else and left out.
    """

    operators: Operators = field(default_factory=lambda: Operators("physics"))
    max_terms: int = LINEAR.sum_terms
    terms_per_variable: int = 5  # of sums from a library that is solved for at once, where that is more
    n_libraries: int = 2  # that are solved for at once, the small one first
    slow_ways: tuple[Way, ...] = SLOW_WAYS  # that are gone when the quick ones end in no exact law
    n_threads: int = 1

    @classmethod
    def quick(cls, operators: Operators) -> LinearSearch:
        """Only what takes some hundredths of a second."""
        return cls(operators, n_libraries=1, slow_ways=())

    def search(
        self, sweep: Sweep, budget: Budget, *, rng: np.random.Generator, progress: Report | None = None
    ) -> Ranking:
        """Rank the sums that the stages of the selection offer."""
        del rng
        scorer = Scorer(sweep, budget, progress=progress, n_threads=self.n_threads)
        scorer.stage = "linear laws"
        n_bearable = sweep.n_rows // (2 * sweep.n_groups)
        with scorer.running(), one_thread():
            scorer.score([open_constant()])
            if n_bearable > 0:
                self._explore(scorer, n_bearable)
        return scorer.ranking()

    def _explore(self, scorer: Scorer, n_bearable: int) -> None:
        """Go from the quick to the slow; the likely terms of the best way are tried on all rows."""
        sweep = scorer.sweep
        narrow = self._narrow(scorer, None, n_bearable)
        best = narrow
        many = min(max(self.terms_per_variable * sweep.n_variables, self.max_terms), n_bearable)
        for library in islice(whole_libraries(sweep, self.operators), self.n_libraries):
            best = best if best.is_exact else solve_whole(scorer, library, many) or best
        used = () if scorer.best is None else scorer.best.expression.variables
        if not best.is_exact and 0 < len(used) < sweep.n_variables:
            fewer = self._narrow(scorer, used, n_bearable)
            best = fewer if fewer.is_exact else best
        if self.slow_ways and not best.is_exact:
            _score(scorer, narrow, stages(narrow, self.slow_ways, scorer.check))
            _on_all_rows(scorer, (*QUICK_WAYS, *self.slow_ways), best)

    def _narrow(self, scorer: Scorer, variables: Sequence[int] | None, n_bearable: int) -> Selection:
        """The quick ways through the library of all or some of the variables: of fewer it holds more functions."""
        library = make_library(scorer.sweep, self.operators, variables=variables)
        selection = Selection(make_design(scorer.sweep, library), min(self.max_terms, n_bearable))
        _score(scorer, selection, stages(selection, QUICK_WAYS, scorer.check))
        return selection


def solve_whole(scorer: Scorer, library: Library, max_terms: int) -> Selection | None:
    """A library solved for at once; None if that leads to nothing better."""
    scorer.check()
    before, n_terms = scorer.best, len(library.terms)
    if before is None:
        return None
    n_rows = max(LINEAR.rows_per_term * n_terms + 1, LINEAR.whole_values // n_terms)
    selection = Selection(make_design(scorer.sweep, library, n_rows), max_terms)
    reduce_whole(selection, Threshold(float(before.rss.sum()) / scorer.sweep.n_rows, before.expression))
    _score(scorer, selection, [selection.offer()])
    if not selection.is_exact:
        _score(scorer, selection, stages(selection, WHOLE_WAYS, scorer.check))
    return selection if scorer.best is not before else None


def _on_all_rows(scorer: Scorer, ways: Sequence[Way], selection: Selection) -> None:
    """The likely terms on as many rows as can be, where there are more of them."""
    if selection.design.n_rows < scorer.sweep.n_rows:
        likely = shortlist(selection, max(LINEAR.design_values // scorer.sweep.n_rows, LINEAR.n_likely_terms))
        again = Selection(make_design(scorer.sweep, likely), selection.max_terms)
        _score(scorer, again, stages(again, ways, scorer.check))


def _score(scorer: Scorer, selection: Selection, candidates: Iterable[list[Support]]) -> None:
    for supports in candidates:
        scorer.score([selection.design.skeleton(support) for support in supports])
