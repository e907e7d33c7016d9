"""The chain: one variable after another, each a formula for what were constants before.

First the curves over each variable alone. Where the law is a sum of products of functions of one
variable each, the rows choose among these products at once. Else the simplest variable starts, and
the constants of its formula become functions of the next one, until all are in. Every finished law
is fitted to the rows; an exact one ends the chain.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scalesr.chain.branches import Branch, Generation, grow
from scalesr.chain.coefficients import coefficient_curves, in_variable
from scalesr.chain.config import CHAIN
from scalesr.chain.joint import joint_forms, slice_forms
from scalesr.chain.merge_slices import merge_slices
from scalesr.chain.seeker import Seeker, Select
from scalesr.chain.slices import find_slices, find_sums, functions_of, orders, shortlist
from scalesr.evidence.shortlist import Shortlist
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply
from scalesr.records.budget import Report
from scalesr.records.curves import Curves
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Step
from scalesr.records.errors import Errors
from scalesr.records.grid import Grid
from scalesr.records.interfaces import Search
from scalesr.records.outcome import Kind, Outcome
from scalesr.records.proposal import Proposal
from scalesr.records.skeleton import Ranking
from scalesr.records.stop import Stop

Floats = NDArray[np.float64]

SHARPNESS = (1.0, 5.0, 0.1)  # of the searches for sums of plain functions: their error, of what the curves' is


class Experiments(Protocol):
    """What the chain asks of the control stage."""

    @property
    def errors(self) -> Errors:
        """How far the generator is off, and its rows."""
        ...

    def effects(self) -> Floats:
        """How much each variable alone changes the target, (variables,)."""
        ...

    def curves(self, variable: int) -> Grid | None:
        """Curves over one variable, one group per setting."""
        ...

    def grid(self, learned: tuple[int, ...], new: int) -> Grid | None:
        """At each setting, groups along a new variable in which the learned ones move."""
        ...

    def minus(self, formula: Expression) -> Experiments:
        """The same experiments on what a formula leaves of the target."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ChainResult:
    """What the chain proposes, and how it came to it."""

    proposals: tuple[Proposal, ...]  # the best first
    steps: tuple[Step, ...]
    interrupted: bool = False
    parts: tuple[Expression, ...] = ()  # skeletons of the curves over each variable, the best of each first


def run_chain(  # noqa: PLR0913 - searches, and who is told what
    data: Dataset,
    control: Experiments,
    *,
    search: Search,
    linear: Search | None = None,
    select: Select | None = None,
    rng: np.random.Generator,
    deadline: Stop,
    progress: Report | None = None,
    tell: Callable[[Step], None] | None = None,
) -> ChainResult:
    """Find laws in all variables of a table, one variable after another.

    `linear` finds sums of plain functions in one variable and `select` sums of given terms on rows;
    without them laws that are sums of products take the long way. `tell` gets each step when it is done.
    """
    chain = _Chain(data, control, Seeker(search, rng, deadline, linear, select, progress), tell)
    interrupted = False
    try:
        chain.run()
    except KeyboardInterrupt:  # the caller is told, and has the best so far
        interrupted = True
        deadline.cancel()
    return ChainResult(
        tuple(one.proposal for one in chain.shortlist.ranked[: CHAIN.n_proposed]),
        tuple(chain.steps),
        interrupted,
        chain.parts,
    )


class _Chain:
    """The state of one run."""

    def __init__(
        self, data: Dataset, control: Experiments, seeker: Seeker, tell: Callable[[Step], None] | None = None
    ) -> None:
        self.data, self.control, self.seeker, self._tell = data, control, seeker, tell
        noise = control.errors.rows
        largest = float(np.abs(data.y).max()) or 1.0
        self.shortlist = Shortlist(
            data, CHAIN.noisy_rows if noise else CHAIN.exact_rows, rounding=CHAIN.exact * largest
        )
        self.steps: list[Step] = []
        self._grids: dict[tuple[tuple[int, ...], int], Grid | None] = {}
        self._generations: dict[tuple[int, ...], list[Generation]] = {}  # by order
        self.parts: tuple[Expression, ...] = ()

    def run(self) -> None:
        curves = self.curves()
        self.merge_sums(curves)
        self.explore(curves, CHAIN.slice_fits)
        self._add_term()
        self.explore(curves, CHAIN.more_fits)

    def explore(self, curves: dict[int, Grid], n_fits: int) -> None:
        """Formulas of the curves, and what grows out of them."""
        if self._is_over or (self._is_within_noise and self._generations):  # a shorter law has had its chance
            return
        slices, steps = find_slices(curves, self.seeker, n_fits, self.data.names)
        for step in steps:
            self._add(step)
        self.parts = slice_forms(slices) or self.parts
        self._merge([slices], "the curves' own formulas")
        if slices and not self._is_over:
            self._grow(slices)
            self._join(slices)

    def _join(self, slices: dict[int, Ranking]) -> None:
        """Sums and products of the curves' formulas, where nothing that grew is the law."""
        started = time.monotonic()
        for form in joint_forms(slices):
            if self._is_over or self._is_within_noise:
                return
            self.shortlist.try_form(form, [], "slices joined", own=True)
        self._note("combine", f"Sums and products of the curves' formulas.{self._so_far()}", started, [])

    def _add_term(self) -> None:
        """The same once more for what the best law leaves, as one more term of it."""
        best = self.shortlist.best
        if best is None or self._is_over or self._is_within_noise:
            return
        started = time.monotonic()
        left = self.data.y - evaluate(best.fit.expression, self.data.table)
        if not np.isfinite(left).all():
            return
        target = self.data.with_target(left, f"what is left of {self.data.target}")
        rest = _Chain(target, self.control.minus(best.fit.expression), self.seeker)
        curves = rest.curves()
        rest.merge_sums(curves)
        rest.explore(curves, CHAIN.slice_fits)
        for more in rest.shortlist.ranked[: CHAIN.n_proposed]:
            both = apply("+", best.fit.expression, more.fit.expression)
            self._try_closed(both, f"{best.origin}, and what is left")
        self._note("combine", f"More terms for {best.fit.expression}.{self._so_far()}", started, [])

    @property
    def _is_over(self) -> bool:
        return self.shortlist.is_exact or self.seeker.deadline.passed

    @property
    def _is_within_noise(self) -> bool:
        """Whether the best law leaves no more than the noise of the rows: a shorter one may still be found."""
        best, noise = self.shortlist.best, self.control.errors.rows
        return best is not None and CHAIN.no_less * noise <= best.error <= CHAIN.no_more * noise

    def _try_closed(self, law: Expression, origin: str) -> None:
        """Fit a closed law's form to the rows, from the constants it has."""
        self.shortlist.try_form(law.skeleton(), [law.constants], origin)

    def curves(self) -> dict[int, Grid]:
        """Curves over the variables whose effect stands out from the generator's error; the strongest one at least."""
        started = time.monotonic()
        effects, names = self.control.effects(), self.data.names
        chosen = np.flatnonzero(effects > CHAIN.doubtful * self.control.errors.values).tolist() or [
            int(np.argmax(effects))
        ]
        rejected = [
            f"{names[v]}: its effect of {effects[v]:.2g} is no more than the generator's error"
            for v in range(len(names))
            if v not in chosen
        ]
        found = {}
        for variable in chosen:
            grid = self.control.curves(variable)
            if grid is None:
                rejected.append(f"{names[variable]}: it cannot be moved while the others are held")
            else:
                found[variable] = grid
        listed = ", ".join(f"{names[v]} ({effects[v]:.2g})" for v in found)
        self._note("control", f"Variables that change {self.data.target}: {listed}.", started, rejected)
        return found

    def merge_sums(self, curves: dict[int, Grid]) -> None:
        """Sums of plain functions for all curves, with ever more functions of each variable.

        The error of curves is known roughly only; too many functions do no harm where the rows choose.
        """
        found: list[dict[int, Ranking]] = []
        for sharpness in SHARPNESS:
            if self._is_over or self._is_within_noise or self.seeker.select is None:
                return
            found.append(find_sums(curves, self.seeker, sharpness))
            self._merge(found, "sums of plain functions")

    def _merge(self, rankings: list[dict[int, Ranking]], what: str) -> None:
        """Let the rows choose among products of functions of one variable each."""
        functions = functions_of(rankings)
        if self.seeker.select is None or not functions or len(functions) < len(rankings[0]):
            return
        started = time.monotonic()
        for laws in merge_slices(functions, self.data, self.control.errors.unseen, self.seeker.select):
            for law in laws:
                if self.seeker.deadline.passed:
                    break
                self._try_closed(law, "products of slices")
            if self._is_over:
                break
        listed = [
            f"{self.data.names[v]}: {', '.join(str(in_variable(term, 0)) for term in own)}"
            for v, own in functions.items()
        ]
        self._note("combine", f"Products of {what}.{self._so_far()}", started, listed)

    def _grow(self, slices: dict[int, Ranking]) -> None:
        """Let branches grow in one order of the variables after another.

        At first only those whose coefficients are simple, then all that fit, in the end any.
        """
        beams = [self._beam(order, slices) for order in orders(slices)[: CHAIN.n_orders]]
        for beam in beams:
            self._pass(beam, width=CHAIN.quick_width, n_thorough=0, fitting=True)
            self._pass(beam, width=CHAIN.width, n_thorough=CHAIN.n_thorough, fitting=True)
            if self.shortlist.best is None:
                self._pass(beam, width=1, n_thorough=CHAIN.n_thorough, fitting=False)
            if self._is_within_noise:
                return
        for beam in beams:
            self._pass(beam, width=CHAIN.width, n_thorough=CHAIN.n_thorough, fitting=False)

    def _pass(self, beam: list[Generation], *, width: int, n_thorough: int, fitting: bool) -> None:
        """Let some branches of each generation grow into the next."""
        for generation, following in pairwise(beam):
            if n_thorough:
                generation.reopen()
            for branch in generation.take(width, fitting=fitting):
                if self._is_over:
                    return
                children = self._grown(branch, n_thorough)
                following.add(children)
                if not children and not n_thorough:
                    generation.put_off.append(branch)

    def _beam(self, order: tuple[int, ...], slices: dict[int, Ranking]) -> list[Generation]:
        """A generation for each number of variables, the first with the formulas of the first variable."""
        generations = self._generations.setdefault(order, [Generation() for _ in order])
        generations[0].add([Branch.root(skeleton, order) for skeleton in shortlist(slices[order[0]])])
        if len(order) == 1:
            self._finish(generations[0].waiting)
        return generations

    def _grown(self, branch: Branch, n_thorough: int) -> list[Branch]:
        """A branch with one more variable; whole laws are fitted to the rows."""
        started = time.monotonic()
        grid = self._grid(branch)
        children = [] if grid is None else grow(branch, grid, self.seeker, n_thorough=n_thorough)
        if children and children[0].is_whole:
            self._finish(children)
        self._note_growth(branch, children, started)
        return children

    def _finish(self, branches: list[Branch]) -> None:
        """Fit whole laws to the rows."""
        for branch in branches:
            if self._is_over:
                return
            names = ", then ".join(self.data.names[variable] for variable in branch.order)
            self.shortlist.try_form(branch.skeleton, [*branch.constants], f"control variables: {names}", own=True)

    def _grid(self, branch: Branch) -> Grid | None:
        key = (branch.learned, branch.new)
        if key not in self._grids:
            self._grids[key] = self.control.grid(*key)
        return self._grids[key]

    def _so_far(self) -> str:
        best = self.shortlist.best
        return "" if best is None else f" The best law so far leaves {best.error:.1e} on the rows."

    def _note_growth(self, branch: Branch, children: list[Branch], started: float) -> None:
        first, *others = [str(child.skeleton) for child in children[:6]] or ["nothing that fits"]
        summary = f"{branch.skeleton} along {self.data.names[branch.new]}: {first}.{self._so_far()}"
        curves = coefficient_curves(children[0].tracks, self.data.names[branch.new]) if children else ()
        self._note("combine", summary, started, others, curves, Outcome(Kind.GROWTH, bool(children)))

    def _note(
        self, stage: str, summary: str, started: float, rejected: list[str], curves: tuple[Curves, ...] = (),
        outcome: Outcome | None = None,
    ) -> None:  # fmt: skip
        self._add(Step(stage, summary, time.monotonic() - started, tuple(rejected), curves, outcome))

    def _add(self, step: Step) -> None:
        self.steps.append(step)
        if self._tell is not None:
            self._tell(step)
