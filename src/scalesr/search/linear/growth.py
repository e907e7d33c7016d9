"""Ratios grown term by term, for rows with noise: each new term is the one that the residual asks for most.

A term above the bar changes the ratio f = P/Q by m/Q, one below it by -f m/Q. Both are columns
without the noise of the target in them, so they tell in one linear step which term helps most.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import description_length
from scalesr.expr.fitting import Effort, fit
from scalesr.records.stop import Stop
from scalesr.records.sweep import Sweep
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.monomials import Exponents, monomial_values
from scalesr.search.linear.quotient import ratio_to_one
from scalesr.search.linear.relations import LinearRelation, Term

Floats = NDArray[np.float64]

POLISH = Effort(n_screened=1, n_polished=1, polish_trials=10, final_trials=20)


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """Terms above and below the bar, the constant 1 below it understood; fitted."""

    above: tuple[int, ...]  # places in the list of monomials
    below: tuple[int, ...]
    constants: Floats  # of the terms above, then of those below
    rss: float
    length: float
    errors: Floats  # standard errors of the constants


class Grower:
    """The monomials on the rows of a sweep, and the ratios made of them."""

    def __init__(self, exponents: tuple[Exponents, ...], sweep: Sweep) -> None:
        values = monomial_values(exponents, sweep.columns)
        with np.errstate(all="ignore"):
            sizes = np.sqrt((values**2).mean(axis=1))
        usable = np.isfinite(sizes) & (sizes > 0)
        self.exponents = tuple(one for one, good in zip(exponents, usable, strict=True) if good)
        self.values, self.sizes, self.sweep = values[usable], sizes[usable], sweep

    def grown(self) -> list[Ratio]:
        """Ratios grown from the pairs of terms that fit best, the best first."""
        found = [self.pruned(self._grow(above, below)) for above, below in self._starts()]
        return sorted(found, key=lambda ratio: ratio.length)

    def refitted(self, found: Ratio) -> Ratio:
        """A ratio of the same terms, which was fitted to other rows."""
        return self.fitted(found.above, found.below, found.constants)

    def relations(self, found: Ratio) -> Iterator[LinearRelation]:
        """A ratio as a relation; nothing if it has no values."""
        if np.isfinite(found.length):
            yield self._relation(found)

    def _starts(self) -> list[tuple[int, int]]:
        """Pairs (i, j) for which y + b y m_j = a m_i holds best."""
        weighed, plain = self.sweep.weighed, self.values / self.sizes[:, np.newaxis]
        y, units, below = weighed(self.sweep.y), weighed(plain), weighed(plain * self.sweep.y)
        gram, cross = units @ units.T, units @ below.T
        own, towards, along = (below**2).sum(axis=1), units @ y, below @ y
        room = np.diag(gram)[:, np.newaxis] * own - cross**2
        joint = towards[:, np.newaxis] ** 2 * own + along**2 * np.diag(gram)[:, np.newaxis]
        fall = joint - 2 * cross * towards[:, np.newaxis] * along
        gains = np.divide(fall, room, out=np.zeros_like(fall), where=room > 1e-9 * own * np.diag(gram)[:, np.newaxis])
        gains[:, [not any(one) for one in self.exponents]] = -np.inf
        best = np.argsort(-gains, axis=None, kind="stable")[: LINEAR.growth_starts]
        return [(int(place) // len(units), int(place) % len(units)) for place in best]

    def _grow(self, above: int, below: int) -> Ratio:
        """Add terms to a pair as long as that shortens the description."""
        found = self.fitted((above,), (below,))
        best, patience = found, LINEAR.growth_patience
        while patience and len(found.constants) < LINEAR.grown_terms and np.isfinite(found.length):
            place, is_below = self._missing(found)
            found = self._with(found, place, is_below=is_below)
            best, patience = (found, LINEAR.growth_patience) if found.length < best.length else (best, patience - 1)
        return best

    def pruned(self, found: Ratio) -> Ratio:
        """Take terms out as long as that shortens the description."""
        while len(found.constants) > 2:
            fewer = [self.without(found, place) for place in range(len(found.constants))]
            best = min(fewer, key=lambda ratio: ratio.length)
            if best.length >= found.length:
                break
            found = best
        return found

    def exchanged(self, found: Ratio, stop: Stop) -> Ratio:
        """Put another term in the place of one, or leave one out, as long as that shortens the description.

        Terms that resemble each other lead growing and pruning astray: either one is taken, and its fellows then
        make up for it. An exchange mends one of them at a time, so that there are as many as terms at most: rows of a
        law that is not a ratio would have them go on for long.
        """
        for _ in range(len(found.constants)):
            if stop.passed or not np.isfinite(found.length):
                break
            shorter = [self.without(found, place) for place in range(len(found.constants))]
            usable = [ratio for ratio in shorter if np.isfinite(ratio.length)]
            others = [ratio for one in usable for ratio in self._with_another(one, stop)]
            best = min([*usable, *others], key=lambda ratio: ratio.length, default=found)
            if best.length >= found.length:
                break
            found = best
        return found

    def _with_another(self, found: Ratio, stop: Stop) -> Iterator[Ratio]:
        """The ratio with each of the terms that the residual asks for most."""
        if stop.passed:
            return
        falls = self.falls(found)
        for best in np.argsort(-falls, axis=None, kind="stable")[: LINEAR.growth_exchanged].tolist():
            yield self._with(found, best % falls.shape[1], is_below=best >= falls.shape[1])

    def _with(self, found: Ratio, place: int, *, is_below: bool) -> Ratio:
        """The ratio refitted with one term more."""
        at = len(found.constants) if is_below else len(found.above)
        guess = np.insert(found.constants, at, 0.0)
        above, below = (found.above, (*found.below, place)) if is_below else ((*found.above, place), found.below)
        return self.fitted(above, below, guess)

    def without(self, found: Ratio, place: int) -> Ratio:
        """The ratio refitted without one of its terms; of infinite length if no ratio is left."""
        n_above = len(found.above)
        above = tuple(term for k, term in enumerate(found.above) if k != place)
        below = tuple(term for k, term in enumerate(found.below) if k + n_above != place)
        if not above or not below:
            return Ratio(above, below, found.constants, np.inf, np.inf, found.errors)
        return self.fitted(above, below, np.delete(found.constants, place))

    def _missing(self, found: Ratio) -> tuple[int, bool]:
        """The term that the residual asks for most, and whether it belongs below the bar."""
        fall = self.falls(found)
        place = int(np.argmax(fall))
        return place % fall.shape[1], place >= fall.shape[1]

    def falls(self, found: Ratio) -> Floats:  # (2, monomials) above the bar, then below
        """By how much the sum of squares would fall with each further term, if a ratio were linear in its terms."""
        n_above = len(found.above)
        over = 1 + found.constants[n_above:] @ self.values[list(found.below)]
        value = found.constants[:n_above] @ self.values[list(found.above)] / over
        weighed = self.sweep.weighed
        up, down = weighed(self.values / over), weighed(-self.values * (value / over))
        columns = np.vstack([up, down])
        q, _ = np.linalg.qr(np.vstack([up[list(found.above)], down[list(found.below)]]).T)
        left = weighed(self.sweep.y - value)
        left = left - q @ (q.T @ left)
        lengths = (columns**2).sum(axis=1)
        outside = lengths - ((columns @ q) ** 2).sum(axis=1)
        fall = np.divide(
            (columns @ left) ** 2, outside, out=np.zeros_like(lengths), where=outside > LINEAR.in_tangent * lengths
        )  # fmt: skip
        return np.asarray(fall.reshape(2, -1))

    def fitted(self, above: tuple[int, ...], below: tuple[int, ...], guess: Floats | None = None) -> Ratio:
        """The ratio fitted to the target, from the linear relation if there is no guess."""
        y = self.sweep.y
        if guess is None:
            table = np.vstack([self.values[list(above)], -y * self.values[list(below)]])
            guess = np.asarray(np.linalg.lstsq(self.sweep.weighed(table).T, self.sweep.weighed(y), rcond=None)[0])
        form = ratio_to_one([self.exponents[place] for place in above], [self.exponents[place] for place in below])
        done = fit(form, self.sweep.columns.T, y, weights=self.sweep.weights, starts=guess, effort=POLISH)
        if not (done.ok and self._has_denominator(below, done.constants[len(above) :])):
            return Ratio(above, below, guess, np.inf, np.inf, np.ones(len(guess)))
        length = description_length(form, done.rss, self.sweep)
        return Ratio(above, below, done.constants, done.rss, length, done.standard_errors)

    def _has_denominator(self, below: tuple[int, ...], weights: Floats) -> bool:
        """Whether the sum below the bar is more than what rounding leaves of terms that cancel."""
        terms = weights[:, np.newaxis] * self.values[list(below)]
        return bool((np.abs(1 + terms.sum(axis=0)) > LINEAR.cancelled * (1 + np.abs(terms).sum(axis=0))).all())

    def _relation(self, found: Ratio) -> LinearRelation:
        places = (*found.above, *found.below)
        terms = [
            Term(self.exponents[place], float(weight), abs(float(weight)) * float(self.sizes[place]))
            for place, weight in zip(places, found.constants, strict=True)
        ]
        one = Term((0,) * self.sweep.n_variables, 1.0, 1.0)
        return LinearRelation(tuple(terms[: len(found.above)]), (one, *terms[len(found.above) :]))
