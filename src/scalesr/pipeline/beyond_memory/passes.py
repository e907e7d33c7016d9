"""Passes over all rows until the constants of the laws stay where they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.refit import FitData, fixed, without_redundant
from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.pipeline.beyond_memory.bins import Bins
from scalesr.pipeline.beyond_memory.law_sums import LawSums, Losses, SampleLaw, trial_of
from scalesr.pipeline.beyond_memory.rows import StreamRows, Tell
from scalesr.pipeline.beyond_memory.sample import Sample
from scalesr.records.discovery import Discovery, Law, Verdict
from scalesr.records.equation import Equation

Floats = NDArray[np.float64]

MOST_LAWS: Final = (
    6  # that all rows decide between, the best first; each costs a pass as much as the reading of a column
)
MOST_PASSES: Final = 6  # Gauss-Newton from a sample's constants needs two, three where the law is far from linear
SMALL_STEP: Final = 0.1  # of a standard error: a last step that is smaller moves no sum that a law is judged by


@dataclass(frozen=True, slots=True, eq=False)
class OnAllRows:
    """A law with the sums of its last pass and its constants one small step later."""

    sums: LawSums
    values: Floats  # (open constants,)
    converged: bool  # whether that step was small


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """A law of the Pareto front that the sample rules out: its constants stay, and only its losses are added up."""

    law: Law
    losses: Losses

    def seen(self) -> Law | None:
        """The law with its losses on all rows; None where it has no value on some of them."""
        if not np.isfinite(self.losses.loss + self.losses.held_loss):
            return None
        return replace(self.law, loss=self.losses.loss, held_loss=self.losses.held_loss)


def trials_of(found: Discovery, sample: Sample) -> list[SampleLaw]:
    """The laws that the sample leaves a chance, ready for passes; the first is the one that it prefers."""
    is_exact = found.verdict is Verdict.EXACT
    laws = [found.law, *(() if is_exact else (rival.law for rival in found.rivals))]
    trials = [_trial(law, sample, may_be_exact=is_exact) for law in laws[:MOST_LAWS]]
    kept: list[SampleLaw] = []
    for trial in trials:
        if trial is not None and all(trial.expression != one.expression for one in kept):
            kept.append(trial)
    return kept


def others_of(found: Discovery) -> list[Beside]:
    """The other laws of the Pareto front."""
    known = {found.law.equation, *(rival.law.equation for rival in found.rivals)}
    return [Beside(law, Losses()) for law in found.front if law.equation not in known]


def _trial(law: Law, sample: Sample, *, may_be_exact: bool) -> SampleLaw | None:
    """All constants are open again, since more rows may object to a simple number; those of an exact law stay."""
    equation, data = law.equation, sample.data
    with np.errstate(all="ignore"):
        if may_be_exact:
            return trial_of(*_as_found(equation), law.origin, data, may_be_exact=True)
        whole = equation.expression.skeleton()
        trial = trial_of(whole, equation.constants, law.origin, data, may_be_exact=False)
        if trial is None or trial.rank == whole.n_open:
            return trial
        rows = FitData(data)
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


def converge(
    trials: Sequence[SampleLaw], beside: Sequence[Beside], rows: StreamRows, sample: Sample, bins: Bins, tell: Tell
) -> list[OnAllRows]:
    """The laws with constants from all rows, in the order of the trials; the others go along in the first pass."""
    done: dict[int, OnAllRows] = {}
    moving = dict(enumerate(trials))
    before: dict[int, LawSums] = {}
    for number in range(1, MOST_PASSES + 1):
        sums = read_all(list(moving.values()), beside if number == 1 else (), rows, sample, bins, tell)
        for place, one in zip(list(moving), sums, strict=True):
            end = _next(one, before.get(place), is_last=number == MOST_PASSES)
            if isinstance(end, OnAllRows):
                done[place] = end
                del moving[place]
            else:
                moving[place] = end
                before[place] = one if not _is_worse(one, before.get(place)) else before[place]
        if not moving:
            break
    return [done[place] for place in sorted(done)]


def _next(one: LawSums, earlier: LawSums | None, *, is_last: bool) -> OnAllRows | SampleLaw:
    """The law as it stays, or with the constants for another pass: halfway back where a step has made it worse."""
    trial = one.trial
    if _is_worse(one, earlier):
        assert earlier is not None
        if is_last:
            return OnAllRows(earlier, earlier.trial.values, converged=False)
        return replace(trial, values=0.5 * (earlier.trial.values + trial.values))
    if trial.may_be_exact or one.n_failed:
        return OnAllRows(one, trial.values, converged=not one.n_failed)
    values = trial.values + one.step()
    if _is_small(one):
        return OnAllRows(one, values, converged=True)
    return OnAllRows(one, trial.values, converged=False) if is_last else replace(trial, values=values)


def _is_worse(one: LawSums, earlier: LawSums | None) -> bool:
    """Whether a step has led away from the rows; what is larger by rounding alone is not."""
    if earlier is None:
        return False
    return bool(one.n_failed) or one.objective > earlier.objective * (1 + 1e-9)


def read_all(
    trials: Sequence[SampleLaw], beside: Sequence[Beside], rows: StreamRows, sample: Sample, bins: Bins, tell: Tell
) -> list[LawSums]:  # fmt: skip
    """One pass over all rows for some laws."""
    sums = [LawSums(trial, bins, sample.mean) for trial in trials]
    for part in rows.parts(tell, "all rows decide on the laws"):
        if not len(part.y):
            continue
        places = bins.places(part.columns)
        for one in sums:
            one.add(part, places)
        for other in beside:
            with np.errstate(all="ignore"):
                other.losses.add(part.y - evaluate(other.law.equation.expression, part.columns.T), part.held)
    return sums


def _is_small(sums: LawSums) -> bool:
    """Whether the step that follows moves no constant by much, or none can be determined."""
    errors = np.sqrt(np.diag(sums.covariance()))
    step = np.abs(sums.step())
    return bool((step <= SMALL_STEP * errors)[np.isfinite(errors)].all())
