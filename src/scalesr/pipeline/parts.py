"""Sums of many terms: the target taken apart into functions of single columns and of pairs that interact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from scalesr.evidence.refit import fixed
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit
from scalesr.pipeline.config import PIPELINE
from scalesr.pipeline.run import Run
from scalesr.records.dataset import Dataset
from scalesr.records.proposal import Proposal
from scalesr.reduce.anova import pair_decomposition, terms_in_rounds, terms_of_pairs
from scalesr.reduce.reduction import Reduction
from scalesr.search.linear import select_whole

WARM: Final = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=100)


def search_by_parts(run: Run, here: Reduction) -> None:
    """Sums of functions of one and two columns: first of plain ones, then of any that the parts are read as."""
    data, operators = here.data, run.settings.operators
    if not run.settings.plain_laws:
        return
    with run.stage("reduce") as note:
        found = pair_decomposition(data, operators)
        note.summary = "No sum over pairs of columns."
        if found is None:
            return
        note.summary = (
            f"{len(found.products)} products of columns, which leave {found.unexplained:.1e} of the variance."
        )
        _offer(run, here, terms_of_pairs(found, data, operators))
        if data.n_variables >= PIPELINE.columns_read_one_by_one and found.unexplained < PIPELINE.pairs_rest:
            _offer(run, here, terms_in_rounds(data, operators, run.stop))


def _offer(run: Run, here: Reduction, terms: Sequence[Expression]) -> None:
    """Let the rows decide on sums of terms."""
    laws = select_whole(terms, here.data, run.stop)[: PIPELINE.n_offered_sums]
    run.offer([Proposal(here.restore(_refitted(law, here.data)), "sum over pairs of columns") for law in laws])


def _refitted(law: Expression, data: Dataset) -> Expression:
    """A sum with its coefficients and the rates within its terms fitted together; ones belong to the form."""
    ones = {place: value for place, value in enumerate(law.constants.tolist()) if abs(value) == 1.0}
    start = np.array([value for value in law.constants.tolist() if abs(value) != 1.0])
    skeleton = fixed(law.skeleton(), ones)
    done = fit(skeleton, data.table, data.y, weights=data.weights, starts=start[np.newaxis], effort=WARM)
    return done.expression if done.ok else law
