"""Population: islands of niches, one niche for each size of formula, in flat arrays that kernels breed.

A member gives way to one of its own size that errs less and to none else. So short formulas are never pushed out by
long ones, and no price of a symbol has to be named before the search is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import PER_SYMBOL
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, Groups, RawFits, fit_programs
from scalesr.expr.operators import Operators
from scalesr.expr.programs import Programs
from scalesr.expr.threads import Watch
from scalesr.kernels.breeding import breed
from scalesr.kernels.codes import LAST_LEAF, OPEN, POW, POWI
from scalesr.kernels.niches import place, wrap
from scalesr.search.evolution.config import EVOLUTION
from scalesr.search.genetic.variation import SizeLimits

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Alphabet:
    """What formulas are made of, as kernels take it."""

    unary: NDArray[np.int32]
    unary_args: NDArray[np.int32]  # powers
    binary: NDArray[np.int32]

    @classmethod
    def over(cls, operators: Operators) -> Alphabet:
        """The symbols of an operator set; a square is as likely as any other operator of one operand."""
        rows = [row for row in operators if row.code not in (POW, POWI)]
        powers = [(POWI, power) for power in EVOLUTION.powers] if "powi" in operators else []
        unary = [*powers, *((row.code, 0) for row in rows if row.arity == 1)]
        binary = [*(row.code for row in rows if row.arity == 2), *([POW] if "^" in operators else [])]
        return cls(
            np.array([code for code, _ in unary], np.int32),
            np.array([power for _, power in unary], np.int32),
            np.array(binary, np.int32),
        )


class Lines:
    """Formulas as lines of nodes."""

    def __init__(self, n_lines: int, width: int) -> None:
        self.codes, self.args = np.zeros((n_lines, width), np.int32), np.zeros((n_lines, width), np.int32)
        self.values, self.sizes = np.zeros((n_lines, width)), np.zeros(n_lines, np.int64)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        return self.codes, self.args, self.values, self.sizes

    def put(self, line: int, expr: Expression) -> None:
        """Write a formula into a line; constants that have no value are guessed to be 1."""
        n = expr.n_nodes
        is_constant = (expr.codes > 0) & (expr.codes <= LAST_LEAF)
        self.codes[line, :n] = np.where(is_constant, OPEN, expr.codes)
        self.args[line, :n] = np.where(is_constant, 0, expr.args)
        self.values[line, :n] = 0.0
        values = np.nan_to_num(expr.constants[expr.args[is_constant]], nan=1.0)
        self.values[line, :n][is_constant] = values
        self.sizes[line] = n


@dataclass(frozen=True, slots=True, eq=False)
class Wrapped:
    """Formulas as programs with a free factor at each term, and where their constants come from."""

    programs: Programs
    guesses: Floats  # (formulas, 1, widest)
    nodes: NDArray[np.int64]  # of each constant
    widest: int

    def expression(self, place: int, constants: Floats) -> Expression:
        """One of the formulas, closed."""
        codes, args, starts, _, ends = self.programs
        part = slice(starts[place], starts[place + 1])
        n_constants = int(ends[place + 1] - ends[place])
        form = Expression(codes[part].copy(), args[part].copy(), np.full(n_constants, np.nan))
        return form.bind(constants[place, :n_constants])


class Islands:
    """The islands, and how they get on by a generation."""

    def __init__(
        self, alphabet: Alphabet, limits: SizeLimits, n_variables: int, rows: Groups, *, seed: int, n_threads: int = 1
    ) -> None:
        self._alphabet, self.limits, self._n_variables, self.rows = alphabet, limits, n_variables, rows
        self._few = thinned(rows, EVOLUTION.few_rows)
        self._n_threads = n_threads
        self.n_niches = limits.max_nodes
        self._n_each_island = self.n_niches * EVOLUTION.n_each
        n_members = EVOLUTION.n_islands * self._n_each_island
        self.members, self.totals = Lines(n_members, limits.max_nodes), np.full(n_members, np.inf)
        self._children = Lines(EVOLUTION.n_children + 1, limits.max_nodes)  # the last line is scratch
        self._state = np.array([seed], np.int64)
        self._forms = [np.zeros(EVOLUTION.n_forms, np.int64) for _ in range(EVOLUTION.n_islands)]

    def advance(self, island: int, max_nodes: int, watch: Watch | None) -> int:
        """One generation of an island with formulas of this many nodes at most; returns how many were fitted."""
        limits, signs = self.limits, self._alphabet
        nesting = limits.nesting if island == EVOLUTION.n_islands - 1 else min(limits.nesting, 1)  # most laws nest none
        shape = np.array(
            [
                island,
                EVOLUTION.n_islands,
                self.n_niches,
                EVOLUTION.n_each,
                max_nodes,
                limits.max_open,
                nesting,
                self._n_variables,
            ]
        )
        made = int(
            breed.call(
                self._state, *self.members.arrays, self.totals, self._forms[island], signs.unary, signs.unary_args,
                signs.binary, shape, 2 * PER_SYMBOL / self.rows.n_rows, *self._children.arrays,
            )
        )  # fmt: skip
        if made:
            self._take(made, island, EVOLUTION.trials_of_first_look, watch)
        return made

    def place(self, formulas: list[Expression], island: int, watch: Watch | None) -> int:
        """Let given formulas live on an island, those that are not too large; returns how many were fitted."""
        fitting = [one for one in formulas if one.n_nodes <= self.limits.max_nodes and one.variables]
        for line, one in enumerate(fitting[: EVOLUTION.n_children]):
            self._children.put(line, one)
        n_given = min(len(fitting), EVOLUTION.n_children)
        if n_given:
            self._take(n_given, island, EVOLUTION.trials_of_seeds, watch)
        return n_given

    def clear(self, island: int) -> None:
        """Start an island over."""
        self.totals[island * self._n_each_island : (island + 1) * self._n_each_island] = np.inf
        self._forms[island][:] = 0

    def totals_by_size(self, island: int) -> Floats:  # (niches,)
        """The least residual sum of squares of each size on an island, 1 first; infinite where there is none."""
        first = island * self._n_each_island
        own = self.totals[first : first + self._n_each_island]
        return np.asarray(own.reshape(self.n_niches, EVOLUTION.n_each).min(axis=1))

    def best(self, number: int, costs: Floats) -> list[Expression]:
        """Closed formulas of the members that cost least, the cheapest first."""
        chosen = np.argsort(costs, kind="stable")[:number]
        chosen = chosen[np.isfinite(costs[chosen])]
        if not len(chosen):
            return []
        lines = Lines(len(chosen), self.limits.max_nodes)
        for mine, members in zip(lines.arrays, self.members.arrays, strict=True):
            mine[:] = members[chosen]
        wrapped = wrapped_lines(lines, len(chosen), self.limits.max_open)
        raw = self._fitted(wrapped, self.rows, wrapped.guesses, EVOLUTION.trials_on_all_rows)
        return [wrapped.expression(place, raw.constants) for place in range(len(chosen))]

    def own(self, costs: Floats, island: int) -> NDArray[np.int64]:
        """The members of an island, those that cost least first, without empty places."""
        first = island * self._n_each_island
        mine = costs[first : first + self._n_each_island]
        order = np.argsort(mine, kind="stable")
        return np.asarray(first + order[np.isfinite(mine[order])], np.int64)

    def form(self, member: int) -> bytes:
        """What two members have in common that differ in their constants alone."""
        n = self.members.sizes[member]
        return self.members.codes[member, :n].tobytes() + self.members.args[member, :n].tobytes()

    def closed(self, member: int) -> Expression | None:
        """A member with its constants; None where its fit has come to nothing."""
        costs = np.full(len(self.totals), np.inf)
        costs[member] = 0.0
        return next(iter(self.best(1, costs)), None)

    def _take(self, n_children: int, island: int, n_trials: int, watch: Watch | None) -> None:
        """Fit children and let those that fit better live on."""
        children = self._children
        wrapped = wrapped_lines(children, n_children, self.limits.max_open)
        constants = wrapped.guesses[:, 0]
        totals, chosen = np.full(n_children, np.inf), np.arange(n_children)
        if self._few is not self.rows:
            looked = self._fitted(wrapped, self._few, wrapped.guesses, n_trials, watch=watch)
            constants = looked.constants
            worst = self._worst(island)[children.sizes[:n_children] - 1] / self.rows.n_rows
            allowed = 1 + EVOLUTION.few_rows_sigmas * np.sqrt(2 / self._few.n_rows)
            chosen = np.flatnonzero(_totals(looked) / self._few.n_rows <= allowed * worst)
        if len(chosen):
            raw = self._fitted(
                wrapped,
                self.rows,
                constants[chosen][:, np.newaxis],
                EVOLUTION.trials_on_all_rows,
                chosen=chosen,
                watch=watch,
            )
            constants[chosen], totals[chosen] = raw.constants, _totals(raw)
        place.call(
            *children.arrays, n_children, constants, wrapped.programs.constant_starts.copy(), wrapped.nodes, totals,
            island, self.n_niches, EVOLUTION.n_each, *self.members.arrays, self.totals,
        )  # fmt: skip

    def _worst(self, island: int) -> Floats:
        """What a member of each size has to err less than, to live on an island."""
        first = island * self._n_each_island
        own = self.totals[first : first + self._n_each_island]
        worst = own.reshape(self.n_niches, EVOLUTION.n_each).max(axis=1)
        return np.where(np.isfinite(worst), worst, np.finfo(float).max)

    def _fitted(
        self,
        wrapped: Wrapped,
        rows: Groups,
        guesses: Floats,
        n_trials: int,
        *,
        chosen: NDArray[np.int64] | None = None,
        watch: Watch | None = None,
    ) -> RawFits:
        effort = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=n_trials)  # from the guesses alone
        return fit_programs(
            wrapped.programs, wrapped.widest, rows, guesses, effort, self._n_threads, chosen=chosen, watch=watch
        )


def _totals(raw: RawFits) -> Floats:
    """Residual sums of squares, infinite where a formula has no value on some row."""
    failed = (raw.counts[:, 1] > 0) | ~np.isfinite(raw.constants).all(axis=1) | ~np.isfinite(raw.rss)
    return np.where(failed, np.inf, raw.rss)


def thinned(rows: Groups, n_rows: int) -> Groups:
    """This many of the rows at most, evenly from first to last."""
    if rows.n_rows <= 2 * n_rows:
        return rows
    chosen = np.linspace(0, rows.n_rows - 1, n_rows).astype(np.int64)
    roots = rows.roots[chosen] if len(rows.roots) else rows.roots
    return Groups(np.ascontiguousarray(rows.columns[:, chosen]), np.array([0, n_rows]), rows.y[chosen], roots)


def wrapped_lines(lines: Lines, n_formulas: int, max_open: int) -> Wrapped:
    """Formulas as programs, with room for a factor and a sum at each of their terms."""
    width = 3 * lines.codes.shape[1] + 1
    codes, args = np.zeros(n_formulas * width, np.int32), np.zeros(n_formulas * width, np.int32)
    guesses, nodes = np.zeros(n_formulas * width), np.zeros(n_formulas * width, np.int64)
    starts, ends = np.zeros(n_formulas + 1, np.int64), np.zeros(n_formulas + 1, np.int64)
    widest = int(
        wrap.call(*lines.arrays, n_formulas, codes, args, starts, guesses, ends, nodes, max_open)
    )  # fmt: skip
    programs = Programs(codes[: starts[-1]], args[: starts[-1]], starts, np.full(ends[-1], np.nan), ends)
    for array in programs:
        array.setflags(write=False)
    given = np.zeros((n_formulas, 1, widest))
    line = np.repeat(np.arange(n_formulas), np.diff(ends))
    column = np.arange(ends[-1]) - ends[line]
    given[line, 0, column] = guesses[: ends[-1]]
    return Wrapped(programs, given, nodes[: ends[-1]], widest)
