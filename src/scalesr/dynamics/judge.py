"""What may be said of laws of motion, by trajectories that had no part in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.decide import Decided
from scalesr.dynamics.length import length
from scalesr.dynamics.residuals import CLEAR, ResidualTest
from scalesr.dynamics.together import Relation
from scalesr.dynamics.trajectories import Trajectories
from scalesr.expr.expression import Expression
from scalesr.expr.printing import to_text
from scalesr.records.discovery import Discovery, Law, Verdict
from scalesr.records.equation import Equation
from scalesr.records.noise import Noise

Floats = NDArray[np.float64]

EXACT = 1e-8  # of a state's standard deviation: what solvers and the integration of ours leave of an exact law
NUMERICAL = 1e-6  # of a state's standard deviation: what a solver with usual tolerances leaves of an exact law
SHORT = 8  # constants that a law may have to be called exact


@dataclass(frozen=True, slots=True)
class Tested:
    """The residuals of the fit and of trajectories that had no part in it."""

    fitted: tuple[ResidualTest, ...]  # one per state
    held: tuple[ResidualTest, ...]
    n_points: int  # of the segments along which a system was run from fitted starts
    held_back: bool  # whether these trajectories had no part in the laws


def unsearched(laws: Sequence[Expression], data: Trajectories) -> list[Discovery]:
    """Discoveries of laws that no search on rates was needed for, to be judged."""
    found = []
    for law in laws:
        size = len(law.constants)
        equation = Equation(law, data.names, np.zeros((size, size)))
        made = Law(equation, np.nan, np.nan, np.nan, "weak form")
        found.append(Discovery(made, Verdict.APPROXIMATE, "", (), (), 0.0))
    return found


def judged(
    best: Decided, tested: Tested, found: Sequence[Discovery], data: Trajectories, related: Sequence[Relation]
) -> tuple[Discovery, ...]:  # fmt: skip
    """One discovery per state, with the law that the trajectories chose and the verdict on it."""
    shot, share = best.shot, best.last.share
    std = data.all_states.std(axis=0)
    score = length(shot, std, share, len(data.names))
    done, at = [], 0
    for place, discovery in enumerate(found):
        law = shot.system.laws[place]
        size = len(law.expression.constants)
        covariance = np.zeros((size, size))
        block = slice(at, at + len(law.free))
        covariance[np.ix_(law.free, law.free)] = shot.covariance[block, block] / share
        at += len(law.free)
        equation = Equation(law.expression, data.names, covariance)
        seen = measured_place(place, data)
        loss, held = tested.fitted[seen].error ** 2, tested.held[seen].error ** 2
        made = Law(equation, loss, held, score, f"trajectories, {discovery.law.origin}")
        verdict, reason = _verdict(made, tested, float(std[seen]), seen, related, data)
        others = _rivals(best, place, data)
        if others and verdict is Verdict.WITHIN_NOISE:
            verdict, reason = Verdict.NOT_IDENTIFIABLE, f"{others} {reason}"
        if place in data.given:
            verdict, reason = Verdict.EXACT, f"{data.states[data.given[place]]} is the rate of it by definition."
        noise, front = Noise("constant", tested.fitted[seen].noise), _front(discovery, data) or (made,)
        said = replace(discovery, law=made, verdict=verdict, reason=reason, noise=noise, front=front)
        done.append(replace(said, probability=None, rivals=()))  # those of the search on rates are not of this law
    return tuple(done)


def _rivals(best: Decided, place: int, data: Trajectories) -> str:
    """What is said of laws that the trajectories cannot distinguish from the one of this state."""
    own = dict.fromkeys(_shown(rival.law, data) for rival in best.rivals if rival.state == place)
    if not own:
        return ""
    return f"These trajectories cannot distinguish it from {' or '.join(own)}; starts elsewhere or less noise would."


def _shown(law: Expression, data: Trajectories) -> str:
    """A law with a few digits."""
    rounded = [float(f"{value:.3g}") for value in law.constants.tolist()]
    return to_text(law.skeleton().bind(rounded), data.names)


def measured_place(place: int, data: Trajectories) -> int:
    """The state that a law is tested on: its own, or the measured one whose rate it is."""
    n_measured = data.n_states - data.n_hidden
    return place if place < n_measured else place - n_measured


def _front(discovery: Discovery, data: Trajectories) -> tuple[Law, ...]:
    """The Pareto front of the search on rates, as far as its laws are over all columns."""
    return tuple(law for law in discovery.front if law.equation.names == data.names)


def _verdict(
    law: Law, tested: Tested, std: float, place: int, related: Sequence[Relation], data: Trajectories
) -> tuple[Verdict, str]:  # fmt: skip
    held = tested.held[place]
    if not np.isfinite(held.error):
        return Verdict.APPROXIMATE, "The system blows up or leaves its domain along the trajectories."
    quality = _quality(tested, std, place, data)
    hidden = [r.sentence for r in related if set(r.states) & {place, *law.equation.expression.variables}]
    if hidden:
        return Verdict.NOT_IDENTIFIABLE, f"{hidden[0]} {quality}"
    if not np.isfinite(law.equation.covariance).all():
        return Verdict.NOT_IDENTIFIABLE, f"Not all constants can be told apart on these trajectories. {quality}"
    if not law.equation.expression.variables and held.error > EXACT * std:
        return Verdict.NO_LAW, f"No law that was tried does better than a constant rate. {quality}"
    is_tested = tested.held_back or len(data.names) == 1  # few curves in several dimensions leave room for other laws
    is_short = len(law.equation.constants) <= SHORT
    if held.error <= EXACT * std and is_short and is_tested:
        return Verdict.EXACT, quality
    if held.error <= NUMERICAL * std and is_short:
        return Verdict.WITHIN_NOISE, f"What is left is as small as the tolerance of a solver. {quality}"
    tests = (tested.fitted[place], held)
    if is_short and all(test.is_noise for test in tests):
        return Verdict.WITHIN_NOISE, f"The residuals are as large as the noise and show no structure. {quality}"
    if max(test.z for test in tests) > CLEAR:
        return Verdict.APPROXIMATE, f"Neighbouring residuals are correlated, so that structure is left. {quality}"
    return Verdict.APPROXIMATE, quality


def _quality(tested: Tested, std: float, place: int, data: Trajectories) -> str:
    """How far a state is off, along what and from where."""
    held = tested.held[place]
    n_runs = len(data.runs)
    same = "the one trajectory" if n_runs == 1 else f"the {n_runs} trajectories"
    where = "held-back trajectories" if tested.held_back else f"{same} of the fit, with none to hold back,"
    return (
        f"Along stretches of up to {tested.n_points} points of {where} {data.states[place]} is off by {held.error:.2g} "
        f"({100 * held.error / std:.2g} % of its standard deviation) from fitted starts; its noise is about "
        f"{held.noise:.1g}."
    )
