"""Dimension reduction: transformations that symmetries suggest, each confirmed on rows that its generator has not seen.

A right transformation loses nothing: with one variable fewer the rows are learned as well as before, mostly
better. So every transformation is tried on one part of the rows and measured on another, in units of the
target before it; the evidence of the derivatives only says which transformations are worth the trial. Under
noise several transformations do about as well, and the simplest of them is made.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scalesr.expr.operators import Operators
from scalesr.kernels.codes import ADD, MUL
from scalesr.records.precision import CLEAN
from scalesr.records.stop import Stop
from scalesr.reduce.config import REDUCE
from scalesr.reduce.parts import Learn, Misses, Parts
from scalesr.reduce.reduction import ONE, ZERO, Key, Reduction, Transformation, applied, described, together
from scalesr.reduce.symmetry import guessed_factors, has_function, has_point, probe, symmetries

Transformations = tuple[Transformation, ...]


@dataclass(frozen=True, slots=True)
class ReductionTrial:
    """Transformations made together, and what the rows say of them."""

    transformations: Transformations
    misses: Misses

    @property
    def error(self) -> float:
        return self.misses.trimmed_rmse

    @property
    def size(self) -> int:
        """Symbols that the transformations are written with."""
        return sum(
            part.n_nodes
            for transformation in self.transformations
            for part in (*transformation.new, transformation.factor, transformation.offset)
        )


@dataclass(frozen=True, slots=True)
class Smaller:
    """A smaller dataset, or None where no transformation is confirmed, and what was tried."""

    reduction: Reduction | None
    sentence: str
    error: float  # trimmed, in standard deviations of the target before, on rows not learned from
    rejected: tuple[str, ...]


def reduce_dimension(
    start: Reduction,
    *,
    operators: Operators,
    learn: Learn,
    rng: np.random.Generator,
    stop: Stop,
    is_noisy: bool = False,
    known: Container[Key] = (),
) -> Smaller:
    """Take the transformation after which the rows are learned best; factors come before pairs, and functions last.

    A transformation to a reduction that is known by its key is only taken where no other one is confirmed.
    """
    parts = Parts(start.data, learn, rng)
    generator, before = parts.measured_as_is()
    found = symmetries(probe(start.data.rows(parts.second), generator, share=REDUCE.trimmed_share))
    most = min(REDUCE.most_misfit, REDUCE.least_misfit + REDUCE.per_error * before.error)
    guesses = (
        guessed_factors(start.data)
        if before.trimmed_rmse > REDUCE.unlearned and start.data.n_rows <= REDUCE.few_rows
        else []
    )
    supported = [transformation for transformation in found if transformation.misfit < most]
    rejected: list[str] = []
    second_best: Smaller | None = None
    for options in _options(
        start.data.n_variables, *(_writable(transformations, operators) for transformations in (guesses, supported))
    ):
        trials = [
            ReductionTrial(transformations, parts.misses(together(transformations), weighted=is_noisy))
            for transformations in options
            if not stop.passed
        ]
        while trials:
            best = _simplest(trials) if is_noisy else min(trials, key=lambda trial: trial.error)
            after = applied(together(best.transformations), start, weighted=is_noisy)
            if after is None or not _is_confirmed(best, before, is_noisy=is_noisy):
                break
            smaller = Smaller(
                after, _said(best.transformations, start), best.error, (*rejected, *_refused(trials, best, start))
            )
            if after.key not in known:
                return smaller
            second_best = second_best or smaller
            trials.remove(best)
        rejected += _refused(trials, None, start)
    return second_best or Smaller(None, "", before.trimmed_rmse, tuple(rejected))


def _writable(transformations: Sequence[Transformation], operators: Operators) -> list[Transformation]:
    """Transformations after which the law needs no other operators because of them."""
    return [transformation for transformation in transformations if operators.can_write(_symbols(transformation))]


def _symbols(transformation: Transformation) -> set[int]:
    """Codes that a transformation brings into a law."""
    formulas = (*transformation.new, transformation.factor, transformation.offset)
    symbols = {code for formula in formulas for code in formula.codes.tolist()}
    symbols |= {ADD} if transformation.offset != ZERO else set()
    return symbols | ({MUL} if transformation.factor != ONE else set())


def _simplest(trials: Sequence[ReductionTrial]) -> ReductionTrial:
    """The simplest of the trials that are not clearly worse than the best one."""
    best = min(trials, key=lambda trial: trial.error)
    as_good = [trial for trial in trials if not trial.misses.is_clearly_worse_than(best.misses)]
    return min(as_good, key=lambda trial: (trial.size, trial.error), default=best)


def _is_confirmed(trial: ReductionTrial, before: Misses, *, is_noisy: bool) -> bool:
    """Whether the rows are learned no worse after the transformations, under noise not significantly worse."""
    if is_noisy and not has_function(trial.transformations[0]) and np.isfinite(trial.transformations[0].misfit):
        return not trial.misses.is_clearly_worse_than(before)
    return trial.error <= _allowed(before.trimmed_rmse, trial.transformations)


def _allowed(before: float, transformations: Transformations) -> float:
    """The error up to which a trial counts as no worse than the error before; several at once must be better."""
    if has_function(transformations[0]):
        return max(REDUCE.much_better * before, REDUCE.proof)
    if np.isinf(transformations[0].misfit):
        return REDUCE.better * before
    if before < CLEAN:
        return max(REDUCE.much_worse * before, REDUCE.negligible)
    return before * (REDUCE.no_worse if len(transformations) == 1 else 1.0)


def _kinds(transformations: Sequence[Transformation]) -> list[list[Transformation]]:
    """Transformations that are compared: powers, pairs, lines through a point, and last what has a function."""
    plain = [transformation for transformation in transformations if not has_function(transformation)]
    return [
        [transformation for transformation in plain if not transformation.new and not has_point(transformation)],
        [transformation for transformation in plain if transformation.new],
        [transformation for transformation in plain if has_point(transformation)],
        [transformation for transformation in transformations if has_function(transformation)],
    ]


def _said(transformations: Sequence[Transformation], start: Reduction) -> str:
    return "; ".join(described(transformation, start) for transformation in transformations)


def _refused(trials: Sequence[ReductionTrial], best: ReductionTrial | None, start: Reduction) -> list[str]:
    return [f"{_said(trial.transformations, start)}: error {trial.error:.2g}" for trial in trials if trial is not best]


def _options(
    n_variables: int, guesses: Sequence[Transformation], supported: Sequence[Transformation]
) -> Iterator[Sequence[Transformations]]:
    """What is tried side by side: the guesses, and of each kind first the best supported ones all at once."""
    yield [(transformation,) for transformation in guesses if transformation.columns(n_variables)]
    for transformations in filter(None, _kinds(supported)):
        best = _best_supported(transformations)
        if len(best) > 1 and not has_point(best[0]) and together(best).columns(n_variables):
            yield [best]
        n_trials = REDUCE.n_function_trials if has_function(transformations[0]) else REDUCE.n_trials
        yield [(transformation,) for transformation in transformations if transformation.columns(n_variables)][
            :n_trials
        ]


def _best_supported(transformations: Sequence[Transformation]) -> Transformations:
    """The transformations, of different columns, that are about as well supported as the first."""
    chosen: list[Transformation] = []
    for transformation in transformations:
        gone = {column for other in chosen for column in other.gone}
        if transformation.misfit <= REDUCE.as_well_supported * transformations[0].misfit and gone.isdisjoint(
            transformation.gone
        ):
            chosen.append(transformation)
    return tuple(chosen)
