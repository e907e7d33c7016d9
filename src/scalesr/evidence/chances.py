"""Chances: laws of log-odds, fitted to answers of yes and no by maximum likelihood, and what they are worth.

Each step of a fit is Fisher's scoring: least squares on the log-odds plus what each answer says against them, weighted
by the precision of the answer. At its end the constants are those of the highest likelihood, and their covariance is
the inverse of Fisher's information.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.discrete import explain_discrete
from scalesr.evidence.judged import JudgedLaw
from scalesr.evidence.probability import proposed, shares
from scalesr.evidence.refit import WARM
from scalesr.evidence.residual_tests import UNLIKELY, structure_left
from scalesr.evidence.score import score_of
from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, constant
from scalesr.expr.fitting import Fit, fit
from scalesr.expr.signs import with_signs_before_terms
from scalesr.expr.threads import Watch
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Law, Rival, Verdict
from scalesr.records.equation import Equation
from scalesr.records.noise import BINARY, Noise
from scalesr.records.pareto import pareto_front

Floats = NDArray[np.float64]

YES_OR_NO: Final = Noise(BINARY, source="given")
MAX_SCORING_STEPS: Final = 30  # of Fisher's scoring, at most
CONVERGED_NATS: Final = 1e-9  # nats per row by which a step has to help
SURE: Final = 1e-6  # chance of the other answer, at which log-odds are no longer told by the rows
LEAST_PROBABILITY: Final = 1e-3  # probability below which a rival is not named
N_RIVALS: Final = 5


class Chances:
    """Laws of the log-odds of yes on one table."""

    def __init__(self, data: Dataset, *, max_complexity: int | None = None, watch: Watch | None = None) -> None:
        self.data, self._max_complexity, self._watch = data, max_complexity, watch
        self._weights = np.ones(data.n_rows) if data.weights is None else data.weights / data.weights.mean()
        self._known: dict[str, JudgedLaw] = {}
        share = float(np.average(data.y, weights=data.weights))
        self.offer(constant(math.log(share / (1 - share))), "a constant")

    def offer(self, odds: Expression, origin: str) -> None:
        """Fit a law of log-odds, with its numbers as they are written and with all of them open."""
        for form in dict.fromkeys((odds, odds.skeleton())):
            start = odds.constants if form.n_open else np.empty(0)
            done = self._fitted(form, start)
            if done is None:
                continue
            one = self._judged(done, origin)
            key = canonical_key(done.expression.skeleton())
            is_short = self._max_complexity is None or one.law.complexity <= self._max_complexity or not self._known
            if is_short and (key not in self._known or one.score.total < self._known[key].score.total):
                self._known[key] = one

    @property
    def ranked(self) -> tuple[JudgedLaw, ...]:
        """The best first."""
        return tuple(sorted(self._known.values(), key=lambda one: (one.score.total, one.law.complexity)))

    @property
    def best(self) -> JudgedLaw:
        return self.ranked[0]

    @property
    def front(self) -> tuple[Law, ...]:
        """Laws that no other beats in both complexity and loss, and the best of all, simplest first."""
        front = pareto_front(
            self.ranked, size=lambda one: one.law.complexity, loss=lambda one: one.law.loss, keeps_first=True
        )  # fmt: skip
        return tuple(one.law for one in front)

    def judged(self) -> tuple[Verdict, str]:
        """What the rows say of the best law, with the evidence in sentences."""
        best = self.best
        if not best.fit.skeleton.variables:
            return Verdict.NO_LAW, "No law that was tried predicts the answers better than their overall share does."
        said = self._quality(best)
        if ((self._chances(best.fit) > 0.5) == (self.data.y == 1)).all():
            return (
                Verdict.NOT_IDENTIFIABLE,
                f"{said} It separates all answers, so that the rows do not determine how fast the probability changes.",
            )
        if best.fit.rank < len(best.fit.constants):
            n_told, n_all = best.fit.rank, len(best.fit.constants)
            return Verdict.NOT_IDENTIFIABLE, f"Only {n_told} of the law's {n_all} constants can be told apart. {said}"
        unlikely, where = self._left(best)
        if unlikely < UNLIKELY:
            left = f"Structure is left in the residual: {where} (by chance with a probability of {unlikely:.0e})."
            return Verdict.APPROXIMATE, f"{said} {left}"
        return Verdict.WITHIN_NOISE, (
            f"{said} What is left looks like coin flips with these probabilities. No simpler law that was tried "
            "does as well."
        )

    def probability(self, verdict: Verdict) -> tuple[float, tuple[Rival, ...]]:
        """The probability of the best law, and its rivals of other forms."""
        ranked = self.ranked
        is_left = verdict is not Verdict.WITHIN_NOISE
        among = proposed(len(ranked[0].fit.constants), is_exact=False, is_left=is_left)
        if verdict is Verdict.NO_LAW:
            among = 0.0
        parts = [among * share for share in shares([one.score.total for one in ranked])]
        others = zip(ranked[1:], parts[1:], strict=True)
        told = [Rival(one.law, part) for one, part in others if part >= LEAST_PROBABILITY]
        return parts[0], tuple(told[:N_RIVALS])

    def _fitted(self, form: Expression, start: Floats) -> Fit | None:
        """The fit of the highest likelihood; None where a row has no value."""
        done: Fit | None = None
        least = math.inf
        here = form.bind(start)
        for _ in range(MAX_SCORING_STEPS):
            with np.errstate(all="ignore"):
                odds = evaluate(here, self.data.table)
            if not np.isfinite(odds).all():
                return done
            chances = np.clip(chance_of(odds), SURE, 1 - SURE)
            precision = chances * (1 - chances)
            working = np.log(chances / (1 - chances)) + (self.data.y - chances) / precision
            weights = precision * self._weights
            step = fit(
                form, self.data.table, working, weights=weights, starts=here_constants(here, form), effort=WARM,
                watch=self._watch,
            )  # fmt: skip
            if not step.ok:
                return done
            cost = self._cost(step)
            if not cost < least - CONVERGED_NATS * self.data.n_rows:
                return done or step
            done, least, here = _with_fishers_covariance(step), cost, step.expression
        return done

    def _cost(self, done: Fit) -> float:
        return explain_discrete(self.data, self._chances(done), YES_OR_NO).cost

    def _chances(self, done: Fit) -> Floats:
        with np.errstate(all="ignore"):
            return np.clip(chance_of(evaluate(done.expression, self.data.table)), SURE, 1 - SURE)

    def _judged(self, done: Fit, origin: str) -> JudgedLaw:
        chances = self._chances(done)
        rows = explain_discrete(self.data, chances, YES_OR_NO)
        score = score_of(done, rows, None)
        loss = float(np.average((self.data.y - chances) ** 2, weights=self.data.weights))
        law = Law(probability_law(done, self.data.names), loss, loss, score.total, origin)
        return JudgedLaw(done, law, score)

    def _left(self, best: JudgedLaw) -> tuple[float, str]:
        chances = self._chances(best.fit)
        residual = (self.data.y - chances) / np.sqrt(chances * (1 - chances))
        return structure_left(residual * np.sqrt(self._weights), self.data.columns, len(best.fit.constants))

    def _quality(self, best: JudgedLaw) -> str:
        chances = self._chances(best.fit)
        loss, plain = (self._log_loss(one) for one in (chances, np.full(self.data.n_rows, self._share)))
        right = float(np.average((chances > 0.5) == (self.data.y == 1), weights=self.data.weights))
        return (
            f"On all {self.data.n_rows} rows the answers cost {loss:.3g} nats each under the law and {plain:.3g} under "
            f"their share; its likelier answer is right in {right:.0%}."
        )

    def _log_loss(self, chances: Floats) -> float:
        return float(-np.average(np.log(np.where(self.data.y == 1, chances, 1 - chances)), weights=self.data.weights))

    @cached_property
    def _share(self) -> float:
        return float(np.average(self.data.y, weights=self.data.weights))


def chance_of(odds: Floats) -> Floats:
    """The probability that log-odds stand for."""
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-odds)))


def here_constants(here: Expression, form: Expression) -> Floats | None:
    """The values of a form's open constants, as the start of a fit; None where it has none."""
    return here.constants[form.open_indices][np.newaxis] if form.n_open else None


def as_probability(odds: Expression) -> Expression:
    """1/(1 + exp(-f)) of log-odds f."""
    return apply("/", constant(1.0), apply("+", constant(1.0), apply("exp", apply("neg", odds))))


def probability_law(done: Fit, names: Sequence[str]) -> Equation:
    """The probability of yes, with the covariance of the constants of its log-odds."""
    if not done.skeleton.variables:
        return _constant_law(done, names)
    expression = as_probability(done.expression)
    n_before = len(expression.constants) - len(done.skeleton.constants)  # those of 1/(1 + exp(...)) come first
    fitted = n_before + done.skeleton.open_indices
    covariance = np.zeros((len(expression.constants),) * 2)
    covariance[np.ix_(fitted, fitted)] = done.covariance
    signed, signs = with_signs_before_terms(expression)
    return Equation(signed, tuple(names), covariance * np.outer(signs, signs))


def _constant_law(done: Fit, names: Sequence[str]) -> Equation:
    """The share of yes, with its standard error."""
    share = float(chance_of(evaluate(done.expression, np.zeros((1, len(names)))))[0])
    error = share * (1 - share) * float(np.sqrt(np.trace(done.covariance)))
    return Equation(constant(share), tuple(names), np.array([[error**2]]))


def _with_fishers_covariance(done: Fit) -> Fit:
    """The fit with the covariance that answers have: their variance is known, and not estimated from the residual."""
    freedom = max(done.n_rows - done.rank, 1)
    scale = freedom / done.rss if done.rss > 0 else 1.0
    return Fit(
        done.skeleton, done.constants, done.covariance * scale, done.rss, done.rank, done.status, done.n_failed,
        done.n_rows, done.n_trials,
    )  # fmt: skip
