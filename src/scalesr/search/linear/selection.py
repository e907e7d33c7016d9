"""Which terms of a linear library a sweep needs: candidates in stages, each with the sums worth a full fit.

Terms are taken in and out by what that does to the description length, so their number follows
from the noise, known or not. Going forward alone goes wrong where terms resemble each other, so
it starts from the best single terms and from the best of all pairs, every sum it reaches is
stripped term by term, and the best ones are tried with each term exchanged. Where rows are few,
many terms resemble the right ones, and many sums are followed side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.criterion import EXACT
from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.design import Basis, Design, Support, basis, gains, losses, without
from scalesr.search.linear.library import Library

Floats = NDArray[np.float64]


Way = Callable[["Selection"], Iterator[Support]]


class Selection:
    """The sums tried so far and their description lengths."""

    def __init__(self, design: Design, max_terms: int) -> None:
        self.design, self.max_terms = design, max_terms
        self.lengths: dict[Support, float] = {}
        self.is_exact = False
        self._offered: set[Support] = set()

    def offer(self) -> list[Support]:
        """The best sums that have not been offered yet."""
        fresh = [support for support in self.lengths if support not in self._offered]
        best = sorted(fresh, key=lambda support: (self.lengths[support], support))[: LINEAR.sums_offered]
        self._offered.update(best)
        return best

    def best(self, number: int) -> list[Support]:
        """The sums with the shortest descriptions."""
        return sorted(self.lengths, key=lambda support: (self.lengths[support], support))[:number]

    def meet(self, found: Basis, worth: Floats) -> None:
        """Take note of a sum, if it has few enough terms and is not an expansion of something else."""
        support = tuple(sorted(found.support))
        floor = self.design.n_rows * (EXACT * self.design.scale) ** 2
        is_exact = found.rss <= LINEAR.doubtful**2 * floor
        if len(support) > self.max_terms or (is_exact and worth.min() < (LINEAR.exact_share / EXACT) ** 2 * floor):
            return
        self.lengths[support] = self.design.length(support, found.rss)
        self.is_exact |= found.rss <= floor


def stages(selection: Selection, ways: Sequence[Way], check: Callable[[], None]) -> Iterator[list[Support]]:
    """Candidates, one way after the other; ends with the stage that has met an exact law."""
    for grow in ways:
        for support in grow(selection):
            check()
            strip(selection, support)
            if selection.is_exact:
                break
        yield selection.offer()
        if selection.is_exact:
            return


def shortlist(selection: Selection, number: int) -> Library:
    """The terms of the best sums and those that would help the best one most."""
    design = selection.design
    used = [term for support in selection.best(2 * LINEAR.sums_offered) for term in support]
    helpful = np.argsort(_lengths_after(design, basis(design, selection.best(1)[0])), kind="stable").tolist()
    places = sorted(dict.fromkeys([0, *used, *helpful][: number + len(used)]))
    terms = tuple(design.terms[place] for place in places)
    return Library(terms, design.degrees[places], design.n_variables[places])


def strip(selection: Selection, support: Support) -> None:
    """Take out term after term, the one that is missed least first, and note every sum on the way."""
    design = selection.design
    found = leap(design, basis(design, support))
    while tuple(sorted(found.support)) not in selection.lengths:
        worth = losses(found)
        selection.meet(found, worth)
        if len(worth) == 1:
            break
        found = shed(design, found, worth)


def leap(design: Design, found: Basis) -> Basis:
    """An exact sum without all terms that carry nothing, at once; the sum itself if it needs some of them together."""
    if not is_rounding(design, found.rss):
        return found
    idle = np.flatnonzero(losses(found) < design.n_rows * (LINEAR.exact_share * design.scale) ** 2)
    rest = without(found, idle.tolist()) if len(idle) < len(found.support) else found
    return rest if is_rounding(design, rest.rss) else found


def shed(design: Design, found: Basis, worth: Floats) -> Basis:
    """The sum without the terms that are missed least: several, if the rows do not miss them together, or one."""
    lengths = design.lengths[list(found.support)]
    order = np.argsort(design.data_length(found.rss + worth) - lengths, kind="stable")
    saved = LINEAR.clearly_missed * np.cumsum(lengths[order])
    before = design.data_length(found.rss)
    is_missed = design.data_length(found.rss + np.cumsum(worth[order])) - before > saved  # if they were independent
    number = int(np.argmax(is_missed)) if is_missed.any() else len(order)
    number = max(min(number, len(order) // 4, len(order) - LINEAR.one_by_one), 1)
    rest = without(found, order[:number].tolist())
    while number > 1 and design.data_length(rest.rss) - before > saved[number - 1]:
        number //= 2
        rest = without(found, order[:number].tolist())
    return rest


def forward(selection: Selection, support: Support) -> Support:
    """Add terms as long as that shortens the description."""
    design, patience = selection.design, LINEAR.selection_patience
    found = basis(design, support)
    shortest = design.length(found.support, found.rss)
    reached = found.support
    most = min(selection.max_terms, len(support) + LINEAR.sum_terms)
    while patience and len(found.support) < most and not is_rounding(design, found.rss):
        added = best_addition(design, found)
        if added is None:
            break
        found = basis(design, (*found.support, added))
        length = design.length(found.support, found.rss)
        if length < shortest:
            shortest, reached, patience = length, found.support, LINEAR.selection_patience
        else:
            patience -= 1
    return reached


def best_addition(design: Design, found: Basis) -> int | None:
    """The term that shortens the description of a sum most, None if none changes it."""
    values = _lengths_after(design, found)
    best = int(np.argmin(values))
    return best if np.isfinite(values[best]) else None


def _lengths_after(design: Design, found: Basis) -> Floats:
    """Description length, up to a common summand, when each term is added; infinite for idle terms."""
    falls, rss = gains(design, found), found.rss
    values = design.data_length(np.maximum(rss - falls, LINEAR.blurred * rss)) + design.lengths
    values[falls <= 0] = np.inf
    values[list(found.support)] = np.inf
    return values


def is_rounding(design: Design, rss: float) -> bool:
    """Whether nothing but rounding is left."""
    return rss <= design.n_rows * (EXACT * design.scale) ** 2


def _from_full(selection: Selection) -> Iterator[Support]:
    """Whole libraries that the rows bear: powers of each variable, polynomials, functions of one variable.

    Of the larger polynomials only that of the highest degree has its turn, unless one of lower degree is exact.
    """
    design = selection.design
    room = max(design.n_rows // len(design.y) * 3 // 4, 1)
    is_single = design.n_variables <= 1
    for allowed in (is_single, np.ones_like(is_single)):
        polynomials = [
            (design.degrees >= 0) & (design.degrees <= top) & allowed for top in set(design.degrees.tolist())
        ]
        sizes = sorted({tuple(np.flatnonzero(chosen).tolist()) for chosen in polynomials}, key=len)
        fitting = [support for support in sizes if 0 < len(support) <= room]
        exact = (support for support in fitting[:-1] if is_rounding(design, basis(design, support).rss))
        yield from exact
        yield from fitting[-1:]
    functions = tuple(np.flatnonzero(is_single).tolist())
    if len(functions) <= room:
        yield functions


def _from_all(selection: Selection) -> Iterator[Support]:
    """The whole library, if the rows can tell its terms apart."""
    if 2 * len(selection.design.terms) <= selection.design.n_rows:
        yield tuple(range(len(selection.design.terms)))


def _forward_from_single(selection: Selection) -> Iterator[Support]:
    yield from islice(_forward_from_singles(selection), 1)


def _forward_from_singles(selection: Selection) -> Iterator[Support]:
    design = selection.design
    values = _lengths_after(design, basis(design, (0,)))
    for term in np.argsort(values, kind="stable")[: LINEAR.single_starts].tolist():
        if np.isfinite(values[term]):
            yield forward(selection, (0, term))


def _forward_from_pairs(selection: Selection) -> Iterator[Support]:
    for pair in best_pairs(selection.design, LINEAR.pair_starts):
        yield forward(selection, (0, *pair))


def best_pairs(design: Design, number: int) -> list[tuple[int, int]]:
    """The pairs of terms that describe the rows best beside a constant, no term in more than two of them."""
    found = basis(design, (0,))
    rss = found.rss
    values = design.data_length(np.maximum(rss - _pair_gains(design, found), LINEAR.blurred * rss))
    values = values + design.lengths + design.lengths[:, np.newaxis]
    values[np.tril_indices_from(values)] = np.inf
    values[0] = np.inf
    chosen: list[tuple[int, int]] = []
    shortlist = np.argpartition(values, min(200, values.size - 1), axis=None)[:200]
    for place in shortlist[np.argsort(values.ravel()[shortlist], kind="stable")].tolist():
        i, j = divmod(place, len(values))
        crowded = any(sum(term in pair for pair in chosen) >= 2 for term in (i, j))
        if np.isfinite(values[i, j]) and not crowded and len(chosen) < number:
            chosen.append((i, j))
    return chosen


def _pair_gains(design: Design, found: Basis) -> Floats:
    """By how much the sum of squares falls when two terms are added, (terms, terms)."""
    total = np.zeros((len(design.terms),) * 2)
    for columns, q, residual in zip(design.columns, found.q, found.residual, strict=True):
        outside = columns - (columns @ q) @ q.T
        norms = np.sqrt((outside**2).sum(axis=1))
        outside = np.divide(
            outside, norms[:, np.newaxis], out=np.zeros_like(outside), where=norms[:, np.newaxis] > 1e-5
        )
        along, cosine = outside @ residual, outside @ outside.T
        joint = along**2 + along[:, np.newaxis] ** 2 - 2 * cosine * along * along[:, np.newaxis]
        room = 1 - cosine**2
        total += np.divide(joint, room, out=np.zeros_like(joint), where=room > 1e-6)
    return total


def _exchanges(selection: Selection) -> Iterator[Support]:
    """The best sums with each of their terms replaced by the best other one, as long as that leads on."""
    done: set[Support] = set()
    for _ in range(LINEAR.max_exchanges):
        waiting = [support for support in selection.best(LINEAR.selection_exchanged) if support not in done]
        if not waiting:
            return
        done.add(waiting[0])
        for term in waiting[0]:
            rest = tuple(other for other in waiting[0] if other != term) or (0,)
            values = _lengths_after(selection.design, basis(selection.design, rest))
            values[term] = np.inf
            if np.isfinite(values.min()):
                yield forward(selection, (*rest, int(np.argmin(values))))


def _side_by_side(selection: Selection) -> Iterator[Support]:
    """The best sums of one term, of two and so on, each made from the best of those with a term less."""
    design = selection.design
    width = min(LINEAR.beam, LINEAR.beam_values // design.columns.size)
    followed: list[Support] = [(0,)] if width > 1 else []
    for _ in range(min(LINEAR.beam_terms, selection.max_terms - 1)):
        grown: dict[Support, float] = {}
        for support in followed:
            found = basis(design, support)
            values = _lengths_after(design, found) + design.lengths[list(found.support)].sum()
            best = np.argpartition(values, min(width, len(values) - 1))[:width].tolist()
            grown |= {tuple(sorted((*found.support, term))): values[term] for term in best if np.isfinite(values[term])}
        followed = sorted(grown, key=lambda support: (grown[support], support))[:width]
        yield from followed[: LINEAR.sums_offered]


QUICK_WAYS: tuple[Way, ...] = (_from_full, _forward_from_singles)
SLOW_WAYS: tuple[Way, ...] = (_forward_from_pairs, _exchanges, _side_by_side)
WHOLE_WAYS: tuple[Way, ...] = (_forward_from_single,)  # in a library that is solved for at once
GIVEN_WAYS: tuple[Way, ...] = (_from_all, _forward_from_singles, _forward_from_pairs, _exchanges)
