"""Categories: rows with values that are not numbers, each of which may add something, multiply, or have constants.

The law without them comes first. Then the evidence says by which of them, or by all together, some simple laws and
the one that was found differ, and the search in groups goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression, apply, open_constant
from scalesr.groups.archive import GroupArchive
from scalesr.pipeline.groups import discover_in_groups, simple_forms
from scalesr.pipeline.method import discover
from scalesr.records.budget import Report
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Discovery, Law, Step, Verdict
from scalesr.records.groups import GroupedData, Labels
from scalesr.records.proposal import Proposal

Floats = NDArray[np.float64]

STAGE: Final = "categories"
SHARE_WITHOUT: Final = 0.5  # of time and work, for the law without categories
N_LOOKED_AT: Final = 5  # laws of that search from which the search in groups begins
ROUNDING: Final = 1e-9  # of the largest value: effects that differ by less are equal


def discover_with_categories(
    data: Dataset,
    categories: Sequence[Labels],
    settings: Settings,
    *,
    rng: np.random.Generator,
    progress: Report | None = None,
) -> Discovery:
    """Find the law of a table some of whose columns are categories, as far as the evidence says that they matter."""
    plain = discover(data, _part(settings, SHARE_WITHOUT, 0.0), rng=rng.spawn(1)[0], progress=progress)
    if plain.verdict is Verdict.EXACT or plain.was_interrupted:
        return _told(plain, f"The law does not need {_names(categories)}.")
    laws = [law.equation.expression for law in (plain.law, *(one.law for one in plain.rivals))][:N_LOOKED_AT]
    groups, matters = _grouping(data, categories, laws, settings)
    if not matters and plain.verdict is Verdict.WITHIN_NOISE:
        return _told(plain, _without_effect(groups))
    begun = replace(settings, start=(*(Proposal(law, "the law without categories") for law in laws), *settings.start))
    found = discover_in_groups(
        groups, _part(begun, 1 - SHARE_WITHOUT, plain.seconds), rng=rng.spawn(1)[0], progress=progress
    )  # fmt: skip
    if found.law.groups is None or not found.law.groups.letters:
        return _told(plain, _without_effect(groups), found.seconds)
    trace = (*plain.trace, *found.trace, Step(STAGE, effects(found.law, data), 0.0))
    return replace(found, trace=trace, seconds=plain.seconds + found.seconds)


def _part(settings: Settings, share: float, spent: float) -> Settings:
    """The settings for a part of the work: of the time what is left, of the counted work a share."""
    limit, work = settings.time_limit, settings.max_work
    seconds = None if limit is None else (limit - spent if spent else share * limit)
    return replace(settings, time_limit=seconds, max_work=None if work is None else share * work)


def _grouping(
    data: Dataset, categories: Sequence[Labels], laws: Sequence[Expression], settings: Settings
) -> tuple[GroupedData, bool]:
    """The groups of rows that the evidence prefers, by simple laws and those that were found; and whether any matter.

    Laws of all groupings are densities of the same rows, and are compared by what they cost.
    """
    forms = [*simple_forms(data), *(form for law in laws for form in (law, _loose(law)))]
    archives = []
    for labels in categories:
        archive = GroupArchive(
            GroupedData.from_labels(data, labels.of_rows, labels.by),
            settings.operators,
            max_complexity=settings.max_complexity,
        )
        for form in forms:
            archive.offer(form, "a simple law")
        archives.append(archive)
    best = min(archives, key=lambda archive: (archive.best.cost, archive.groups.n_groups))
    return best.groups, best.best.law.fit.own.shape[1] > 0


def _loose(law: Expression) -> Expression:
    """The law with a factor and a summand, each of which may be what a category changes."""
    return apply("+", apply("*", open_constant(), law.skeleton()), open_constant())


def effects(law: Law, data: Dataset) -> str:
    """What a category does to a law, as a sentence: it adds, it multiplies, or it changes constants."""
    groups = law.groups
    assert groups is not None
    own = np.tile(np.median(groups.values, axis=0), (data.n_rows, 1))
    what = " and ".join(f"{letter}{_effect(law, data, own, place)}" for place, letter in enumerate(groups.letters))
    return f"Each of the {len(groups.labels)} values of {groups.by} has its own {what}; they share everything else."


def _effect(law: Law, data: Dataset, own: Floats, place: int) -> str:
    """Whether a constant that differs is added to what the columns say or multiplies it; nothing for neither."""
    values = [_values(law, data, own, place, times) for times in (1.0, 2.0, 3.0)]
    first, second = values[1] - values[0], values[2] - values[1]
    size = max(float(np.abs(one).max()) for one in values)
    if not np.isfinite(size) or np.abs(first - second).max() > ROUNDING * size:
        return ""
    if np.ptp(first) <= ROUNDING * size:
        return ", which is added"
    return ", which multiplies" if np.abs(values[1] - 2 * values[0]).max() <= ROUNDING * size else ""


def _values(law: Law, data: Dataset, own: Floats, place: int, times: float) -> Floats:
    moved = own.copy()
    moved[:, place] *= times
    with np.errstate(all="ignore"):
        return evaluate(law.equation.expression, np.column_stack([data.table, moved]))


def _without_effect(groups: GroupedData) -> str:
    return f"By the evidence, no constant differs between the {groups.n_groups} values of {groups.by}."


def _names(categories: Sequence[Labels]) -> str:
    """The columns that are categories; the last of several is all of them together."""
    return " and ".join(labels.by for labels in categories[:-1]) if len(categories) > 1 else categories[0].by


def _told(found: Discovery, sentence: str, seconds: float = 0.0) -> Discovery:
    step = Step(STAGE, sentence, seconds)
    return replace(found, trace=(*found.trace, step), seconds=found.seconds + seconds)
