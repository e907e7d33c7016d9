"""Sparse sums of given terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scalesr.expr.expression import Expression, constant
from scalesr.records.budget import Budget
from scalesr.records.dataset import Dataset
from scalesr.search.linear.blas import one_thread
from scalesr.search.linear.design import make_design
from scalesr.search.linear.library import Library
from scalesr.search.linear.selection import GIVEN_WAYS, Selection, stages
from scalesr.search.scoring import Scorer

MAX_TERMS = 50
MAX_VALUES = 10_000_000  # terms x rows
N_RETURNED = 8


def select_terms(terms: Sequence[Expression], data: Dataset) -> list[Expression]:
    """Sums of some of the terms, closed formulas, the best first.

    The terms are functions of the columns without a coefficient; a constant is always offered.
    """
    distinct = tuple(dict.fromkeys([constant(1.0), *(term for term in terms if term.variables)]))
    library = Library(
        distinct, np.full(len(distinct), -1), np.array([len(term.variables) for term in distinct])
    )  # fmt: skip
    sweep = data.sweep()
    scorer = Scorer(sweep, Budget())
    max_terms = min(MAX_TERMS, len(distinct), data.n_rows // 2)
    if max_terms > 0:
        with scorer.running(), one_thread():
            selection = Selection(make_design(sweep, library, MAX_VALUES // len(distinct)), max_terms)
            for supports in stages(selection, GIVEN_WAYS, scorer.check):
                scorer.score([selection.design.skeleton(support) for support in supports])
    return [skeleton.in_group(0) for skeleton in scorer.ranking().skeletons[:N_RETURNED]]
