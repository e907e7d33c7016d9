"""Verdict: what may be said of the best law, and why."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.archive import Archive, Candidate
from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.exact import said_beyond
from scalesr.evidence.identify import saturated_column, what_hides
from scalesr.evidence.probability import proposed, shares
from scalesr.evidence.residual_tests import (
    UNLIKELY,
    noise_between_neighbours,
    structure_left,
)
from scalesr.evidence.rounding import std_of
from scalesr.evidence.significance import can_check, holds_on
from scalesr.evidence.unknown import share_of_known
from scalesr.expr.canonical import canonical_key
from scalesr.expr.evaluate import evaluate
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict
from scalesr.records.noise import Noise

Floats = NDArray[np.float64]
SAME_VALUES = 1e-9  # of the largest value, within which two laws say the same
ALIKE = 3.0  # nats: laws this close in description length fit alike


def judge(archive: Archive) -> tuple[Verdict, str]:
    """What the rows say of the archive's best law, with the evidence in a sentence or two."""
    best = archive.best_candidate
    if not best.exact and _is_chance(best, archive):
        return Verdict.NO_LAW, _no_better(best, archive)
    hidden = what_hides(best.law.equation.expression, archive.data) or _undetermined(best) or _rival(best, archive)
    if best.exact:
        hidden = hidden or saturated_column(best.fit, archive.data)
    if hidden is not None:
        return Verdict.NOT_IDENTIFIABLE, f"{hidden} {_quality(best, archive)}"
    if best.exact:
        n_constants = _count(len(best.fit.constants), "fitted constant")
        return Verdict.EXACT, f"{_quality(best, archive)} It has {n_constants} for {archive.data.n_rows} rows."
    left = _what_is_left(best, archive)
    if left is not None:
        return Verdict.APPROXIMATE, f"{_quality(best, archive)} {left}"
    return Verdict.WITHIN_NOISE, (
        f"{_quality(best, archive)} The residual looks like noise. {best.score.noise.sentence} No simpler law that was "
        "tried does as well."
    )


def noise_of(archive: Archive) -> Noise | None:
    """The errors of the target's rows, as the best law shows them; None where it is exact on all of them.

    Where structure is left in the residual, neighbouring rows show the noise better than the law does.
    """
    best = archive.best_candidate
    if best.at_rounding and best.score.rows.good is None:
        return None
    data, residual = _residual(best, archive)
    probability, _ = structure_left(residual, data.columns, len(best.fit.constants))
    if probability >= UNLIKELY:
        return best.score.noise
    return Noise("constant", min(_error(best, archive), noise_between_neighbours(residual, data.columns)))


def _error(best: Candidate, archive: Archive) -> float:
    """Standard deviation of the residual, with the fitted constants allowed for."""
    freedom = max(archive.data.n_rows - best.fit.rank, 1)
    return math.sqrt(best.law.loss * archive.data.n_rows / freedom)


def _residual(best: Candidate, archive: Archive) -> tuple[Dataset, Floats]:
    """Some of the rows, and what the law leaves of them."""
    rows = archive.rows.thinned(EVIDENCE.rows_of_verdict)
    return rows.data, rows.residual(best.law.equation.expression)


def _is_chance(best: Candidate, archive: Archive) -> bool:
    """Whether a law may well be no better than a constant; held-back rows decide best, where there are enough."""
    expr = best.law.equation.expression
    if archive.can_tell and expr.variables:
        return not holds_on(expr, archive.held, float(np.average(archive.data.y, weights=archive.data.weights)))
    if best.at_rounding and said_beyond(best.fit, archive.rows) > ALIKE:
        return True
    return not (expr.variables and best.significant)


def _no_better(best: Candidate, archive: Archive) -> str:
    if not best.law.equation.expression.variables:
        return "No law that was tried describes the rows better than a constant."
    level = float(np.average(archive.data.y, weights=archive.data.weights))
    plain = float(np.sqrt(np.mean((archive.held.y - level) ** 2)))
    return (
        f"On {_which_rows(archive)} the best formula, {best.law.equation}, errs by "
        f"{math.sqrt(best.law.held_loss):.3g} and a constant by {plain:.3g}; what it seems to explain may be chance."
    )


def _undetermined(best: Candidate) -> str | None:
    n_constants = len(best.fit.constants)
    if best.fit.rank >= n_constants:
        return None
    return f"Only {best.fit.rank} of the law's {_count(n_constants, 'constant')} can be told apart on these rows."


def _rival(best: Candidate, archive: Archive) -> str | None:
    """Another law in other variables that does as well, as a sentence."""
    own = set(best.law.equation.expression.variables)
    for one in archive.candidates[1:]:
        other = set(one.law.equation.expression.variables)
        alike = one.exact if best.exact else one.law.score <= best.law.score + ALIKE
        if alike and other - own and own - other:
            return f"{best.law.equation} and {one.law.equation} use different variables and fit these rows alike."
    return None


def _what_is_left(best: Candidate, archive: Archive) -> str | None:
    """What a law leaves unexplained, as a sentence; None if that is noise."""
    n_constants = len(best.fit.constants)
    if best.at_rounding:
        return "Yet simpler formulas come close step by step, as in a series expansion of some other law."
    if not can_check(best.fit, archive.data):
        return f"{archive.data.n_rows} rows are too few to check {_count(n_constants, 'constant')}."
    data, residual = _residual(best, archive)
    probability, where = structure_left(residual, data.columns, n_constants)
    if probability < UNLIKELY:
        return f"Structure is left in the residual: {where} (by chance with a probability of {probability:.0e})."
    ahead = -archive.lead_of(best)
    if ahead > 0:
        return (
            f"A smooth function without a formula tells {_count(data.n_rows, 'row')} better by {ahead:.1f} nats, so "
            "that what the law leaves may be more than noise."
        )
    return None


def _quality(best: Candidate, archive: Archive) -> str:
    error = math.sqrt(best.law.held_loss)
    share = error / std_of(archive.data)
    if best.exact:
        off = math.sqrt(best.law.loss) / std_of(archive.data) if best.score.noise.outliers == 0 else 0.0
        return f"On {_which_rows(archive)} the law is off by rounding alone{_but_for(best, max(off, share))}."
    return (
        f"On {_which_rows(archive)} the law errs by {error:.3g}, {share:.2g} of the target's standard deviation, "
        f"and explains {max(1 - share**2, 0.0):.4%} of its variance."
    )


def _but_for(best: Candidate, share: float) -> str:
    """How far that is, or how many rows of the fit are outliers."""
    bad = best.score.rows.are_outliers
    if bad is None:
        return f", {share:.1e} of the target's standard deviation"
    return f", but for {_count(int(np.count_nonzero(bad)), 'outlier')} among the rows of the fit"


def probability_of(archive: Archive, verdict: Verdict) -> tuple[float, tuple[tuple[Candidate, float], ...]]:
    """The probability of the best law, and its rivals of other forms with theirs, the likeliest first."""
    best = archive.best_candidate
    forms: dict[str, Candidate] = {}
    for one in (best, *sorted(archive.candidates, key=lambda one: one.law.score)):
        if one.exact or not best.exact:
            forms.setdefault(canonical_key(one.law.equation.expression.skeleton()), one)
    values = evaluate(best.law.equation.expression, archive.rows.few.data.table)
    chosen = [best, *(one for one in forms.values() if one is not best and not _says_the_same(one, values, archive))]
    costs = [one.score.law if best.exact else one.score.total for one in chosen]
    n_free = len(best.fit.constants)
    is_left = verdict not in (Verdict.EXACT, Verdict.WITHIN_NOISE)
    among = proposed(n_free, is_exact=verdict is Verdict.EXACT, is_left=is_left)
    if not best.at_rounding:
        among *= share_of_known(archive.lead_of(best))
    if not best.law.equation.expression.variables or verdict in (Verdict.NO_LAW, Verdict.NOT_TRIED):
        among = 0.0
    parts = [among * share for share in shares(costs)]
    others = sorted(zip(chosen[1:], parts[1:], strict=True), key=lambda pair: -pair[1])
    return parts[0], tuple(pair for pair in others[: EVIDENCE.n_rivals] if pair[1] >= EVIDENCE.least_share)


def _says_the_same(one: Candidate, values: Floats, archive: Archive) -> bool:
    """Whether a law is another way to write what gives these values on a few rows."""
    off = np.abs(evaluate(one.law.equation.expression, archive.rows.few.data.table) - values)
    return bool(off.max(initial=0.0) <= SAME_VALUES * np.abs(values).max(initial=0.0))


def _which_rows(archive: Archive) -> str:
    return (
        f"all {archive.data.n_rows} rows" if archive.held is archive.data else f"{archive.held.n_rows} held-back rows"
    )


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"
