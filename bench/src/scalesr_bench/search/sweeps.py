"""Sweeps with a known answer: one variable of a problem moves, three random settings hold the others."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, constant, join, variable
from scalesr.expr.fold import Leaf, fold
from scalesr.expr.simplify import simplify
from scalesr.kernels.codes import VARIABLE
from scalesr.records.sweep import Sweep
from scalesr_bench.problems.problem import Problem, Range
from scalesr_bench.samplers import uniform_rows

Floats = NDArray[np.float64]

N_GROUPS: Final = 3
N_POINTS: Final = 200  # per group
FLAT: Final = 1e-9  # of its size: a group that varies less is constant
_ROWS, _NOISE, _FRESH, _SEARCH = range(4)  # what a stream of random numbers is for


@dataclass(frozen=True, slots=True)
class SweepProblem:
    """A variable of a problem that is to be swept."""

    problem: Problem
    column: int  # of the free variable

    @property
    def key(self) -> str:
        return f"{self.problem.key} in {self.variable}"

    @property
    def variable(self) -> str:
        return self.problem.names[self.column]

    @property
    def matters(self) -> bool:
        """Whether the law has this variable at all."""
        return self.column in simplify(self.problem.expression).variables

    def stream(self, seed: int, purpose: int) -> np.random.Generator:
        """Random numbers of this sweep's own, the same on every machine."""
        return np.random.default_rng([zlib.crc32(self.key.encode()), seed, purpose])


@dataclass(frozen=True, slots=True, eq=False)
class DrawnSweep:
    """A sweep to be searched and the truth it was made with."""

    source: SweepProblem
    seed: int
    sweep: Sweep  # with noise
    clean: Sweep  # the same rows without
    laws: tuple[Expression, ...]  # one per group, over the free variable alone, numbers folded in

    @property
    def box(self) -> Range:
        return self.source.problem.box[self.source.column]

    @property
    def is_flat(self) -> bool:
        """Whether y is constant in every group."""
        groups = (self.clean.group(g)[1] for g in range(self.clean.n_groups))
        return all(float(np.ptp(y)) <= FLAT * float(np.abs(y).max()) for y in groups)

    def truth(self, group: int, X: Floats) -> Floats:  # (rows, 1) -> (rows,)
        """The true curve of a group."""
        return evaluate(self.laws[group], X)

    def n_nodes(self, group: int) -> int:
        """Size of the true law of a group."""
        return self.laws[group].n_nodes

    def fresh(self, n_points: int) -> Floats:  # (points, 1)
        """Points of the box that the sweep does not have."""
        return uniform_rows([self.box], n_points, rng=self.source.stream(self.seed, _FRESH))

    def search_stream(self) -> np.random.Generator:
        """Random numbers for a search on this sweep."""
        return self.source.stream(self.seed, _SEARCH)


def draw_sweep(source: SweepProblem, *, noise: float, seed: int) -> DrawnSweep:
    """A sweep of 200 points per group, one group where there is nothing to hold and three elsewhere.

    `noise` is a share of the standard deviation of y about the mean of its group, over all groups
    together; all rows have the same noise. Seeds decide the rows, which all levels of noise share.
    """
    problem, rng = source.problem, source.stream(seed, _ROWS)
    n_groups = N_GROUPS if problem.n_variables > 1 else 1
    settings = uniform_rows(problem.box, n_groups, rng=rng)
    laws = tuple(simplify(_held(problem.expression, source.column, setting)) for setting in settings)
    tables = [uniform_rows([problem.box[source.column]], N_POINTS, rng=rng) for _ in laws]
    y = [evaluate(law, table) for law, table in zip(laws, tables, strict=True)]
    clean = Sweep.from_groups(tables, y, noise=0.0, names=[source.variable])
    if not noise:
        return DrawnSweep(source, seed, clean, clean, laws)
    level, errors = noise * clean.std, source.stream(seed, _NOISE)
    noisy = [values + level * errors.normal(size=N_POINTS) for values in y]
    sweep = Sweep.from_groups(tables, noisy, noise=level, names=[source.variable])
    return DrawnSweep(source, seed, sweep, clean, laws)


def _held(law: Expression, free: int, setting: Floats) -> Expression:
    """A law in one free variable, column 0 from now on, with numbers for the others."""

    def leaf(leaf: Leaf) -> Expression:
        if leaf.code != VARIABLE:
            return constant(leaf.value)
        return variable(0) if leaf.index == free else constant(float(setting[leaf.index]))

    return fold(law, leaf, lambda node, kids: join(node.code, kids, power=node.power))
