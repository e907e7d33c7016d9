"""Span: what the best sum of all given terms would leave of the target."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scalesr.chain.config import CHAIN
from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.expression import Expression
from scalesr.records.dataset import Dataset
from scalesr.records.precision import SQUARABLE


def usable_terms(terms: Sequence[Expression], data: Dataset) -> list[Expression]:
    """Terms with moderate values on all rows that are looked at."""
    values = evaluate_many(terms, data.table)
    sound = (np.abs(values) < SQUARABLE).all(axis=1) & (values != 0).any(axis=1)
    return [term for term, is_sound in zip(terms, sound.tolist(), strict=True) if is_sound]


def left_by_span(terms: Sequence[Expression], data: Dataset) -> float:
    """Root mean square of what is left of the target by the least-squares sum of all terms and a constant."""
    few = data.thinned(CHAIN.rows_per_spanning_term * (len(terms) + 1) + 200)
    columns = np.vstack([np.ones((1, few.n_rows)), evaluate_many(terms, few.table)])
    columns /= np.maximum(np.abs(columns).max(axis=1, keepdims=True), np.finfo(float).tiny)
    triangle = np.asarray(np.linalg.qr(np.vstack([columns, few.y]).T, mode="r"))
    freedom = few.n_rows - len(columns)
    return abs(float(triangle[-1, -1])) / np.sqrt(freedom) if freedom > 0 else float("inf")
