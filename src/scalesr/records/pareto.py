"""The Pareto front: what nothing else beats in both size and loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def first_of_each_size(ranked: Iterable[T], size: Callable[[T], int]) -> list[T]:
    """The first of each size, the smallest size first."""
    found: dict[int, T] = {}
    for one in ranked:
        found.setdefault(size(one), one)
    return [found[key] for key in sorted(found)]


def pareto_front(
    ranked: Sequence[T],
    *,
    size: Callable[[T], int],
    loss: Callable[[T], float],
    floor: float = 0.0,
    keeps_first: bool = False,
) -> list[T]:
    """Of the first of each size those whose loss falls, the smallest first; losses below `floor` count as equal.

    `keeps_first`: the first of all is among them, whatever its loss.
    """
    kept: list[T] = []
    for one in first_of_each_size(ranked, size):
        if not kept or (keeps_first and one is ranked[0]) or loss(kept[-1]) > max(loss(one), floor):
            kept.append(one)
    return kept
