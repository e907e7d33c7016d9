"""Ratios of few terms, for few rows: those of one term, of two and so on are followed side by side.

Few rows cannot bear all terms of two polynomials at once, and a ratio that grows along the best
term alone soon goes astray among terms that resemble each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from scalesr.search.linear.config import LINEAR
from scalesr.search.linear.growth import Grower, Ratio
from scalesr.search.linear.relations import LinearRelation

Places = tuple[tuple[int, ...], tuple[int, ...]]  # of the terms above and below the bar


def sparse_ratios(grower: Grower) -> Iterator[LinearRelation]:
    """The best ratios that were tried."""
    singles = [((place,), ()) for place in range(len(grower.exponents))]
    followed = _best(_fitted(grower, singles))
    met = followed
    for _ in range(LINEAR.sparse_ratio_terms - 1):
        followed = _best(_fitted(grower, _grown(grower, followed)))
        met = _best([*met, *followed])
    for found in met[: LINEAR.sparse_ratios_offered]:
        yield from grower.relations(grower.pruned(found))


def _grown(grower: Grower, followed: Sequence[Ratio]) -> list[Places]:
    """The ratios with a term more that promise the smallest sums of squares, as far as one linear step can tell."""
    promised: dict[Places, float] = {}
    for found in followed:
        falls = grower.falls(found)
        falls[1, [not any(one) for one in grower.exponents]] = 0.0  # the constant below the bar is 1
        for place in np.argsort(-falls, axis=None, kind="stable")[: LINEAR.sparse_ratio_branches].tolist():
            side, term = divmod(place, falls.shape[1])
            places = _with(found.above, term, not side), _with(found.below, term, bool(side))
            promised[places] = min(promised.get(places, np.inf), found.rss - falls[side, term])
    return sorted(promised, key=lambda places: (promised[places], places))[: LINEAR.sparse_ratios_fitted]


def _with(terms: tuple[int, ...], term: int, is_added: bool) -> tuple[int, ...]:
    return tuple(sorted({*terms, term})) if is_added else terms


def _fitted(grower: Grower, chosen: Sequence[Places]) -> Iterator[Ratio]:
    return (grower.fitted(above, below) for above, below in chosen)


def _best(found: Iterable[Ratio]) -> list[Ratio]:
    usable = [ratio for ratio in found if np.isfinite(ratio.length)]
    return sorted(usable, key=lambda ratio: (ratio.length, ratio.above, ratio.below))[: LINEAR.sparse_ratios_followed]
