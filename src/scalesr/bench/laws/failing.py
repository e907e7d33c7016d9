"""Where a discovery that missed the law went wrong, told from its trace.

The answer is a reading of what the stages noted, the first that applies:

- operators: the law has a function that no operator set has
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

import re
from collections.abc import Sequence
from typing import Final

from scalesr.records.discovery import Discovery, Step

OPERATORS: Final = "operators"
ACCEPTED: Final = "accepted"
TIME: Final = "time"
GENERATOR: Final = "generator"
FIRST_SKELETON: Final = "first skeleton"
ORDER: Final = "order"
COEFFICIENT: Final = "coefficient"
COMBINATION: Final = "combination"
SEARCH: Final = "search"
STAGES: Final = (OPERATORS, ACCEPTED, GENERATOR, TIME, FIRST_SKELETON, ORDER, COEFFICIENT, COMBINATION, SEARCH)

POOR: Final = 0.01  # relative error of a generator that skeletons can hardly be told by
_ERROR: Final = re.compile(r"relative error ([-+.\de]+)")
_CURVE: Final = re.compile(r".* alone, as x0: ")
_EXPLAINED: Final = "was reached"  # of a target error, by a search that ends at the generator's own
_GROWTH: Final = re.compile(r".* along [^:]+: ")
_NOTHING: Final = "nothing that fits"


def failed_at(discovery: Discovery, noise: float = 0.0) -> str:
    """The stage at which a discovery missed the law; `noise` is a share of the target's spread."""
    if "within the noise" in discovery.ended:
        return ACCEPTED
    if (error := generator_error(discovery.trace)) is not None and error > max(POOR, 2 * noise):
        return GENERATOR
    stage = _in_the_chain(discovery.trace)
    if stage in (SEARCH, ORDER) and "time limit" in discovery.ended:
        return f"{TIME} ({max(discovery.timings, key=discovery.timings.__getitem__, default='nothing')})"
    return stage


def kind(stage: str) -> str:
    """One of STAGES, without what stands in brackets."""
    return stage.partition(" (")[0]


def generator_error(trace: Sequence[Step]) -> float | None:
    """The smallest relative error that a generator of the trace had on unseen rows; None without any."""
    told = [_ERROR.search(step.summary) for step in trace if step.stage == "generator"]
    return min((float(found[1]) for found in told if found), default=None)


def _in_the_chain(trace: Sequence[Step]) -> str:
    curves = [step.summary for step in trace if step.stage == "search" and _CURVE.match(step.summary)]
    growths = [step.summary for step in trace if step.stage == "combine" and _GROWTH.match(step.summary)]
    if not curves:
        return SEARCH
    if not any(_EXPLAINED in summary for summary in curves):
        return FIRST_SKELETON
    if not growths:
        return ORDER
    return COEFFICIENT if all(_NOTHING in summary for summary in growths) else COMBINATION
