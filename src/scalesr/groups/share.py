"""Sharing: which constants of a form differ between groups, by the evidence.

From a fit of each group alone one constant after the other is shared, always the one that costs the evidence
least. Where the groups have too few rows for that, the way goes in the other direction, from one law for all
rows. The best of all laws that were tried on the way is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import EXACT
from scalesr.evidence.groups import own_cost
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.groups.blocks import LOOK
from scalesr.groups.fitted import GroupedLaw, GroupRows, better
from scalesr.groups.form import with_letters
from scalesr.records.precision import CLEAN

Floats = NDArray[np.float64]

ALONE = Effort(n_screened=32, n_polished=4, polish_trials=20, final_trials=100)  # of each group by itself
WARM = Effort(n_screened=1, n_polished=1, polish_trials=1, final_trials=60)  # from the constants of another group
N_AGREED = 5  # groups whose constants are tried in all others
AGREED = 1.05  # of what the groups alone leave: starts that leave no more are taken instead
TINY = 1e-300
TOGETHER = Effort(n_screened=64, n_polished=10)  # of all rows as one group
HOPELESS = 40.0  # nats above the best so far, from which sharing still more constants is not looked at


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A skeleton with the places of the constants that differ, fitted."""

    places: tuple[int, ...]
    law: GroupedLaw

    def matrix(self, n_open: int) -> Floats:
        """All constants of all groups by their places, (groups, constants)."""
        own = self.law.fit.own
        whole = np.empty((len(own), n_open))
        shared = [place for place in range(n_open) if place not in self.places]
        whole[:, shared] = self.law.fit.shared
        whole[:, list(self.places)] = own
        return whole


def shared_as_told(
    skeleton: Expression, rows: GroupRows, guess: Floats | None = None, *, bar: float = math.inf
) -> GroupedLaw | None:
    """The skeleton with its constants shared or not as the evidence says; None where it fits nowhere.

    `guess` are values of its constants for all groups, from where it was found. A form whose cost cannot be below
    `bar`, by what its groups leave when they are fitted alone, is given up.
    """
    found: list[Split] = []
    if np.median(rows.rows.sizes) > skeleton.n_open:
        for start in _alone(skeleton, rows):
            here = _split(skeleton, rows, tuple(range(skeleton.n_open)), start)
            if here is not None and _least_cost(here, rows) > bar:
                return None
            found += [] if here is None else [_sharing(skeleton, rows, here, bar)]
    if not found or guess is not None:
        freed = _freeing(skeleton, rows, guess)
        found += [] if freed is None else [freed]
    best = min((split.law for split in found), key=lambda law: law.cost, default=None)
    return None if best is None else _from_fresh_starts(rows.polished(best), rows)


def _from_fresh_starts(law: GroupedLaw, rows: GroupRows) -> GroupedLaw:
    """The law with the groups' constants sought again, where it is cheaper so: phases that differ by whole turns."""
    fresh = rows.own_constants(law.fit.form, law.fit.shared) if law.fit.own.size else None
    other = None if fresh is None else rows.fit(law.fit.form, law.fit.shared, fresh)
    return better(law, other, lambda one: one.cost) or law


def _least_cost(all_free: Split, rows: GroupRows) -> float:
    """What the law would cost if sharing cost the rows nothing, from constants that all differ."""
    done, data = all_free.law.fit, rows.rows.data
    floor = (EXACT * data.std) ** 2
    variance = done.rss / max(data.n_rows - done.n_free, 1) + floor
    return all_free.law.score.form + 0.5 * data.n_rows * (math.log(2 * math.pi * max(variance, TINY)) + 1)


def _alone(skeleton: Expression, rows: GroupRows) -> list[Floats]:
    """Constants (groups, constants) of the groups fitted alone, from two kinds of starts.

    A group alone may end anywhere: five rows fit many a frequency. So the constants of some groups are tried
    in all others, and those that suit these best are a start, too.
    """
    alone, rss = rows.fit_alone(skeleton, effort=ALONE)
    usable = np.isfinite(rss)
    if not usable.any():
        return []
    alone[~usable] = np.median(alone[usable], axis=0)
    order = np.flatnonzero(usable)[np.argsort(-rows.rows.sizes[usable], kind="stable")]
    chosen = order[np.unique(np.linspace(0, len(order) - 1, N_AGREED).round().astype(int))]
    tries = [rows.fit_alone(skeleton, alone[place], effort=WARM) for place in chosen]
    agreed, total = min(((one, float(left.sum())) for one, left in tries), key=lambda pair: pair[1])
    own = float(rss.sum())
    if not math.isfinite(total):
        return [alone]
    return [agreed] if total <= own * AGREED else [alone, agreed]


def _sharing(skeleton: Expression, rows: GroupRows, here: Split, bar: float) -> Split:
    """From constants that all differ to constants that are all shared.

    Where sharing seems to cost something, the groups' own constants are also sought from fresh starts, unless the form
    would be beyond `bar` with one letter less for nothing, too.
    """
    best = here
    while here.places:
        following = _cheapest(_shared(skeleton, rows, here, place, is_fresh=False) for place in here.places)
        if following is None or following.law.cost > here.law.cost:
            if _with_one_letter_less(here) > bar:
                break
            fresh = _cheapest(_shared(skeleton, rows, here, place, is_fresh=True) for place in here.places)
            following = _cheapest([following, fresh])
        if following is None or following.law.cost > best.law.cost + HOPELESS:
            break
        here = following
        best = here if here.law.cost < best.law.cost else best
    return best


def _with_one_letter_less(here: Split) -> float:
    """What a law would cost if one of its letters cost nothing."""
    own = here.law.fit
    return here.law.cost - own_cost(own.own, own.own_given) / len(here.places)


def _shared(skeleton: Expression, rows: GroupRows, here: Split, place: int, *, is_fresh: bool) -> Split | None:
    """One constant more that all groups share, from what their own values lead to expect."""
    letter = here.places.index(place)
    done = here.law.fit
    values = done.own[:, letter]
    with np.errstate(all="ignore"):
        weights = 1 / done.own_covariance[:, letter, letter]
    told = np.isfinite(weights)
    centres = {_middle(values)}
    if told.any() and weights[told].sum() > 0:
        mean = float(np.average(values[told], weights=weights[told]))
        centres = {mean, *centres} if is_fresh else {mean}
    places = tuple(other for other in here.places if other != place)
    found = []
    for centre in sorted(centres):
        matrix = here.matrix(skeleton.n_open)
        matrix[:, list(here.places)] += _following(done.own_covariance, letter, centre - values)
        matrix[:, place] = centre
        found.append(_split(skeleton, rows, places, matrix, is_fresh=is_fresh))
    return _cheapest(found)


def _middle(values: Floats) -> float:
    """The median of the values of the commoner sign: groups alone may end at a*sin(b*x) or at (-a)*sin(-b*x)."""
    positive = values >= 0
    return float(np.median(values[positive] if 2 * positive.sum() >= len(values) else values[~positive]))


def _following(covariance: Floats, letter: int, shifts: Floats) -> Floats:
    """How the constants of each group change when one of them is shifted, (groups, letters)."""
    with np.errstate(all="ignore"):
        slopes = covariance[:, :, letter] / covariance[:, letter, letter][:, np.newaxis]
    return np.asarray(np.where(np.isfinite(slopes), slopes, 0.0) * shifts[:, np.newaxis])


def _freeing(skeleton: Expression, rows: GroupRows, guess: Floats | None) -> Split | None:
    """From one law for all rows to constants that differ, one after the other, as long as the evidence rises."""
    best: Split | None = None
    for start in _starts(skeleton, rows, guess):
        here = _split(skeleton, rows, (), np.tile(start, (rows.rows.n_groups, 1)))
        best = _cheapest([best, here])
        while here is not None and len(here.places) < skeleton.n_open:
            left = [place for place in range(skeleton.n_open) if place not in here.places]
            matrix = here.matrix(skeleton.n_open)
            following = _cheapest(
                _split(skeleton, rows, tuple(sorted((*here.places, place))), matrix, is_fresh=True) for place in left
            )
            if following is None or following.law.cost >= here.law.cost:
                break
            here = following
            best = _cheapest([best, here])
    return best


def _starts(skeleton: Expression, rows: GroupRows, guess: Floats | None) -> list[Floats]:
    """Constants of one law for all rows: given ones, and those of a fit."""
    data = rows.rows.data
    roots = np.empty(0) if rows.rows.roots is None else rows.rows.roots
    ends = np.array([0, data.n_rows])
    done = fit_grid([skeleton], data.columns, ends, data.y, roots, effort=TOGETHER, watch=rows.watch)[0]
    found = [done.constants] if done.ok else []
    return [*found, *([] if guess is None else [guess])]


def _split(
    skeleton: Expression, rows: GroupRows, places: tuple[int, ...], matrix: Floats, *, is_fresh: bool = False
) -> Split | None:
    """The skeleton with some constants differing, fitted from the constants of a matrix (groups, constants).

    With `is_fresh` the groups' own constants also begin from starts of the fit's own.
    """
    form = with_letters(skeleton, places, rows.n_columns)
    shared = np.median(matrix[:, [place for place in range(skeleton.n_open) if place not in places]], axis=0)
    own = np.ascontiguousarray(matrix[:, list(places)])
    warm = rows.fit(form, shared, own, LOOK)
    again = None
    if is_fresh and places and len(shared):
        centre = shared if warm is None else warm.fit.shared
        fresh = rows.own_constants(form, centre)
        again = None if fresh is None else rows.fit(form, centre, fresh, LOOK)
    law = better(warm, again, lambda one: one.fit.rss)
    if law is not None and law.fit.rss <= rows.rows.data.n_rows * (CLEAN * rows.rows.data.std) ** 2:
        law = rows.polished(law)  # what is left is what the fit left: its last digits decide on an exact law
    return None if law is None else Split(places, law)


def _cheapest(splits: Iterable[Split | None]) -> Split | None:
    known = [split for split in splits if split is not None]
    return min(known, key=lambda split: split.law.cost, default=None)
