"""Where a discovery that missed the law went wrong, told from its trace.

The answer is the first that applies, by the outcomes of its steps:

- accepted: the method stopped at a law that fits as well as the noise allows, and it is not the law
- generator: the learned function errs by more than 1 % (or twice the noise) on unseen rows
- time: the limit cut the work before a chain of variables had begun; in brackets what took longest
- first skeleton: no variable's curves were explained by a formula in it
- order: some were, and no chain was begun from them
- coefficient: chains were begun, and none ended in a whole law
- combination: whole laws were made, and none of them is the law
- search: the method has no chain of variables
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from scalesr.records.discovery import Discovery, Step
from scalesr.records.outcome import Ending, Kind, Outcome

ACCEPTED: Final = "accepted"
TIME: Final = "time"
GENERATOR: Final = "generator"
FIRST_SKELETON: Final = "first skeleton"
ORDER: Final = "order"
COEFFICIENT: Final = "coefficient"
COMBINATION: Final = "combination"
SEARCH: Final = "search"
STAGES: Final = (ACCEPTED, GENERATOR, TIME, FIRST_SKELETON, ORDER, COEFFICIENT, COMBINATION, SEARCH)

POOR: Final = 0.01  # relative error of a generator, from which skeletons can hardly be told apart


def failed_at(discovery: Discovery, noise: float = 0.0) -> str:
    """The stage at which a discovery missed the law; `noise` is a share of the target's standard deviation."""
    if discovery.ending is Ending.WITHIN_NOISE:
        return ACCEPTED
    if (error := generator_error(discovery.trace)) is not None and error > max(POOR, 2 * noise):
        return GENERATOR
    stage = _in_the_chain(discovery.trace)
    if stage in (SEARCH, ORDER) and discovery.ending is Ending.TIME:
        return f"{TIME} ({max(discovery.timings, key=discovery.timings.__getitem__, default='nothing')})"
    return stage


def kind(stage: str) -> str:
    """One of STAGES, without what stands in brackets."""
    return stage.partition(" (")[0]


def generator_error(trace: Sequence[Step]) -> float | None:
    """The smallest relative error that a generator of the trace had on unseen rows; None without any."""
    return min((one.error for one in _outcomes(trace, Kind.GENERATOR) if one.error is not None), default=None)


def _in_the_chain(trace: Sequence[Step]) -> str:
    curves, growths = _outcomes(trace, Kind.CURVES), _outcomes(trace, Kind.GROWTH)
    if not curves:
        return SEARCH
    if not any(one.succeeded for one in curves):
        return FIRST_SKELETON
    if not growths:
        return ORDER
    return COMBINATION if any(one.succeeded for one in growths) else COEFFICIENT


def _outcomes(trace: Sequence[Step], kind: Kind) -> list[Outcome]:
    """What came of the steps of one kind."""
    return [step.outcome for step in trace if step.outcome is not None and step.outcome.kind is kind]
