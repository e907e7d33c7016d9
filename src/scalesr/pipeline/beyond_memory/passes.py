"""Passes over all rows until the constants of the laws stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.combine.refit import Rows, fixed, without_redundant
from scalesr.expr.expression import Expression
from scalesr.pipeline.beyond_memory.bins import Bins
from scalesr.pipeline.beyond_memory.law_sums import LawSums, Trial, trial_of
from scalesr.pipeline.beyond_memory.rows import StreamRows, Tell
from scalesr.pipeline.beyond_memory.sample import Sample
from scalesr.records.discovery import Discovery, Law, Verdict
from scalesr.records.equation import Equation

Floats = NDArray[np.float64]

MOST_LAWS: Final = (
    6  # that all rows decide between, the best first; each costs a pass as much as the reading of a column
)
MOST_PASSES: Final = 6  # Gauss-Newton from a sample's constants needs two, three where the law is far from linear
NEARLY: Final = 0.1  # of a standard error: a last step that is smaller moves no sum that a law is judged by


@dataclass(frozen=True, slots=True, eq=False)
class OnAllRows:
    """A law with the sums of its last pass and its constants one small step later."""

    sums: LawSums
    values: Floats  # (open constants,)
    settled: bool  # whether that step was small


def trials_of(found: Discovery, sample: Sample) -> list[Trial]:
    """The laws that the sample leaves a chance, ready for passes; the first is the one that it prefers."""
    laws = [found.law, *(rival.law for rival in found.rivals)]
    laws += sorted((law for law in found.front if law not in laws), key=lambda law: law.score)
    is_exact = found.verdict is Verdict.EXACT
    trials = [_trial(law, sample, may_be_exact=is_exact and law is found.law) for law in laws[:MOST_LAWS]]
    kept: list[Trial] = []
    for trial in trials:
        if trial is not None and all(trial.expression != one.expression for one in kept):
            kept.append(trial)
    return kept


def _trial(law: Law, sample: Sample, *, may_be_exact: bool) -> Trial | None:
    """All constants are open again, since more rows may object to a simple number; those of an exact law stay."""
    equation, data = law.equation, sample.data
    with np.errstate(all="ignore"):
        if may_be_exact:
            return trial_of(*_as_found(equation), law.origin, data, may_be_exact=True)
        whole = equation.expression.skeleton()
        trial = trial_of(whole, equation.constants, law.origin, data, may_be_exact=False)
        if trial is None or trial.rank == whole.n_open:
            return trial
        rows = Rows(data)
        fewer = without_redundant(rows.few.fit(whole, start=equation.constants), rows)
        again = trial_of(fewer.skeleton, fewer.constants, law.origin, data, may_be_exact=False) if fewer.ok else None
        if again is not None and again.rank == fewer.skeleton.n_open:
            return again
        return trial_of(*_as_found(equation), law.origin, data, may_be_exact=False)


def _as_found(equation: Equation) -> tuple[Expression, Floats]:
    """The law with its fitted constants open, and their values."""
    fitted = equation.standard_errors > 0
    closed = {place: value for place, value in enumerate(equation.constants.tolist()) if not fitted[place]}
    return fixed(equation.expression.skeleton(), closed), equation.constants[fitted]


def settle(trials: Sequence[Trial], rows: StreamRows, sample: Sample, bins: Bins, tell: Tell) -> list[OnAllRows]:
    """The laws with constants from all rows, in the order of the trials; laws without a value on some row are out."""
    done: dict[int, OnAllRows] = {}
    moving = dict(enumerate(trials))
    before: dict[int, LawSums] = {}
    for number in range(1, MOST_PASSES + 1):
        sums = read_all(
            list(moving.values()), rows, sample, bins, lambda what, n, k=number: tell(f"pass {k}, {what}", n)
        )
        for place, one in zip(list(moving), sums, strict=True):
            earlier = before.get(place)
            if one.n_failed and earlier is None:
                done[place] = OnAllRows(one, one.trial.values, settled=False)
                del moving[place]
                continue
            if earlier is not None and (one.n_failed or one.variance > earlier.variance * (1 + 1e-9)):
                halfway = 0.5 * (earlier.trial.values + one.trial.values)
                moving[place] = replace(one.trial, values=halfway)
                continue
            values = one.trial.values if one.trial.may_be_exact else one.trial.values + one.step()
            is_settled = one.trial.may_be_exact or _is_small(one)
            if is_settled or number == MOST_PASSES:
                done[place] = OnAllRows(one, values, is_settled)
                del moving[place]
            else:
                before[place], moving[place] = one, replace(one.trial, values=values)
        if not moving:
            break
    done |= {place: OnAllRows(before[place], before[place].trial.values, settled=False) for place in moving}
    return [done[place] for place in sorted(done)]


def read_all(
    trials: Sequence[Trial], rows: StreamRows, sample: Sample, bins: Bins, tell: Tell
) -> list[LawSums]:  # fmt: skip
    """One pass over all rows for some laws."""
    sums = [LawSums(trial, bins, sample.mean) for trial in trials]
    for part in rows.parts(tell, "all rows decide on the laws"):
        if len(part.y):
            places = bins.places(part.columns)
            for one in sums:
                one.add(part, places)
    return sums


def _is_small(sums: LawSums) -> bool:
    """Whether the step that follows moves no constant by much, or none can be told."""
    errors = np.sqrt(np.diag(sums.covariance()))
    step = np.abs(sums.step())
    return bool((step <= NEARLY * errors)[np.isfinite(errors)].all())
