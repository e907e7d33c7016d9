"""Weak equations: for every state a vector of left sides, and for every term the vector of its integrals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.trajectories import Trajectories, Trajectory
from scalesr.dynamics.weak.bumps import Bumps, bumps
from scalesr.expr.evaluate import evaluate_many
from scalesr.expr.expression import Expression

Floats = NDArray[np.float64]

MOST_POINTS = 6_000  # that laws are proposed from; a law has few constants
LONGEST = 300  # points of a piece of a run
SHORTEST = 11  # points of a piece that a bump has room in


@dataclass(frozen=True, slots=True, eq=False)
class WeakEquations:
    """Pieces of runs with their rules; rows have independent noise of the size of the states' own."""

    states: tuple[Floats, ...]  # (points, states) measured, per piece
    tables: tuple[Floats, ...]  # (points, columns) where terms are evaluated, per piece
    rules: tuple[Bumps, ...]

    @property
    def n_rows(self) -> int:
        return sum(len(rule.left) for rule in self.rules)

    @property
    def table(self) -> Floats:
        """All points that terms are evaluated at, (points, columns)."""
        return np.concatenate(self.tables)

    def left(self, state: int) -> Floats:
        """Left sides of the law of one state, (rows,)."""
        return np.concatenate(
            [rule.left @ states[:, state] for rule, states in zip(self.rules, self.states, strict=True)]
        )

    def integrals(self, terms: Sequence[Expression]) -> Floats:
        """Integrals of terms, (rows, terms); not finite where a term has no value."""
        return self.integrated(evaluate_many(terms, self.table).T) if terms else np.empty((self.n_rows, 0))

    def integrated(self, values: Floats) -> Floats:
        """Integrals of columns of values (points, terms)."""
        ends = np.cumsum([len(table) for table in self.tables])[:-1]
        with np.errstate(all="ignore"):
            parts = [rule.right @ part for rule, part in zip(self.rules, np.split(values, ends), strict=True)]
        return np.concatenate(parts)


def weak_equations(data: Trajectories, tables: Sequence[Floats], *, order: int = 1) -> WeakEquations | None:
    """Equations over as many pieces as there is use for; None where no piece is long enough."""
    known: dict[bytes, Bumps] = {}
    states, kept, rules, n_points = [], [], [], 0
    for run, table in zip(data.runs, tables, strict=True):
        for inside in _pieces(run):
            times = run.times[inside] - run.times[inside][0]
            key = times.tobytes()
            known[key] = known.get(key) or bumps(times, order=order)
            states.append(run.states[inside])
            kept.append(table[inside])
            rules.append(known[key])
            n_points += len(times)
        if n_points >= MOST_POINTS:
            break
    return WeakEquations(tuple(states), tuple(kept), tuple(rules)) if rules else None


def _pieces(run: Trajectory) -> list[slice]:
    n_parts = -(-run.n_points // LONGEST)
    edges = np.linspace(0, run.n_points, n_parts + 1).round().astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(edges) if b - a >= SHORTEST]
