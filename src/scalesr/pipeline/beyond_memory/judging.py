"""What all rows say of the laws: scores, the best, its verdict, and whether they contradict what the sample said."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.constants import read_constants
from scalesr.evidence.identify import what_hides
from scalesr.evidence.judged import JudgedLaw
from scalesr.evidence.probability import proposed, shares
from scalesr.evidence.refit import fixed
from scalesr.evidence.residual_tests import UNLIKELY, nats_against, structure_left
from scalesr.evidence.score import n_told, score_of
from scalesr.evidence.significance import BY_CHANCE, correlation_by_chance
from scalesr.evidence.verdict import ALIKE, SAME_VALUES
from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.expr.fitting import Fit, Status
from scalesr.expr.simplify import simplify
from scalesr.pipeline.beyond_memory.passes import OnAllRows
from scalesr.pipeline.beyond_memory.sample import Sample
from scalesr.records.discovery import Discovery, Law, Rival, Verdict
from scalesr.records.equation import Equation

Floats = NDArray[np.float64]

TINY: Final = float(np.finfo(float).tiny)
SHOWN_ROWS: Final = 200  # on which two ways to write a law are compared
NOTHING_LEFT: Final = (Verdict.EXACT, Verdict.WITHIN_NOISE)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedInPasses(JudgedLaw):
    """A law as all rows see it."""

    on: OnAllRows
    probability: float  # that noise alone leaves such structure
    where: str  # that structure is
    is_exact: bool


def judged_in_passes(on: OnAllRows, sample: Sample) -> JudgedInPasses | None:
    """A law with its evidence from all rows; None where it has no value on some of them."""
    sums, trial = on.sums, on.sums.trial
    if sums.n_failed:
        return None
    freedom = max(sums.losses.n_rows - trial.rank, 1)
    done = Fit(
        trial.skeleton, on.values, sums.covariance(), sums.variance * freedom, trial.rank, Status.CONVERGED,
        sums.n_failed, sums.losses.n_rows, 1,
    )  # fmt: skip
    if not np.isfinite(evaluate(done.expression, sample.data.table)).all():
        return None
    shape = trial.errors.shape(evaluate(done.expression, sample.data.table))
    explained = trial.errors.explained(sums.sums(), shape, n_told(done))
    probability, where = _structure(done, on, sample)
    structure = nats_against(probability)
    score = replace(score_of(done, explained, sample.data.dimensions), structure=structure)
    read, worse = _read(done, sample)
    cost = replace(explained, cost=explained.cost + worse)
    shorter = replace(score_of(read, cost, sample.data.dimensions), structure=structure)
    if shorter.total < score.total:
        done, score = read, shorter
    is_exact = trial.may_be_exact and (sums.near.is_rounding or sums.near.may_be_rounding(sample.std))
    equation = Equation.from_fit(done, sample.data.names)
    law = Law(equation, sums.losses.loss, sums.losses.held_loss, score.total, trial.origin)
    return JudgedInPasses(done, law, score, on, probability, where, is_exact)


def _structure(done: Fit, on: OnAllRows, sample: Sample) -> tuple[float, str]:
    """Structure in the means of bins of all rows, or between neighbours in the sample."""
    binned = on.sums.binned.structure(len(done.constants))
    data = sample.data.thinned(EVIDENCE.rows_of_verdict)
    values = evaluate(done.expression, data.table)
    residual = on.sums.trial.errors.shape(values).divided(data.y - values)
    return min(binned, structure_left(residual, data.columns, len(done.constants)))


def _read(done: Fit, sample: Sample) -> tuple[Fit, float]:
    """The law with constants read as simple numbers, the others moved along, and what the rows object in nats."""
    covariance = done.covariance
    found = read_constants(done.constants, covariance).numbers
    numbers = {place: float(f"{number:.15g}") for place, number in found.items()}  # 3/10 as 0.3
    if not numbers:
        return done, 0.0
    places = sorted(numbers)
    others = [place for place in range(len(done.constants)) if place not in numbers]
    off = np.array([numbers[place] for place in places]) - done.constants[places]
    within, between = covariance[np.ix_(places, places)], covariance[np.ix_(others, places)]
    pull = np.linalg.pinv(within, hermitian=True)
    read = replace(
        done, skeleton=fixed(done.skeleton, numbers), constants=done.constants[others] + between @ pull @ off,
        covariance=covariance[np.ix_(others, others)] - between @ pull @ between.T, rank=len(others),
    )  # fmt: skip
    return _written_shortly(read, sample), 0.5 * float(off @ pull @ off)


def _written_shortly(done: Fit, sample: Sample) -> Fit:
    """The law in its shortest form, x^3 for x^3.0, where that leaves each open constant what it is."""
    shorter = replace(done, skeleton=simplify(done.skeleton))
    if shorter.skeleton.n_open != done.skeleton.n_open:
        return done
    table = sample.data.thinned(SHOWN_ROWS).table
    one, other = evaluate(done.expression, table), evaluate(shorter.expression, table)
    return shorter if bool((np.abs(one - other) <= SAME_VALUES * np.abs(one).max()).all()) else done


def contradicts(best: JudgedInPasses | None, found: Discovery) -> bool:
    """Whether all rows see something that the sample did not: then it has to grow."""
    if best is None:
        return True
    if found.verdict is Verdict.EXACT:
        return not best.is_exact
    return found.verdict is Verdict.WITHIN_NOISE and best.probability < UNLIKELY


def verdict_of(
    best: JudgedInPasses, others: Sequence[JudgedInPasses], found: Discovery, sample: Sample
) -> tuple[Verdict, str]:
    """What may be said of the best law."""
    sums = best.on.sums
    quality = _quality(best)
    hidden = what_hides(best.law.equation.expression, sample.data) or _undetermined(best) or _rival(best, others)
    if not best.is_exact and _is_chance(best):
        return Verdict.NO_LAW, f"{quality} It does no better than a constant there, beyond chance."
    if hidden is not None:
        return Verdict.NOT_IDENTIFIABLE, f"{hidden} {quality}"
    if found.verdict is Verdict.NOT_IDENTIFIABLE:
        return found.verdict, f"{found.reason} {quality}"
    if best.is_exact:
        n_constants = len(best.fit.constants)
        constants = f"{n_constants or 'no'} fitted constant{'' if n_constants == 1 else 's'}"
        return Verdict.EXACT, f"{quality} It has {constants} for {sums.losses.n_rows:,} rows."
    if best.probability < UNLIKELY:
        left = (
            f"Structure is left in the residual: {best.where} (by chance with a probability of {best.probability:.0e})."
        )
        return Verdict.APPROXIMATE, f"{quality} {left}"
    if not best.on.converged:
        return Verdict.APPROXIMATE, f"{quality} Its constants had not converged when the passes were up."
    return Verdict.WITHIN_NOISE, (
        f"{quality} On all {sums.losses.n_rows:,} rows the residual looks like noise: its mean is zero in each part "
        f"of every column. {best.score.noise.sentence} No simpler law that was tried does as well."
    )


def _quality(best: JudgedInPasses) -> str:
    sums = best.on.sums
    if best.is_exact:
        but = f", but for {sums.n_outliers:,} outliers" if sums.n_outliers else ""
        return f"On all {sums.losses.n_rows:,} rows the law is off by rounding alone{but}."
    error = math.sqrt(sums.losses_of_good.held_loss)
    share = error / (math.sqrt(sums.held_variance) or 1.0)
    but = f", but for {sums.n_outliers:,} outliers among all rows" if sums.n_outliers else ""
    return (
        f"On {sums.losses.n_held:,} rows that no search has seen the law errs by {error:.3g}, {share:.2g} of the "
        f"target's standard deviation, and explains {max(1 - share**2, 0.0):.4%} of its variance{but}."
    )


def _is_chance(best: JudgedInPasses) -> bool:
    """Whether a law predicts held-back rows no better than one level, or by chance."""
    sums = best.on.sums
    if not best.law.equation.expression.variables or not sums.losses_of_good.held_loss < sums.held_variance:
        return True
    return correlation_by_chance(min(sums.held_correlation, 1.0), sums.losses.n_held) >= BY_CHANCE


def _undetermined(best: JudgedInPasses) -> str | None:
    n_constants, rank = len(best.fit.constants), best.fit.rank
    return None if rank >= n_constants else f"Only {rank} of the law's {n_constants} constants can be told apart."


def _rival(best: JudgedInPasses, others: Sequence[JudgedInPasses]) -> str | None:
    """Another law in other variables that does as well, as a sentence."""
    own = set(best.law.equation.expression.variables)
    for one in others:
        other = set(one.law.equation.expression.variables)
        if not best.is_exact and one.law.score <= best.law.score + ALIKE and other - own and own - other:
            return f"{best.law.equation} and {one.law.equation} use different variables and fit these rows alike."
    return None


def concluded(judged: Sequence[JudgedInPasses], beside: Sequence[Law], found: Discovery, sample: Sample) -> Discovery:
    """The discovery that all rows make of the sample's."""
    ranked = sorted(judged, key=lambda one: (not one.is_exact, one.score.total))
    best = ranked[0]
    forms: dict[str, JudgedInPasses] = {}
    for one in ranked:
        forms.setdefault(canonical_key(one.law.equation.expression.skeleton()), one)
    chosen = list(forms.values()) if not best.is_exact else [best]
    verdict, reason = verdict_of(best, ranked[1:], found, sample)
    among = proposed(
        len(best.fit.constants), is_exact=verdict is Verdict.EXACT, is_left=verdict not in NOTHING_LEFT
    )  # fmt: skip
    among = 0.0 if verdict is Verdict.NO_LAW else among
    parts = [among * share for share in shares([one.score.total for one in chosen])]
    rivals = [
        Rival(one.law, part) for one, part in zip(chosen[1:], parts[1:], strict=True) if part >= EVIDENCE.least_share
    ]
    noise = None if best.is_exact and not best.on.sums.n_outliers else best.score.noise
    return replace(
        found, law=best.law, verdict=verdict, reason=reason, front=_front(ranked, beside), noise=noise, chosen=None,
        probability=parts[0], rivals=tuple(rivals[:EVIDENCE.n_rivals]),
    )  # fmt: skip


def _front(ranked: Sequence[JudgedInPasses], beside: Sequence[Law]) -> tuple[Law, ...]:
    """Laws that no other beats in both complexity and loss, simplest first; the best is among them."""
    best = ranked[0]
    n_rows = best.on.sums.losses.n_rows
    others = [
        replace(law, score=best.law.score + 0.5 * n_rows * math.log(max(law.loss, TINY) / max(best.law.loss, TINY)))
        for law in beside  # whose likelihood follows from its mean square alone
    ]
    kept: list[Law] = []
    for law in sorted([*(one.law for one in ranked), *others], key=lambda law: (law.complexity, law.loss)):
        is_better = not kept or law.loss < kept[-1].loss
        if law is best.law or (is_better and law.complexity != best.law.complexity):
            kept.append(law)
    return tuple(kept)
