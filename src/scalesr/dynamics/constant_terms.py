"""Constant terms: whether a rate that is always there can be told from zero, as a statistical statement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.choose import Contest
from scalesr.dynamics.length import independent_share
from scalesr.dynamics.shooting import Shot
from scalesr.dynamics.system import StateLaw
from scalesr.expr.evaluate import jacobian
from scalesr.expr.expression import Expression, apply, constant

CLEAR = 5.0  # standard errors from zero
ROWS = 500


@dataclass(frozen=True, slots=True)
class ConstantTerm:
    """The estimate of a constant term that a law was tried with."""

    state: str
    estimate: float
    standard_error: float
    kept: bool

    @property
    def z(self) -> float:
        """Standard errors from zero."""
        return self.estimate / self.standard_error if self.standard_error > 0 else np.inf

    @property
    def sentence(self) -> str:
        if self.kept and abs(self.z) <= CLEAR:
            said = "belongs to the law, though by itself it could not be distinguished from zero"
        else:
            said = (
                "differs from zero and was kept" if self.kept else "cannot be distinguished from zero and was left out"
            )
        return (
            f"A constant term in the law of {self.state} is {self.estimate:.3g} ± {self.standard_error:.1g} "
            f"(z = {self.z:.1f}): it {said}."
        )


def constant_terms(
    best: Shot, contest: Contest, states: Sequence[str], given: Sequence[str] = ()
) -> tuple[Shot, tuple[ConstantTerm, ...]]:
    """The system with the constant terms that the trajectories ask for, and what is known of all of them.

    The laws of `given` states have none.
    """
    found = []
    for place, state in enumerate(states):
        law = best.system.laws[place].expression
        if contest.deadline.passed or not best.is_finite or state in given:
            continue
        if _has_one(law, contest.tables[place].table[:ROWS]):
            found += _own_term(best, place, contest, state)
            continue
        longer = StateLaw.all_free(apply("+", law, constant(0.0)))
        trial = contest.shot(best.system.with_law(place, longer), best.starts)
        if not trial.is_finite or not np.isfinite(trial.covariance).all():
            continue
        at = sum(len(one.free) for one in trial.system.laws[: place + 1]) - 1
        share = independent_share(trial, contest.segments.counts)
        estimate = float(trial.system.laws[place].values[-1])
        error = float(np.sqrt(trial.covariance[at, at] / share))
        kept = abs(estimate) > CLEAR * error and contest.is_better(trial, best)
        found.append(ConstantTerm(state, estimate, error, kept))
        best = trial if kept else best
    return best, tuple(found)


def _own_term(best: Shot, place: int, contest: Contest, state: str) -> list[ConstantTerm]:
    """What is known of the constant term that a law has, where it is one of its free constants."""
    law = best.system.laws[place]
    by = jacobian(law.expression, contest.tables[place].table[:ROWS])
    alone = [k for k in law.free if np.ptp(by[:, k]) <= 1e-12 * np.abs(by[:, k]).max() and by[0, k] != 0]
    if len(alone) != 1 or not best.is_determined:
        return []
    at = sum(len(one.free) for one in best.system.laws[:place]) + law.free.index(alone[0])
    share, slope = independent_share(best, contest.segments.counts), float(by[0, alone[0]])
    error = abs(slope) * float(np.sqrt(best.covariance[at, at] / share))
    return [ConstantTerm(state, slope * float(law.expression.constants[alone[0]]), error, kept=True)]


def _has_one(law: Expression, table: NDArray[np.float64]) -> bool:
    """Whether the law's own constants can do what a constant term would."""
    by = jacobian(law, table)
    if by.shape[1] == 0:
        return False
    scaled = by / np.maximum(np.abs(by).max(axis=0), 1e-300)
    ones = np.ones(len(by))
    left = ones - scaled @ np.linalg.lstsq(scaled, ones, rcond=1e-12)[0]
    return bool(np.abs(left).max() < 1e-6)
