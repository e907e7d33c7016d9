"""Finish: the laws that matter are pruned and their constants snapped, as far as the rows agree."""

from __future__ import annotations

from scalesr.combine.bases import based
from scalesr.combine.centred import centred
from scalesr.combine.front import Candidate, Pool
from scalesr.combine.prune import pruned
from scalesr.combine.snap import snapped, tidied
from scalesr.combine.tie import tied
from scalesr.records.stop import Stop

MOST = 12  # laws that are worked on, the best first
MOST_ROWS = 2_000_000  # in all laws that are worked on together
CLOSE = 30.0  # nats from the best: laws further off stay as they are


def finish(pool: Pool, deadline: Stop | None = None) -> None:
    """Work on the best laws of a pool; the results are candidates of their own."""
    until = deadline or Stop()
    for one in _all_close(pool) if pool.data.n_rows * MOST < MOST_ROWS else ():
        if until.passed:
            return
        if (counted := based(one.fit, pool.rows)) is not one.fit:
            pool.add(counted, one.law.origin)
    for one in _close(pool):
        if until.passed:
            return
        read = snapped(one.fit, pool.rows)
        shorter = pruned(one.fit, pool.rows, until)
        plain = snapped(tied(shorter, pool.rows), pool.rows)
        for better in (read, shorter, plain):
            if better is not one.fit:
                pool.add(better, one.law.origin)
    for one in pool.front_candidates if pool.data.n_rows * MOST < MOST_ROWS else ():
        for plain in (tidied(one.fit, pool.rows), one.fit if one.at_rounding else centred(one.fit, pool.rows)):
            if plain is not one.fit and not until.passed:
                pool.add(plain, one.law.origin)


def _all_close(pool: Pool) -> list[Candidate]:
    """The laws of a pool that are not far from the best, once their constants are read."""
    least = min(one.score.promise for one in pool.candidates)
    near = [one for one in pool.candidates if one.exact or one.score.promise <= least + CLOSE]
    return sorted(near, key=lambda one: (not one.exact, one.score.promise))


def _close(pool: Pool) -> list[Candidate]:
    """The best of them."""
    return _all_close(pool)[: min(max(MOST_ROWS // pool.data.n_rows, 1), MOST)]
