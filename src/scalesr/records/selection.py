"""Selection: which law of a Pareto front is taken, by its place, its complexity or a rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from scalesr.errors import SettingError
from scalesr.records.discovery import Discovery, Law

EVIDENCE: Final = "evidence"
NEAR: Final = 1.5  # times the smallest loss, within which PySR's "best" chooses by score


def place_of(
    discovery: Discovery, *, index: Any = None, complexity: Any = None, rule: Any = None
) -> int | None:  # fmt: skip
    """The place on the Pareto front of the law that is asked for; None: the law that the evidence prefers."""
    asked = {"index": index, "complexity": complexity, "rule": rule}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) > 1:
        raise SettingError(f"A law is chosen by one of {', '.join(asked)}; {' and '.join(given)} were given.")
    if index is not None:
        return _at(discovery.front, index)
    if complexity is not None:
        return _of_complexity(discovery.front, complexity)
    return None if rule is None else RULES[rule_called(rule)](discovery.front)


def rule_called(name: Any) -> str:
    """The name of a rule, if it is one."""
    if not isinstance(name, str) or name not in RULES:
        known = ", ".join(map(repr, RULES))
        raise SettingError(f"model_selection={name!r} is unknown; known are {known}.")
    return name


def scores_of(front: Sequence[Law]) -> list[float]:
    """PySR's score of each law: by how much the logarithm of the loss falls per unit of complexity; 0 for the first."""
    scores = [0.0]
    for before, law in pairwise(front):
        fall = math.inf if law.loss <= 0 < before.loss else 0.0
        if law.loss > 0 and before.loss > 0:
            fall = math.log(before.loss) - math.log(law.loss)
        scores.append(fall / max(law.complexity - before.complexity, 1))
    return scores[: len(front)]


def _at(front: Sequence[Law], index: Any) -> int:
    if isinstance(index, bool) or not isinstance(index, int | np.integer) or not -len(front) <= index < len(front):
        raise SettingError(f"index={index!r} is not a place on the Pareto front, which has {len(front)} laws, from 0.")
    return int(index) % len(front)


def _of_complexity(front: Sequence[Law], complexity: Any) -> int:
    known = [law.complexity for law in front]
    if isinstance(complexity, bool) or complexity not in known:
        listed = ", ".join(map(str, known))
        raise SettingError(f"No law of complexity {complexity!r} is on the Pareto front; it has laws of {listed}.")
    return known.index(complexity)


def _most_accurate(front: Sequence[Law]) -> int:
    return min(range(len(front)), key=lambda place: front[place].loss)


def _highest_score(front: Sequence[Law]) -> int:
    scores = scores_of(front)
    return max(range(len(front)), key=lambda place: scores[place])


def _best(front: Sequence[Law]) -> int:
    scores, limit = scores_of(front), NEAR * min(law.loss for law in front)
    near = [place for place, law in enumerate(front) if law.loss <= limit]
    return max(near, key=lambda place: scores[place])


RULES: Final[dict[str, Callable[[Sequence[Law]], int | None]]] = {
    EVIDENCE: lambda front: None,
    "accuracy": _most_accurate,
    "score": _highest_score,
    "best": _best,
}
