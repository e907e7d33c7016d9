"""Finish: the laws that matter are pruned and their constants snapped, as far as the rows agree.

Then the Pareto front is filled: what is left of the best law without one part, without two, and so on.
"""

from __future__ import annotations

from scalesr.evidence.archive import Archive, Candidate
from scalesr.evidence.neighbours import fitted_neighbours
from scalesr.evidence.residual_tests import claims_structure
from scalesr.expr.fitting import Fit
from scalesr.polish.bases import based
from scalesr.polish.bend import bend
from scalesr.polish.centred import centred
from scalesr.polish.prune import on_all, pruned
from scalesr.polish.snap import snapped, tidied
from scalesr.polish.tie import tied
from scalesr.records.stop import Stop

LAWS_WORKED_ON = 12  # laws that are worked on, the best first
LAWS_TOUCHED_UP = 2  # the same after each search: the best and what is next to it
ROWS_WORKED_ON = 2_000_000  # in all laws that are worked on together
NEAR_BEST = 30.0  # nats from the best: laws further off stay as they are
SHORTER_OFFERED = 2  # laws with one part less that are offered at each step down the Pareto front


def touch_up(archive: Archive, known: set[str], deadline: Stop | None = None) -> None:
    """Work on the best laws that leave nothing but noise and are not `known`, so that they are judged in short form.

    A law that leaves structure is an approximation: what of it carries nothing says nothing of the law. Laws that break
    a constraint are bent first.
    """
    until = deadline or Stop()
    bend(archive, known, until)
    for one in _close(archive)[:LAWS_TOUCHED_UP]:
        if not (one.exact or until.passed or claims_structure(one.score.structure)):
            _work_on(one, archive, known, until)


def finish(archive: Archive, deadline: Stop | None = None, known: set[str] | None = None) -> None:
    """Work on the best laws of an archive that are not `known`; the results are candidates of their own."""
    until, worked_on = deadline or Stop(), set[str]() if known is None else known
    bend(archive, worked_on, until)
    for one in _all_close(archive) if archive.data.n_rows * LAWS_WORKED_ON < ROWS_WORKED_ON else ():
        if until.passed:
            return
        if (counted := based(one.fit, archive.rows)) is not one.fit:
            archive.add(counted, one.law.origin)
    for one in _close(archive):
        if until.passed:
            return
        _work_on(one, archive, worked_on, until)
    for one in archive.front_candidates if archive.data.n_rows * LAWS_WORKED_ON < ROWS_WORKED_ON else ():
        for plain in (tidied(one.fit, archive.rows), one.fit if one.at_rounding else centred(one.fit, archive.rows)):
            if plain is not one.fit and not until.passed:
                archive.add(plain, one.law.origin)


def _work_on(one: Candidate, archive: Archive, known: set[str], until: Stop) -> None:
    """Offer a law with its constants read, without parts that carry nothing, and both; what comes of it is known."""
    if one.text in known:
        return
    read = snapped(one.fit, archive.rows)
    shorter = pruned(one.fit, archive.rows, until)
    plain = snapped(tied(shorter, archive.rows), archive.rows)
    for better in (read, shorter, plain):
        if better is not one.fit:
            archive.add(better, one.law.origin)
    known.add(one.text)


def fill_front(archive: Archive, deadline: Stop | None = None) -> None:
    """Offer what is left of the best law when parts are left out one by one, those first that matter least."""
    until = deadline or Stop()
    if archive.data.n_rows * LAWS_WORKED_ON >= ROWS_WORKED_ON:
        return
    for start in (archive.too_long, archive.best_candidate.fit):
        done: Fit | None = start
        while done is not None and done.expression.variables and not until.passed:
            around = sorted(fitted_neighbours(done, archive.rows), key=lambda one: one.rss / one.n_rows)
            for one in [one for one in around if archive.may_join_front(one)][:SHORTER_OFFERED]:
                if (shorter := on_all(one, archive.rows)).ok:
                    archive.add(shorter, "a longer law with parts left out")
            done = around[0] if around else None


def _all_close(archive: Archive) -> list[Candidate]:
    """The laws of an archive that are not far from the best, once their constants are read."""
    least = min(one.score.promise for one in archive.candidates)
    near = [one for one in archive.candidates if one.exact or one.score.promise <= least + NEAR_BEST]
    return sorted(near, key=lambda one: (not one.exact, one.score.promise))


def _close(archive: Archive) -> list[Candidate]:
    """The best of them."""
    return _all_close(archive)[: min(max(ROWS_WORKED_ON // archive.data.n_rows, 1), LAWS_WORKED_ON)]
