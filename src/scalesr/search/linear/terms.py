"""Sparse sums of given terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scalesr.evidence.criterion import structure_length
from scalesr.expr.expression import Expression, constant, open_constant
from scalesr.records.budget import Budget
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.search.linear.blas import one_thread
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.design import make_design
from scalesr.search.linear.library import Library
from scalesr.search.linear.search import solve_whole
from scalesr.search.linear.selection import GIVEN_WAYS, Selection, stages
from scalesr.search.scoring import Scorer


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
    max_terms = min(LINEAR.given_terms, len(distinct), data.n_rows // 2)
    if max_terms > 0:
        with scorer.running(), one_thread():
            selection = Selection(make_design(sweep, library, LINEAR.given_values // len(distinct)), max_terms)
            for supports in stages(selection, GIVEN_WAYS, scorer.check):
                scorer.score([selection.design.skeleton(support) for support in supports])
    return [skeleton.in_group(0) for skeleton in scorer.ranking().skeletons[: LINEAR.n_returned]]


def select_whole(terms: Sequence[Expression], data: Dataset, stop: Stop) -> list[Expression]:
    """Sums of what is left of the terms when all are fitted at once and those go that the rows do not miss."""
    distinct = sorted(dict.fromkeys(term for term in terms if term.variables), key=structure_length)
    library = Library(
        (constant(1.0), *distinct),
        np.full(len(distinct) + 1, -1),
        np.array([0, *(len(term.variables) for term in distinct)]),
    )
    sweep = data.sweep()
    scorer = Scorer(sweep, stop.budget())
    if LINEAR.rows_per_term * len(library.terms) <= sweep.n_rows:
        with scorer.running(), one_thread():
            scorer.score([open_constant()])
            solve_whole(scorer, library, LINEAR.given_terms)
    return [skeleton.in_group(0) for skeleton in scorer.ranking().skeletons[: LINEAR.n_returned]]
