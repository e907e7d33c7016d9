"""Archive: every proposed law is refitted to the rows once, and the best of them make up the Pareto front."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scalesr.errors import DataError
from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.constraints import ON_THE_BOX, Rules
from scalesr.evidence.criterion import EXACT
from scalesr.evidence.dimensions import units_length
from scalesr.evidence.exact import is_exact
from scalesr.evidence.judged import JudgedLaw
from scalesr.evidence.refit import FitData, polished, refit
from scalesr.evidence.residual_tests import evidence_of_structure
from scalesr.evidence.rounding import at_rounding, std_of
from scalesr.evidence.score import Score
from scalesr.evidence.significance import ENOUGH_HELD, is_significant
from scalesr.evidence.unknown import UnknownLaw
from scalesr.expr.canonical import canonical_key
from scalesr.expr.expression import Expression, constant
from scalesr.expr.fitting import Fit
from scalesr.expr.loosen import loosened
from scalesr.expr.operators import Operators
from scalesr.expr.threads import Watch
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Law, Part
from scalesr.records.equation import Equation
from scalesr.records.pareto import pareto_front
from scalesr.records.proposal import Proposal

Floats = NDArray[np.float64]
Shorten = Callable[[Fit, FitData], Fit]  # brings a law at rounding level to its shortest form

SMALLEST_TARGET, LARGEST_TARGET = 1e-135, 1e150  # of the largest value of a target
PROMISING = 20.0  # nats from the best on a few rows: laws further off are not fitted to all rows
EQUAL_SCORE = 1e-6  # nats: of two ways to write a law, equally good up to this, the later is kept
OUTLIER_SIGMAS = 3.0  # standard deviations by which the number of outliers may differ between rows of one table
BETTER = 0.99  # a guess this much better than what its family reached is worth another fit
EQUAL_LOSS = 1e-14  # of the standard deviation of y: losses below count as equal


@dataclass(frozen=True, slots=True, eq=False)
class Candidate(JudgedLaw):
    """A law in the archive, with what decides its rank there."""

    at_rounding: bool  # on the rows of the fit
    exact: bool
    text: str  # of the law: it decides between laws that are equal in all else
    few_loss: float  # on a few rows
    few_score: float  # on a few rows, once its constants are read
    significant: bool  # whether it is significant (significance.py), as far as the rows of the fit show


class Archive:
    """Laws for one dataset; `held` are rows that no search has seen, or `data` itself where there are too few.

    `data` decides on constants and forms, `held` only on what may be said of them. Rows of weight 0
    are left out of both.
    """

    def __init__(
        self,
        data: Dataset,
        held: Dataset,
        operators: Operators,
        watch: Watch | None = None,
        *,
        shorten: Shorten,
        max_complexity: int | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.data = _weighty(data)
        kept = _weighty(held)
        self.held = self.data if held is data or kept.n_rows == 0 else kept
        _check_size(self.data)
        self._operators, self._watch, self._max_complexity = operators, watch, max_complexity
        self._shorten = shorten
        self.n_wrong = 0  # laws that were dimensionally wrong
        self.too_long: Fit | None = None  # the best of the laws that are longer than allowed
        self.rows, self._all, self._held = (
            FitData(self.data, operators, watch=watch),
            FitData(self.data),
            FitData(self.held),
        )
        self._leads: dict[str, float] = {}  # of laws over the unknown one, by their text
        self.unknown: UnknownLaw | None = None  # what laws have to be better than, as far as it is known
        self._reached: dict[str, float] = {}  # loss on a few rows by canonical key
        self._candidates: dict[str, Candidate] = {}
        mean = float(np.average(self.data.y, weights=self.data.weights))
        self.rules: Rules | None = None  # none for the constant, which stays to compare with
        self.ruled_out: Counter[str] = Counter()  # laws by the constraint that they break
        self.best_ruled_out: Fit | None = None
        self._near_ruled_out: dict[str, tuple[Fit, str]] = {}  # laws near that one, and how they were found
        self.contradiction: str | None = None  # a constraint that the law behind the rows breaks
        self.offer([Proposal(constant(mean), "a constant")])
        self.rules = rules

    def offer(self, proposals: Sequence[Proposal]) -> None:
        """Refit laws to the rows and keep those that are worth it; no form is fitted twice from the same guess."""
        fresh = [
            (done, proposal.origin)
            for proposal in proposals
            if proposal.expression.n_nodes <= EVIDENCE.longest_proposal
            and (done := self._refit(self._written_shortly(proposal.expression))) is not None
        ]
        for done, origin in sorted(fresh, key=lambda pair: self._few_score(pair[0])):
            if self._is_promising(done):
                self._admit(done, origin)

    def weigh(self, weights: Floats) -> None:
        """Let rows count in fits by what is known of their noise; laws are compared on all rows as before.

        So the laws that are known keep their scores, and the best are offered again with refitted constants.
        If time is up meanwhile, none is lost.
        """
        given = self.data.weights
        own = replace(self.data, weights=weights if given is None else given * weights)
        self.rows = FitData(_weighty(own), self._operators, self.data, self._watch)
        self._reached.clear()
        self._candidates = {key: self._on_few(one) for key, one in self._candidates.items()}
        best = self.candidates[: EVIDENCE.n_fitted_anew]
        self.offer([Proposal(one.law.equation.expression, one.law.origin) for one in best])

    def add(self, done: Fit, origin: str, parts: tuple[Part, ...] = ()) -> Candidate | None:
        """Keep a fit to all rows as a candidate; None where it has no values on some row or is not allowed.

        `parts` are what it has in the holes of a template.
        """
        if not self.is_dimensionally_right(done.expression):
            self.n_wrong += 1
            return None
        if not self.allows(done.expression):
            if self.too_long is None or self._few_score(done) < self._few_score(self.too_long):
                self.too_long = done
            return None
        if self._breaks_a_rule(done):
            return None
        loss, held_loss = self._all.loss(done.expression), self._held.loss(done.expression)
        if not np.isfinite(loss + held_loss):
            return None
        near = at_rounding(done, self.rows)
        score = self.rows.evidence.score(done)
        score = score if near else replace(score, structure=self._structure(done))
        law = Law(Equation.from_fit(done, self.data.names), loss, held_loss, score.total, origin, parts)
        exact = near and is_exact(done, self.rows, self._good_held(done, score))
        few_loss, few_score = self.rows.few.loss(done.expression), self._few_score(done)
        significant = self.can_tell or is_significant(done, self.data)
        text = law.equation.text()
        candidate = Candidate(done, law, score, near, exact, text, few_loss, few_score, significant)
        key = canonical_key(done.expression)
        known = self._candidates.get(key)
        if (
            known is None
            or law.score <= known.law.score + EQUAL_SCORE
            or (exact and candidate.score.law < known.score.law)
        ):
            self._candidates[key] = candidate
        self._forget()
        return candidate

    def lead_of(self, one: Candidate) -> float:
        """By how many nats the rows prefer a law to the unknown one, infinite where none is known."""
        if self.unknown is None:
            return math.inf
        if one.text not in self._leads:
            self._leads[one.text] = self.unknown.lead(one.fit)
        return self._leads[one.text]

    def gain_of_exact(self, one: Candidate) -> float:
        """By how many nats the rows would prefer an exact law to a candidate, but for what both cost to write."""
        rounding = (EXACT * self.data.std) ** 2
        return 0.5 * self.data.n_rows * math.log1p(one.law.loss / rounding) if rounding > 0 else 0.0

    def is_dimensionally_right(self, law: Expression) -> bool:
        """Whether units of its constants make a law right, as far as units are known."""
        return math.isfinite(units_length(law, self.data.dimensions))

    def _breaks_a_rule(self, done: Fit) -> bool:
        """Whether a law breaks a constraint; it is counted then, and the best of such laws is remembered."""
        broken = None if self.rules is None else self.rules.broken(done.expression)
        if broken is None:
            return False
        self.ruled_out[broken.text] += 1
        if isinstance(broken, ON_THE_BOX) and at_rounding(done, self.rows) and is_exact(done, self.rows, self.held):
            self.contradiction = broken.text
        if self.best_ruled_out is None or self._few_score(done) < self._few_score(self.best_ruled_out):
            self.best_ruled_out = done
        return True

    def allows(self, law: Expression) -> bool:
        """Whether a law is as short as the user asks for."""
        return self._max_complexity is None or law.complexity <= self._max_complexity

    def _on_few(self, one: Candidate) -> Candidate:
        """A candidate measured on a few rows as these count now."""
        return replace(one, few_loss=self.rows.few.loss(one.fit.expression), few_score=self._few_score(one.fit))

    def _structure(self, done: Fit) -> float:
        """What the residual says against a law, in nats: noise knows nothing of the columns."""
        few = self.rows.few
        return evidence_of_structure(few.residual(done.expression), few.data.columns, len(done.constants))

    def _good_held(self, done: Fit, score: Score) -> Dataset:
        """The held rows without outliers, where these are no more than the law's own rows lead to expect."""
        bad = None if self.held is self.data else self._held.evidence.score(done).rows.are_outliers
        if bad is None:
            return self.held
        n_bad = int(np.count_nonzero(bad))
        expected = score.noise.outliers * self.held.n_rows
        as_expected = n_bad <= expected + OUTLIER_SIGMAS * math.sqrt(expected) + 1
        return self.held.rows(~bad) if as_expected else self.held

    @property
    def can_tell(self) -> bool:
        """Whether enough rows are held back to tell a law from chance."""
        return self.held is not self.data and self.held.n_rows >= ENOUGH_HELD

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The best first: exact laws by what they cost to write, then the others by their score.

        With few rows a constant, or a formula that is rough between the rows, may be the shortest description
        of rows that have a law; they come after what is significant.
        """
        ranked = sorted(self._candidates.values(), key=_rank)
        if not (ranked[0].exact or ranked[0].significant):
            ranked.sort(key=lambda one: not one.significant)
        return tuple(ranked)

    @property
    def best_candidate(self) -> Candidate:
        return self.candidates[0]

    @property
    def best(self) -> Law:
        return self.best_candidate.law

    @property
    def front(self) -> tuple[Law, ...]:
        """Laws that no other beats in both complexity and loss, simplest first."""
        return tuple(one.law for one in self.front_candidates)

    @property
    def front_candidates(self) -> tuple[Candidate, ...]:
        return tuple(_pareto_front(self.candidates, _squared(EQUAL_LOSS * std_of(self.data))))

    @property
    def is_exact(self) -> bool:
        """Whether some law is the law behind the rows."""
        return any(one.exact for one in self._candidates.values())

    def _written_shortly(self, guess: Expression) -> Expression:
        """A proposal in its shortest form, unless that would lose constants: 1*x + 1*y keeps both."""
        shorter = self.rows.shortened(guess)
        return shorter if len(shorter.constants) == len(guess.constants) else guess

    def _refit(self, guess: Expression) -> Fit | None:
        """The better of two fits to a few rows, with the constants as proposed and with one at each term.

        None where the same families have done as well, or there are no values.
        """
        found = [self._refit_family(guess)]
        if found[0] is None or found[0].rss / found[0].n_rows > self._smallest:
            loose = loosened(guess)
            is_another = len(loose.constants) > len(guess.constants) and self.allows(loose)
            found.append(self._refit_family(loose) if is_another else None)
        return min((done for done in found if done is not None), key=self._few_score, default=None)

    def _refit_family(self, guess: Expression) -> Fit | None:
        key = canonical_key(guess.skeleton())
        reached = self._reached.get(key)
        if reached is not None and not self.rows.few.loss(guess) < BETTER * reached - self._smallest:
            return None
        done = refit(guess, self.rows)
        self._reached[key] = np.inf if done is None else done.rss / done.n_rows
        return done

    def _admit(self, done: Fit, origin: str) -> None:
        """Continue a fit on all rows and keep it; what is at rounding level is brought to its shortest form."""
        done = polished(done, self.rows)
        if at_rounding(done, self.rows):
            done = self._shorten(done, self.rows)
        if self.add(done, origin) is None and self._is_near_the_ruled_out(done):
            self._remember_ruled_out(done, origin)

    def _few_score(self, done: Fit) -> float:
        return self.rows.few.evidence.score(done).promise

    @cached_property
    def _smallest(self) -> float:
        """A loss that is rounding error."""
        return _squared(EQUAL_LOSS * std_of(self.rows.few.data))

    def _is_promising(self, done: Fit) -> bool:
        """Whether a fit to a few rows may come onto the Pareto front or near the best."""
        if self.may_join_front(done):
            return True
        return self._few_score(done) < min(one.few_score for one in self._candidates.values()) + PROMISING

    def _is_near_the_ruled_out(self, done: Fit) -> bool:
        """Whether a law that breaks a constraint is one of the best that do."""
        best = self.best_ruled_out
        return best is not None and self._few_score(done) < self._few_score(best) + PROMISING

    @property
    def near_ruled_out(self) -> tuple[tuple[Fit, str], ...]:
        """The best laws that break a constraint, and how they were found, the best first."""
        near = [pair for pair in self._near_ruled_out.values() if self._is_near_the_ruled_out(pair[0])]
        return tuple(sorted(near, key=lambda pair: self._few_score(pair[0]))[: EVIDENCE.candidates_kept])

    def _remember_ruled_out(self, done: Fit, origin: str) -> None:
        if len(self._near_ruled_out) >= 2 * EVIDENCE.candidates_kept:
            self._near_ruled_out = {canonical_key(one.expression): (one, how) for one, how in self.near_ruled_out}
        self._near_ruled_out[canonical_key(done.expression)] = done, origin

    def may_join_front(self, done: Fit) -> bool:
        """Whether no law that is as short errs less than a fit to a few rows does there."""
        loss = done.rss / done.n_rows
        return self.allows(done.skeleton) and not any(
            one.law.complexity <= done.skeleton.complexity and one.few_loss <= loss for one in self._candidates.values()
        )

    def _forget(self) -> None:
        """Keep the best and the Pareto front."""
        if len(self._candidates) <= 2 * EVIDENCE.candidates_kept:
            return
        kept = {id(one) for one in (*self.candidates[: EVIDENCE.candidates_kept], *_pareto_front(self.candidates, 0.0))}
        self._candidates = {key: one for key, one in self._candidates.items() if id(one) in kept}


def _weighty(data: Dataset) -> Dataset:
    """The rows that count."""
    return data if data.weights is None or data.weights.all() else data.rows(data.weights > 0)


def _check_size(data: Dataset) -> None:
    """Refuse a target whose squares are not numbers."""
    largest = float(np.abs(data.y).max())
    if largest and not SMALLEST_TARGET < largest < LARGEST_TARGET:
        raise DataError(
            f"The target {data.target!r} has values of size {largest:.0e}, and the squares of its errors are beyond "
            "the range of floating-point numbers. Divide it by a power of ten."
        )


def _squared(value: float) -> float:
    """The square, infinite where it is too large."""
    return value * value


def _rank(one: Candidate) -> tuple[bool, float, float, str]:
    return not one.exact, one.score.law if one.exact else one.law.score, one.law.loss, one.text


def _pareto_front(ranked: Sequence[Candidate], floor: float) -> list[Candidate]:
    """The best of each complexity, as long as the loss falls; the best of all is among them."""
    return pareto_front(
        ranked, size=lambda one: one.law.complexity, loss=lambda one: one.law.loss, floor=floor, keeps_first=True
    )
