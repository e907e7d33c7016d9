"""Suites of tables for whole discoveries: the registry's, and those made here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from scalesr.errors import DataError
from scalesr_bench.laws.counting import can_be_counted
from scalesr_bench.laws.target_noise import USUAL_LEVELS, NoiseKind
from scalesr_bench.problems.empirical import EMPIRICAL
from scalesr_bench.problems.feynman import FEYNMAN
from scalesr_bench.problems.hard import HARD_SUITES, hard, suite_of_kind
from scalesr_bench.problems.hard import SUITE as HARD
from scalesr_bench.problems.many_variables import many_variables
from scalesr_bench.problems.measured import REAL
from scalesr_bench.problems.no_law import NoLaw, tables_without_law
from scalesr_bench.problems.problem import Problem
from scalesr_bench.problems.registry import SUITES
from scalesr_bench.problems.science import SEEN, science
from scalesr_bench.problems.science import SUITE as SCIENCE
from scalesr_bench.problems.strogatz import STROGATZ

Source = Problem | NoLaw

# Laws of three to nine variables that ask for different moves.
_MORE_VARIABLES: Final = (
    "I.8.14", "I.9.18", "I.12.11", "I.13.12", "I.15.3x", "I.16.6", "I.18.4", "I.24.6", "I.32.17", "I.41.16",
    "II.6.15a", "II.36.38", "III.4.32", "III.10.19",
)  # fmt: skip

# Suite -> its sources, given the seed of those that are drawn.
_MADE_HERE: Final[Mapping[str, Callable[[int], Sequence[Source]]]] = {
    "srbench": lambda _: (*FEYNMAN, *STROGATZ),
    "empirical": lambda _: EMPIRICAL,
    "real": lambda _: REAL,
    "more-variables": lambda _: [problem for problem in FEYNMAN if problem.name in _MORE_VARIABLES],
    "many-variables": many_variables,
    "no-law": tables_without_law,
}
_IN_PARTS: Final = (SCIENCE, *HARD_SUITES)  # a seen and an unseen one
LAW_SUITES: Final = (*SUITES, *_MADE_HERE, *_IN_PARTS)
USUAL_NOISE: Final[Mapping[str, tuple[float, ...]]] = {
    "srbench": (0.0, 0.001, 0.01, 0.1),
    "empirical": (0.1,),
    SCIENCE: (0.0, 0.01, 0.1),
    **dict.fromkeys(HARD_SUITES, (0.0, 0.01)),
}


@dataclass(frozen=True, slots=True)
class SuiteChoice:
    """What a benchmark runs on."""

    sources: tuple[Source, ...]
    is_whole: bool  # nothing of a suite was left out by name
    skipped: tuple[str, ...] = ()  # names of those that the kind of noise does not allow


def named_suite(name: str, kind: str = "") -> str:
    """The name of a suite where a kind may be told apart from it, as that of hard laws is."""
    if name == HARD:
        return suite_of_kind(kind)
    if kind:
        raise DataError(f"--kind {kind} is for the suite {HARD}; {name} has no kinds. Leave it out.")
    return name


def suite_of(name: str, *, law_seed: int = 0, part: str = "") -> tuple[Source, ...]:
    """All of a suite, or of several with commas between; where suites have parts only one, usually the seen one."""
    sources: list[Source] = []
    for suite in name.split(","):
        if suite not in LAW_SUITES:
            raise DataError(f"Unknown suite {suite!r}; known are {', '.join(LAW_SUITES)}.")
        if suite == SCIENCE:
            sources += science(part or SEEN)
        elif suite in HARD_SUITES:
            sources += hard(suite, part or SEEN)
        else:
            sources += _MADE_HERE[suite](law_seed) if suite in _MADE_HERE else SUITES[suite]
    if part and not has_parts(name):
        raise DataError(f"--part {part} is for {SCIENCE} and {HARD}; {name} has no parts. Leave it out.")
    return tuple(sources)


def has_parts(name: str) -> bool:
    """Whether a suite, or one of several, is divided into a seen and an unseen part."""
    return not set(_IN_PARTS).isdisjoint(name.split(","))


def usual_noise(name: str, kind: NoiseKind | None = None) -> tuple[float, ...]:
    """Levels of noise that a kind or, where that is the suite's own or constant, a suite is usually run at."""
    return USUAL_LEVELS.get(kind or "constant") or USUAL_NOISE.get(name, (0.0,))


def select(sources: Sequence[Source], patterns: Sequence[str] = ()) -> SuiteChoice:
    """The sources with a name that matches a pattern such as Jin-* ; all of them without patterns."""
    for pattern in patterns:
        if not any(fnmatchcase(source.name, pattern) for source in sources):
            raise DataError(f"No problem is called {pattern!r}; there are {', '.join(s.name for s in sources[:20])}.")
    chosen = [s for s in sources if not patterns or any(fnmatchcase(s.name, pattern) for pattern in patterns)]
    return SuiteChoice(tuple(chosen), len(chosen) == len(sources))


def countable(selection: SuiteChoice) -> SuiteChoice:
    """What of a selection is positive, so that events can be counted; the rest is named as skipped."""
    kept = tuple(source for source in selection.sources if can_be_counted(source))
    if not kept:
        raise DataError("None of these tables has a law that is positive in its box; choose another --noise-kind.")
    skipped = tuple(source.name for source in selection.sources if source not in kept)
    return SuiteChoice(kept, selection.is_whole, skipped)
