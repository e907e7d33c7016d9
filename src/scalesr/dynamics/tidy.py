"""Tidying: laws written shortly once constants have snapped."""

from __future__ import annotations

import numpy as np

from scalesr.dynamics.choose import Contest
from scalesr.dynamics.shooting import Shot
from scalesr.dynamics.system import StateLaw
from scalesr.expr.expression import Expression
from scalesr.expr.simplify import simplify

TINY = 1e-8  # size of constants that may be what rounding made of nothing
SAME = 1.001  # times a residual: the same function, integrated and fitted once more, may be so far off


def tidied(best: Shot, contest: Contest) -> Shot:
    """The system with each law in its shortest form, where that costs no constants and no closeness."""
    best = _without_tiny(best, contest)
    for place, law in enumerate(best.system.laws):
        shorter = _shortly(law)
        if shorter.expression == law.expression or len(shorter.free) > len(law.free):
            continue
        trial = contest.shot(best.system.with_law(place, shorter), best.starts)
        if trial.is_finite and (trial.errors <= SAME * best.errors).all():
            best = trial
    return best


def _without_tiny(best: Shot, contest: Contest) -> Shot:
    """The system without constants that are next to nothing, where the trajectories do not object."""
    for place in range(best.system.n_states):
        for value in [v for v in best.system.laws[place].expression.constants.tolist() if 0 < abs(v) < TINY]:
            law = best.system.laws[place]
            constants = np.where(law.expression.constants == value, 0.0, law.expression.constants)
            shorter = simplify(law.expression.skeleton().bind(constants))
            if shorter.n_nodes >= law.expression.n_nodes or contest.deadline.passed:
                continue
            trial = contest.shot(best.system.with_law(place, _closed_as(law, shorter)), best.starts)
            best = trial if contest.is_better(trial, best) else best
    return best


def _shortly(law: StateLaw) -> StateLaw:
    """The shortest form; constants that it shares with the closed ones, or that are small and whole, are closed."""
    return _closed_as(law, simplify(law.expression))


def _closed_as(law: StateLaw, shorter: Expression) -> StateLaw:
    closed = {abs(v) for k, v in enumerate(law.expression.constants.tolist()) if k not in law.free}
    closed |= {0.5, *map(float, range(1, 13))}
    free = tuple(k for k, v in enumerate(shorter.constants.tolist()) if abs(v) not in closed)
    return StateLaw(shorter, free)
