"""Tidying: laws written shortly once constants have snapped."""

from __future__ import annotations

from scalesr.dynamics.choose import Contest
from scalesr.dynamics.shooting import Shot
from scalesr.dynamics.system import StateLaw
from scalesr.expr.simplify import simplify

SAME = 1 + 1e-6  # residuals closer than this are the same


def tidied(best: Shot, contest: Contest) -> Shot:
    """The system with each law in its shortest form, where that costs no constants and no closeness."""
    for place, law in enumerate(best.system.laws):
        shorter = _shortly(law)
        if shorter.expression == law.expression or len(shorter.free) > len(law.free):
            continue
        trial = contest.shot(best.system.with_law(place, shorter), best.starts)
        if trial.is_finite and (trial.errors <= SAME * best.errors).all():
            best = trial
    return best


def _shortly(law: StateLaw) -> StateLaw:
    """The shortest form; constants that it shares with the closed ones, or that are small and whole, are closed."""
    shorter = simplify(law.expression)
    closed = {abs(v) for k, v in enumerate(law.expression.constants.tolist()) if k not in law.free}
    closed |= {0.5, *map(float, range(1, 13))}
    free = tuple(k for k, v in enumerate(shorter.constants.tolist()) if abs(v) not in closed)
    return StateLaw(shorter, free)
