"""Bend: a law that breaks a constraint, with its constants fitted so that it does not, or without a part."""

from __future__ import annotations

from collections.abc import Iterator

from scalesr.combine.prune import pruned
from scalesr.combine.refit import WARM, Rows
from scalesr.evidence.constraints import Rules, constrained
from scalesr.expr.fitting import Fit


def bent(done: Fit, rows: Rows, rules: Rules) -> Iterator[Fit]:
    """Laws near one that breaks a constraint which obey it: what equalities say is fitted with the rows.

    a*exp(-b*x) + c that has to be 0 at 0 becomes one with c = -a. What the rows do not need is left out of it.
    """
    shorter = pruned(done, rows)
    if shorter is not done and rules.broken(shorter.expression) is None:
        yield shorter
    known = constrained(rules, rows.few.data)
    if known is None:
        return
    more = Rows(known, rows.operators, watch=rows.watch)
    again = more.fit(done.skeleton, start=done.constants, effort=WARM)
    if not again.ok:
        return
    for one in dict.fromkeys([again, pruned(again, more)]):
        if rules.broken(one.expression) is None:
            yield one
