"""The laws of a grouped table: each form is fitted once, shared as the evidence says, and the best are kept."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import FormulaError
from scalesr.evidence.criterion import EXACT
from scalesr.evidence.dimensions import units_length
from scalesr.evidence.groups import LEFT_OF_EXACT, own_cost
from scalesr.evidence.likelihood import explain
from scalesr.evidence.residual_tests import evidence_of_structure
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression, constant, open_constant, variable
from scalesr.expr.names import quoted
from scalesr.expr.operators import Operators
from scalesr.expr.redundancy import remove_redundant
from scalesr.expr.signs import with_signs_before_terms
from scalesr.expr.substitute import substitute
from scalesr.expr.threads import Watch
from scalesr.groups.finish import finished, tied
from scalesr.groups.fitted import GroupedLaw, GroupRows
from scalesr.groups.form import letters_of
from scalesr.groups.share import shared_as_told
from scalesr.records.discovery import Law
from scalesr.records.equation import Equation
from scalesr.records.groups import GroupConstants, GroupedData

Floats = NDArray[np.float64]

MOST_CONSTANTS: Final = 8  # of a form: the ways to share more of them are too many for the evidence to choose among
LETTERS: Final = "abcdfghkmpqrsuvwABDFGHKMPQRSUVW"
WORTH: Final = 40.0  # nats above the best law, from which a form is given up as soon as that can be seen
KEPT: Final = 60  # laws, the best first
TOUCHED: Final = 8  # of them that get the last touches
CLOSE: Final = 40.0  # nats from the best, within which they do
N_RANK_ROWS: Final = 200  # that tell which constants are superfluous
ALONE: Final = 1e-6  # share of others in a row's own fit, below which it predicts nothing


@dataclass(frozen=True, slots=True, eq=False)
class GroupCandidate:
    """A law with the fit that made it and where it came from."""

    law: GroupedLaw
    origin: str
    structure: float  # nats that order in the residual, and rows it does not foresee, say against it
    loss: float  # mean squared error, weighted
    leave_one_out_loss: float  # of rows that had no part in the constants they are predicted with

    @property
    def cost(self) -> float:
        return self.law.cost + self.structure

    @property
    def total(self) -> float:
        return self.law.score.total + self.structure


class GroupArchive:
    """Laws for one grouped table."""

    def __init__(
        self,
        groups: GroupedData,
        operators: Operators,
        watch: Watch | None = None,
        *,
        max_complexity: int | None = None,
    ) -> None:
        self.groups, self.rows = groups, GroupRows(groups)
        self._operators, self._max_complexity = operators, max_complexity
        self._tried: set[str] = set()
        self._candidates: dict[str, GroupCandidate] = {}
        self.n_tried = 0
        self.offer(open_constant(), "a constant of each group")
        self.rows = GroupRows(groups, watch)  # from here on time and work may end a fit: there is a law by now

    def offer(self, form: Expression, origin: str, guess: Floats | None = None) -> GroupCandidate | None:
        """Fit a form with all of its constants open; `guess` are values of them for all groups."""
        skeleton = form.skeleton()
        if guess is None and len(form.constants) == len(skeleton.constants) and not form.n_open:
            guess = form.constants
        skeleton, guess = self._without_redundant(skeleton, guess)
        key = canonical_key(skeleton)
        if key in self._tried or skeleton.n_open > MOST_CONSTANTS or not self.allows(skeleton):
            return None
        self._tried.add(key)
        self.n_tried += 1
        bar = self.best.cost + WORTH if self._candidates else math.inf
        law = shared_as_told(skeleton, self.rows, guess, bar=bar)
        return None if law is None else self.add(self._tied(law), origin)

    def _tied(self, law: GroupedLaw) -> GroupedLaw:
        """The law with ties between its letters, where these could make it the best."""
        own, n_letters = law.fit.own, law.fit.own.shape[1]
        if n_letters < 2 or not self._candidates:
            return law
        saved = own_cost(own, law.fit.own_given) * (1 - 1 / n_letters)
        return tied(law, self.rows) if law.cost - saved <= self.best.cost else law

    def add(self, law: GroupedLaw, origin: str) -> GroupCandidate | None:
        """Keep a fitted law; None where its rows say nothing about it."""
        if not math.isfinite(law.cost) or not self.allows(law.fit.form) or not self._is_dimensionally_right(law):
            return None
        residual = self.groups.data.y - law.fit.values
        weights = self.groups.data.weights
        roots = np.ones(len(residual)) if weights is None else np.sqrt(weights / weights.mean())
        left = residual * roots
        has_others = law.fit.leverages < 1 - ALONE  # in whose constants others have a part
        alone = np.where(has_others, left / np.where(has_others, 1 - law.fit.leverages, 1.0), left.std())
        structure = 0.0
        if not self._is_at_rounding(law):
            structure = evidence_of_structure(left, self.groups.data.columns, law.fit.n_free)
        structure += self._unforeseen(law, alone)
        candidate = GroupCandidate(law, origin, structure, float(np.mean(left**2)), float(np.mean(alone**2)))
        form = law.fit.form
        key = canonical_key(form.skeleton())
        known = self._candidates.get(key)
        if known is None or candidate.total <= known.total:
            self._candidates[key] = candidate
        if len(self._candidates) > 2 * KEPT:
            kept = {id(one) for one in (*self.candidates[:KEPT], *self.front)}
            self._candidates = {key: one for key, one in self._candidates.items() if id(one) in kept}
        return candidate

    def _unforeseen(self, law: GroupedLaw, alone: Floats) -> float:
        """Nats by which a law seems to explain rows better than it predicts them from the others.

        A pole between the few rows of a group meets each of them exactly, from one of many places.
        """
        if self._is_at_rounding(law) or not np.isfinite(alone).all():
            return 0.0
        data = self.groups.data
        rounding = EXACT * (float(np.sqrt(np.mean(data.y**2))) or 1.0)
        told = explain(alone, law.fit.values, 0, rounding=rounding, given=data.given_noise)
        return max(told.cost + law.score.form - law.score.total, 0.0)

    def weigh(self, weights: Floats | None) -> None:
        """Let rows count in fits by what is known of their noise, and fit the best laws again."""
        if weights is None and self.rows.rows is self.groups:
            return
        rows = self.groups if weights is None else self.groups.counting_by(weights)
        self.rows = GroupRows(rows, self.rows.watch)
        for one in self.candidates:
            self.add(self.rows.polished(one.law), one.origin)

    def touch_up(self) -> None:
        """Tie, turn and read the constants of the best laws."""
        best = self.best
        for one in [one for one in self.candidates[:TOUCHED] if one.cost <= best.cost + CLOSE]:
            done = finished(one.law, self.rows)
            if done is not one.law:
                self.add(done, one.origin)

    def allows(self, form: Expression) -> bool:
        """Whether a law is as short as the user asks for."""
        return self._max_complexity is None or form.complexity <= self._max_complexity

    def _is_dimensionally_right(self, law: GroupedLaw) -> bool:
        """Whether units of its constants make a law right, as far as units are known; letters are constants, too."""
        if self.groups.data.dimensions is None:
            return True
        letters = {letter: constant(1.0) for letter in letters_of(law.fit.form, self.rows.n_columns)}
        return math.isfinite(units_length(substitute(law.fit.expression, letters), self.groups.data.dimensions))

    @property
    def candidates(self) -> tuple[GroupCandidate, ...]:
        """The best first."""
        return tuple(sorted(self._candidates.values(), key=lambda one: (one.cost, one.law.fit.form.n_nodes)))

    @property
    def best(self) -> GroupCandidate:
        return self.candidates[0]

    @property
    def is_exact(self) -> bool:
        return self.is_exact_law(self.best)

    def is_exact_law(self, one: GroupCandidate) -> bool:
        """Whether a law is off by rounding alone, on rows that are enough to tell."""
        freedom = self.groups.data.n_rows - one.law.fit.n_free
        return self._is_at_rounding(one.law) and freedom > one.law.fit.form.n_nodes

    def _is_at_rounding(self, law: GroupedLaw) -> bool:
        data = self.groups.data
        scale = float(np.sqrt(np.mean(data.y**2))) or 1.0
        freedom = max(data.n_rows - law.fit.n_free, 1)
        return law.fit.rss <= freedom * (LEFT_OF_EXACT * EXACT * scale) ** 2

    @property
    def front(self) -> tuple[GroupCandidate, ...]:
        """Laws that no other beats in both complexity and loss, simplest first; the best of all is among them."""
        best = self.best
        by_complexity: dict[int, GroupCandidate] = {}
        for one in self.candidates:
            by_complexity.setdefault(one.law.fit.form.complexity, one)
        kept: list[GroupCandidate] = []
        floor = (EXACT * self.groups.data.std) ** 2
        for _, one in sorted(by_complexity.items()):
            if not kept or one is best or kept[-1].loss > max(one.loss, floor):
                kept.append(one)
        return tuple(kept)

    def law_of(self, one: GroupCandidate) -> Law:
        """A candidate as a law with named letters."""
        done, names = one.law.fit, self.groups.data.names
        order = list(dict.fromkeys(letters_of(done.form, len(names))))
        places = [letter - len(names) for letter in order]
        letters = letters_for(names, len(places), self.groups.data.target)
        form = _in_order(done.form, order, len(names))
        size, fitted = len(form.constants), form.open_indices
        covariance = np.zeros((size, size))
        covariance[np.ix_(fitted, fitted)] = done.covariance
        expression, signs = with_signs_before_terms(form.bind(done.shared))
        equation = Equation(expression, (*names, *letters), covariance * np.outer(signs, signs))
        groups = GroupConstants(
            self.groups.by, self.groups.labels, letters, np.ascontiguousarray(done.own[:, places]),
            np.ascontiguousarray(done.own_covariance[:, places][:, :, places]),
            math.sqrt(done.rss / max(self.groups.data.n_rows - done.n_free, 1)),
        )  # fmt: skip
        return Law(equation, one.loss, one.leave_one_out_loss, one.total, one.origin, groups=groups)

    def _without_redundant(self, skeleton: Expression, guess: Floats | None) -> tuple[Expression, Floats | None]:
        """A form with as many constants as any rows could tell apart."""
        try:
            fewer = remove_redundant(skeleton, self.groups.data.table[:N_RANK_ROWS])
        except FormulaError:
            return skeleton, guess
        return (skeleton, guess) if fewer.n_open == skeleton.n_open else (fewer, None)


def letters_for(names: Sequence[str], count: int, target: str) -> tuple[str, ...]:
    """Names of constants that neither a column nor the target has."""
    taken = {*names, target}
    free = [letter for letter in LETTERS if letter not in taken and quoted(letter) == letter]
    more = (f"{letter}{number}" for number in range(1, count + len(taken) + 2) for letter in LETTERS[:1])
    free += [name for name in more if name not in taken]
    return tuple(free[:count])


def _in_order(form: Expression, order: Sequence[int], n_columns: int) -> Expression:
    """The form with its letters numbered from left to right."""
    return substitute(form, {letter: variable(n_columns + place) for place, letter in enumerate(order)})
