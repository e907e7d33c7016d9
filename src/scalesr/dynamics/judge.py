"""What may be said of laws of motion, by trajectories that had no part in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.length import length
from scalesr.dynamics.shooting import Shot
from scalesr.dynamics.together import Relation
from scalesr.dynamics.trajectories import Trajectories
from scalesr.records.discovery import Discovery, Law, Verdict
from scalesr.records.equation import Equation
from scalesr.records.noise import Noise

Floats = NDArray[np.float64]

EXACT = 1e-8  # of a state's spread: what solvers and the integration of ours leave of an exact law
FITS = 1.25  # times the noise: residuals of a right law
SHORT = 8  # constants that a law may have to be called exact


def judged(
    shot: Shot, tested: Shot, found: Sequence[Discovery], data: Trajectories, noise: Floats, share: float,
    related: Sequence[Relation], held_back: bool,
) -> tuple[Discovery, ...]:  # fmt: skip
    """One discovery per state, with the law that the trajectories chose and the verdict on it."""
    spread = data.all_states.std(axis=0)
    score = length(shot, spread, share, len(data.names))
    done, at = [], 0
    for place, discovery in enumerate(found):
        law = shot.system.laws[place]
        size = len(law.expression.constants)
        covariance = np.zeros((size, size))
        block = slice(at, at + len(law.free))
        covariance[np.ix_(law.free, law.free)] = shot.covariance[block, block] / share
        at += len(law.free)
        equation = Equation(law.expression, data.names, covariance)
        loss, held = float(shot.errors[place]) ** 2, float(tested.errors[place]) ** 2
        made = Law(equation, loss, held, score, f"trajectories, {discovery.law.origin}")
        verdict, reason = _verdict(made, float(noise[place]), float(spread[place]), place, related, data, held_back)
        done.append(
            replace(
                discovery,
                law=made,
                verdict=verdict,
                reason=reason,
                noise=Noise("constant", float(noise[place])),
                probability=None,
                rivals=(),
                front=_front(discovery, data),
            )
        )
    return tuple(done)


def _front(discovery: Discovery, data: Trajectories) -> tuple[Law, ...]:
    """The front of the search on rates, as far as its laws are over all columns."""
    return tuple(law for law in discovery.front if law.equation.names == data.names)


def _verdict(
    law: Law, noise: float, spread: float, place: int, related: Sequence[Relation], data: Trajectories, held_back: bool,
) -> tuple[Verdict, str]:  # fmt: skip
    error = float(np.sqrt(law.held_loss))
    if not np.isfinite(error):
        return Verdict.APPROXIMATE, "The system blows up or leaves its domain along the trajectories."
    where = "held-back trajectories" if held_back else f"the {len(data.runs)} of the fit, with none to hold back,"
    quality = (
        f"Along {where} {data.states[place]} is off by {error:.2g}, {error / spread:.1e} of its spread; "
        f"its noise is about {noise:.1g}."
    )
    hidden = [r.sentence for r in related if set(r.states) & {place, *law.equation.expression.variables}]
    if hidden:
        return Verdict.NOT_IDENTIFIABLE, f"{hidden[0]} {quality}"
    if not np.isfinite(law.equation.covariance).all():
        return Verdict.NOT_IDENTIFIABLE, f"Not all constants can be told apart on these trajectories. {quality}"
    if not law.equation.expression.variables and error > EXACT * spread:
        return Verdict.NO_LAW, f"No law that was tried does better than a constant rate. {quality}"
    is_tested = held_back or len(data.names) == 1  # few curves in several dimensions leave room for other laws
    if error <= EXACT * spread and len(law.equation.constants) <= SHORT and is_tested:
        return Verdict.EXACT, quality
    if error <= FITS * max(noise, EXACT * spread) and len(law.equation.constants) <= SHORT:
        return Verdict.WITHIN_NOISE, quality
    return Verdict.APPROXIMATE, quality
