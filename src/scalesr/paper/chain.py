"""The paper's chain to the letter: Algorithm 1, lines 4 to 20.

Variables are taken in the order given. For each one the coefficients of the formula so far are fitted
in every group alone and regressed, all of them, on the new variable by the same one-variable search.
Nothing is refitted, tested, kept in reserve or compared with the data.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.expr.expression import Expression, open_constant, variable
from scalesr.expr.printing import to_text
from scalesr.expr.simplify import simplify
from scalesr.expr.substitute import substitute
from scalesr.paper.bfgs import fit_groups_alone
from scalesr.paper.choice import choose
from scalesr.paper.coefficients import open_coefficients, put_coefficients
from scalesr.paper.settings import LiteralSettings
from scalesr.records.budget import Progress, Report
from scalesr.records.curves import Curves
from scalesr.records.discovery import Step
from scalesr.records.interfaces import Search
from scalesr.records.outcome import Ending
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep

Floats = NDArray[np.float64]
Draw = Callable[[int, np.random.Generator], Sweep]  # groups for a new variable, the ones after it held

FEWEST_GROUPS: Final = 2  # that a coefficient can be regressed on
LARGEST_SIMPLIFIED: Final = 100  # nodes; a chain gone wrong has many more, on which simplifying takes minutes


@dataclass(frozen=True, slots=True, eq=False)
class AddedVariable:
    """How one variable came into the formula."""

    skeleton: Expression  # of the formula so far
    groups: Sweep  # generated values, a group for each value of the new variable
    values: Floats  # (groups,) of the new variable, in groups that could be fitted
    coefficients: Floats  # (groups, coefficients), the paper's C^K
    formulas: tuple[Expression, ...]  # of the coefficients in the new variable, as many as were searched for
    law: Expression  # with them in the place of the coefficients


@dataclass(frozen=True, slots=True)
class LiteralResult:
    """What the chain came to; variables that it did not reach are missing in the formula."""

    expression: Expression  # closed, over all columns
    steps: tuple[Step, ...]
    ended: str
    ending: Ending = Ending.COMPLETE
    added: tuple[AddedVariable, ...] = ()  # one for each variable that came in


class _Ended(Exception):
    """The chain cannot go on; the message says why, and so does the ending in a word."""

    def __init__(self, why: str, ending: Ending) -> None:
        super().__init__(why)
        self.ending = ending


def run_literal(
    names: Sequence[str],
    draw: Draw,
    *,
    search: Search,
    settings: LiteralSettings,
    rng: np.random.Generator,
    deadline: Stop,
    progress: Report | None = None,
) -> LiteralResult:
    """A formula in all of the variables `names`, one after another.

    A time limit or an interrupt ends the chain with the formula in the variables so far.
    """
    chain = _Chain(tuple(names), search, settings, deadline, progress)
    ended, ending = "The chain came to its end.", Ending.COMPLETE
    try:
        for new in range(len(names)):
            chain.add(new, draw, rng)
    except _Ended as reason:
        ended, ending = str(reason), reason.ending
    except KeyboardInterrupt:
        if chain.law is None:
            raise
        ended, ending = "The chain was interrupted.", Ending.INTERRUPTED
    if chain.law is None:
        raise DataError(f"No formula in {names[0]!r} could be made. {ended}")
    return LiteralResult(chain.law, tuple(chain.steps), ended, ending, tuple(chain.added))


class _Chain:
    """The formula so far, and what is needed to take one more variable in."""

    def __init__(
        self,
        names: tuple[str, ...],
        search: Search,
        settings: LiteralSettings,
        deadline: Stop,
        progress: Report | None,
    ) -> None:
        self.law: Expression | None = None  # until the first variable is in
        self.steps: list[Step] = []
        self.added: list[AddedVariable] = []
        self._skeleton = open_constant()
        self._names, self._search, self._settings, self._deadline = names, search, settings, deadline
        self._watch = _Watch(progress)

    def add(self, new: int, draw: Draw, rng: np.random.Generator) -> None:
        """Let the coefficients become functions of a new variable."""
        name = self._names[new]
        if new and (reason := self._deadline.reason) is not None:
            raise _Ended(f"{reason} That was before {name!r} could be added.", reason.ending)
        started = time.monotonic()
        if self.law is not None:
            self._skeleton = open_coefficients(self.law)
        groups = draw(new, rng)
        coefficients, values = self._coefficients(new, groups), groups.columns[new, groups.row_starts[:-1]]
        usable = np.isfinite(coefficients).all(axis=1)
        if np.count_nonzero(usable) < FEWEST_GROUPS:
            raise _Ended(f"{self._skeleton} could not be fitted in the groups of {name!r}.", Ending.STUCK)
        n_lost = groups.n_groups - np.count_nonzero(usable)
        self._note(
            "control", f"{groups.n_groups} groups of {name} by {groups.n_rows} rows; {n_lost} not fitted.", started
        )
        skeleton, formulas = self._skeleton, self._regress(new, values[usable], coefficients[usable], rng)
        law = self._accept(new, formulas)
        self.added.append(AddedVariable(skeleton, groups, values[usable], coefficients[usable], tuple(formulas), law))

    def _accept(self, new: int, formulas: list[Expression]) -> Expression:
        """Put the formulas in the place of the coefficients."""
        started = time.monotonic()
        law = put_coefficients(self._skeleton, formulas)
        self.law = simplify(law) if law.n_nodes <= LARGEST_SIMPLIFIED else law
        self._note("combine", f"With {self._names[new]}: {to_text(self.law, self._names)}.", started)
        return self.law

    def _coefficients(self, new: int, groups: Sweep) -> Floats:  # (groups, coefficients)
        """C^K. Of the first variable it is one column, C_1, and equal to the generated values."""
        if not new:
            return groups.y[:, np.newaxis]
        return fit_groups_alone(self._skeleton, groups, self._deadline.share(0.5))  # the searches need the other half

    def _regress(self, new: int, values: Floats, coefficients: Floats, rng: np.random.Generator) -> list[Expression]:
        """A formula in the new variable for each coefficient."""
        n_columns = coefficients.shape[1]
        n_later = n_columns * (len(self._names) - new - 1)  # searches to come, if each variable has as many
        formulas: list[Expression] = []
        for place, column in enumerate(coefficients.T):
            self._watch.stage = f"{self._names[new]}, coefficient {place + 1} of {n_columns}"
            curve = Sweep.from_groups([values], [column], names=[self._names[new]])
            ended = self._search_one(curve, new, n_columns - place + n_later, rng, formulas)
            if "interrupted" in ended:
                if n_columns == 1:
                    self._accept(new, formulas)
                raise KeyboardInterrupt
        return formulas

    def _search_one(
        self, curve: Sweep, new: int, n_searches: int, rng: np.random.Generator, formulas: list[Expression]
    ) -> str:
        """Add the formula of one coefficient, in an even share of what is left; returns why its search ended."""
        started = time.monotonic()
        budget = self._deadline.share(1 / n_searches).budget(n_fits=self._settings.n_fits)
        # a stream of its own, so that what is drawn later does not hang on where time cut this search
        ranking = self._search.search(curve, budget, rng=rng.spawn(1)[0], progress=self._watch.report)
        self._watch.n_before += ranking.n_scored
        formulas.append(substitute(choose(ranking, curve, eta=self._settings.eta), {0: variable(new)}))
        summary = f"{self._watch.stage}: {to_text(formulas[-1], self._names)}. {ranking.ended}"
        self._note("search", summary, started, (Curves.of(curve, "coefficient"),))
        return ranking.ended

    def _note(self, stage: str, summary: str, started: float, curves: tuple[Curves, ...] = ()) -> None:
        self.steps.append(Step(stage, summary, time.monotonic() - started, curves=curves))


class _Watch:
    """Tells the reports of single searches as those of one run."""

    def __init__(self, progress: Report | None) -> None:
        self.stage = ""
        self.n_before = 0  # skeletons of the searches before this one
        self._progress, self._started = progress, time.monotonic()
        self.report = None if progress is None else self._report

    def _report(self, state: Progress) -> None:
        stage, seconds = f"{self.stage}: {state.stage}", time.monotonic() - self._started
        if self._progress is not None:
            self._progress(replace(state, stage=stage, n_scored=self.n_before + state.n_scored, seconds=seconds))
