"""Shared terms: what drives one state often drives another, by the same term or by a term of the same form.

So laws are also put together from terms of the others, and taken over from others with other columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, permutations

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.candidates import WARM, Candidates
from scalesr.dynamics.terms import weighted_terms
from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant, variable
from scalesr.expr.fitting import fit
from scalesr.expr.substitute import substitute
from scalesr.records.dataset import Dataset

Floats = NDArray[np.float64]

MOST_CONSTANTS = 8  # of a law whose terms are worth sharing
MOST_TERMS = 12
MOST_MOVES = 60  # ways to put other columns into a law
ROWS = 500  # that moved laws are compared on
KEEPS = 1.05  # a term goes where the residual without it is not larger by more than this factor


def terms_of(law: Expression) -> list[Expression]:
    """The terms of a sum, without their factors that are numbers."""
    return [term for _, term in weighted_terms(law) if term.variables]


def with_shared_terms(found: Sequence[Candidates], tables: Sequence[Dataset]) -> list[tuple[Expression, ...]]:
    """The laws of each state, and one more put together from the terms of short laws of the others."""
    short = [
        law for one in found for law in one.laws[:2] if law.variables and len(law.constants) <= MOST_CONSTANTS
    ]  # fmt: skip
    shared = {canonical_key(term): term for law in short for term in terms_of(law)}
    return [
        (*one.laws, *_sum_of(shared, table), *_moved_here(place, found, table))
        for place, (one, table) in enumerate(zip(found, tables, strict=True))
    ]


def _moved_here(place: int, found: Sequence[Candidates], table: Dataset) -> list[Expression]:
    """The law of another state with other columns in its place, the one that the rates of this state like best."""
    some = table.thinned(ROWS)
    best: tuple[float, Expression] | None = None
    for other, one in enumerate(found):
        law = one.laws[0]
        rest = [j for j in law.variables if j != other]
        if other == place or not law.variables or len(law.constants) > MOST_CONSTANTS:
            continue
        columns = [j for j in range(table.n_variables) if j != place]
        for chosen in islice(permutations(columns, len(rest)), MOST_MOVES):
            moves = {other: variable(place), **{j: variable(k) for j, k in zip(rest, chosen, strict=True)}}
            moved = substitute(law, moves)
            done = fit(moved.skeleton(), some.table, some.y, starts=moved.constants[np.newaxis], effort=WARM)
            if done.ok and (best is None or done.rss < best[0]):
                best = done.rss, done.expression
    return [] if best is None else [best[1]]


def _sum_of(shared: dict[str, Expression], table: Dataset) -> list[Expression]:
    """The best sum of terms, states and a number on the rates, with as few terms as it needs."""
    states = {canonical_key(variable(j)): variable(j) for j in range(table.n_variables)}
    terms = list({**states, **shared}.values())[:MOST_TERMS]
    columns = [np.ones(table.n_rows), *(evaluate(term, table.table) for term in terms)]
    kept = [k for k, column in enumerate(columns) if np.isfinite(column).all()]
    while len(kept) > 1:
        trials = [(_residual([columns[j] for j in kept if j != k], table.y), k) for k in kept]
        least, dropped = min(trials)
        if least > KEEPS * _residual([columns[j] for j in kept], table.y):
            break
        kept.remove(dropped)
    if not any(kept):
        return []
    factors = np.linalg.lstsq(np.stack([columns[j] for j in kept], axis=1), table.y, rcond=None)[0].tolist()
    parts = [
        constant(factor) if j == 0 else apply("*", constant(factor), terms[j - 1])
        for j, factor in zip(kept, factors, strict=True)
    ]
    law = parts[0]
    for part in parts[1:]:
        law = apply("+", law, part)
    return [law]


def _residual(columns: list[Floats], y: Floats) -> float:
    if not columns:
        return float(np.linalg.norm(y))
    basis = np.stack(columns, axis=1)
    return float(np.linalg.norm(y - basis @ np.linalg.lstsq(basis, y, rcond=None)[0]))
