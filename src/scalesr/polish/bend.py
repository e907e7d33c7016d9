"""Bend: a law that breaks a constraint, with its constants fitted so that it does not, or without a part."""

from __future__ import annotations

from collections.abc import Iterator

from scalesr.evidence.archive import Archive
from scalesr.evidence.constraints import Rules, constrained
from scalesr.evidence.refit import WARM, FitData
from scalesr.expr.fitting import Fit
from scalesr.polish.prune import pruned
from scalesr.records.stop import Stop


def bend(archive: Archive, known: set[str], until: Stop) -> None:
    """Offer laws that obey the constraints and are near the best of those that do not; what is bent is `known`."""
    if archive.rules is None:
        return
    for done, origin in archive.near_ruled_out:
        if until.passed:
            return
        written = str(done.expression)
        if written not in known:
            for other in bent(done, archive.rows, archive.rules, until):
                archive.add(other, origin)
            known.add(written)


def bent(done: Fit, rows: FitData, rules: Rules, until: Stop | None = None) -> Iterator[Fit]:
    """Laws near one that breaks a constraint which obey it: what equalities say is fitted with the rows.

    a*exp(-b*x) + c that has to be 0 at 0 becomes one with c = -a. What the rows do not need is left out of it.
    """
    shorter = pruned(done, rows, until)
    if shorter is not done and rules.broken(shorter.expression) is None:
        yield shorter
    known = constrained(rules, rows.few.data)
    if known is None:
        return
    more = FitData(known, rows.operators, watch=rows.watch)
    again = more.fit(done.skeleton, start=done.constants, effort=WARM)
    if not again.ok:
        return
    for one in dict.fromkeys([again, pruned(again, more, until)]):
        if rules.broken(one.expression) is None:
            yield one
