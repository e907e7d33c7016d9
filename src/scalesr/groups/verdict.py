"""Verdict on a law of many groups: the same words as for any law, from the same tests."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from scalesr.evidence.probability import proposed, shares
from scalesr.evidence.residual_tests import UNLIKELY, change_between_neighbours, structure_left
from scalesr.groups.archive import GroupArchive, GroupCandidate
from scalesr.records.discovery import Rival, Verdict
from scalesr.records.noise import Noise

N_RIVALS: Final = 5
N_NAMED: Final = 5  # groups with too few rows
LEAST_SHARE: Final = 1e-3  # probability below which a rival is not named
NEIGHBOURS_CHANGE: Final = 0.5  # of a law's error: what it may change between neighbouring rows for these to show noise
MUCH: Final = 0.2  # of the target's standard deviation: an error that may hide half a law
MANY_ROWS: Final = 500  # with so many, structure shows along each column
ROWS_PER_CONSTANT: Final = 5  # that each constant of the form asks for, in all groups together, to be checked
BETTER: Final = 0.9  # of the error of constants of the groups alone: what a law of the columns has to reach


def judge_groups(archive: GroupArchive) -> tuple[Verdict, str]:
    """What the rows say of the best law, with the evidence in a sentence or two."""
    best = archive.best
    quality = _quality(best, archive)
    if not _uses_columns(best, archive):
        return Verdict.NO_LAW, "No law that was tried describes the rows better than a constant of each group."
    if (hidden := _untold(best, archive)) is not None:
        return Verdict.NOT_IDENTIFIABLE, f"{hidden} {quality}"
    if archive.is_exact_law(best):
        return Verdict.EXACT, quality
    if (left := _left(best, archive)) is not None:
        return Verdict.APPROXIMATE, f"{quality} {left}"
    said = f"{quality} The residual looks like noise. {best.law.score.noise.sentence}"
    return Verdict.WITHIN_NOISE, f"{said} No simpler law that was tried does as well."


def is_within_noise(archive: GroupArchive) -> bool:
    """Whether the best law leaves nothing but noise."""
    return _uses_columns(archive.best, archive) and (archive.is_exact or _left(archive.best, archive) is None)


def noise_of_groups(archive: GroupArchive) -> Noise | None:
    """The errors of the rows as the best law shows them; None where it is exact."""
    return None if archive.is_exact else archive.best.law.score.noise


def probability_of_groups(archive: GroupArchive, verdict: Verdict) -> tuple[float, tuple[Rival, ...]]:
    """The probability of the best law, and its rivals of other forms or with other constants shared."""
    best = archive.best
    others = [one for one in archive.candidates if one is not best and not _says_the_same(one, best)]
    is_exact = archive.is_exact
    chosen = [best, *(one for one in others if archive.is_exact_law(one) or not is_exact)]
    n_free = len(best.law.fit.shared) + best.law.fit.own.shape[1]
    is_left = verdict not in (Verdict.EXACT, Verdict.WITHIN_NOISE)
    among = proposed(n_free, is_exact=verdict is Verdict.EXACT, is_left=is_left)
    if verdict in (Verdict.NO_LAW, Verdict.NOT_TRIED):
        among = 0.0
    parts = [among * share for share in shares([one.total for one in chosen])]
    told = [(one, part) for one, part in zip(chosen[1:], parts[1:], strict=True) if part >= LEAST_SHARE]
    told.sort(key=lambda pair: -pair[1])
    return parts[0], tuple(Rival(archive.law_of(one), part) for one, part in told[:N_RIVALS])


def _says_the_same(one: GroupCandidate, best: GroupCandidate) -> bool:
    """Whether a law is another way to write one: the same values from as many constants."""
    off = float(np.abs(one.law.fit.values - best.law.fit.values).max())
    return off <= 1e-6 * math.sqrt(best.loss) + 1e-12 * float(np.abs(best.law.fit.values).max())


def _uses_columns(best: GroupCandidate, archive: GroupArchive) -> bool:
    """Whether a law says more of a row than its group does, by rows that had no part in their constants."""
    if not any(index < archive.rows.n_columns for index in best.law.fit.form.variables):
        return False
    data = archive.groups.data
    sums = np.add.reduceat(data.y, archive.groups.row_starts[:-1])
    sizes = archive.groups.sizes
    means = np.repeat(sums / sizes, sizes)
    factors = np.repeat(sizes / np.maximum(sizes - 1, 1), sizes)  # each row by the others of its group
    plain = float(np.mean(((data.y - means) * factors) ** 2))
    return best.leave_one_out_loss < BETTER**2 * plain


def _untold(best: GroupCandidate, archive: GroupArchive) -> str | None:
    """Constants that the rows do not determine, as a sentence."""
    done = best.law.fit
    lost = int(np.count_nonzero(~np.isfinite(np.diag(done.covariance))))
    if lost:
        return f"Only {len(done.shared) - lost} of the law's {len(done.shared)} shared constants can be told apart."
    n_groups = archive.groups.n_groups
    n_untold = n_groups - int(np.isfinite(np.diagonal(done.own_covariance, axis1=1, axis2=2)).all(axis=1).sum())
    if 2 * n_untold > n_groups:
        return f"In {n_untold} of {n_groups} groups the rows do not determine the constants that differ."
    return None


def _left(best: GroupCandidate, archive: GroupArchive) -> str | None:
    """What a law leaves unexplained, as a sentence; None if that is noise."""
    done, data = best.law.fit, archive.groups.data
    n_constants = len(done.shared) + done.own.shape[1]
    freedom = data.n_rows - done.n_free
    if freedom < ROWS_PER_CONSTANT * (n_constants + 1):
        return f"{data.n_rows} rows with {done.n_free} constants in all are too few to check the law."
    left = data.y - done.values
    residual = left if data.weights is None else left * np.sqrt(data.weights / data.weights.mean())
    probability, where = structure_left(residual, data.columns, done.n_free)
    if probability < UNLIKELY:
        return f"Structure is left in the residual: {where} (by chance with a probability of {probability:.0e})."
    moving = [index for index in dict.fromkeys(done.form.variables) if index < archive.rows.n_columns]
    error = float(np.sqrt(np.mean(residual**2)))
    may_hide = len(moving) > 1 and data.n_rows < MANY_ROWS and error > MUCH * data.std
    if may_hide and change_between_neighbours(done.values, data.columns[moving]) > NEIGHBOURS_CHANGE * error:
        return f"{data.n_rows} rows lie too far apart in the law's variables to tell noise from what it leaves out."
    return None


def _quality(best: GroupCandidate, archive: GroupArchive) -> str:
    n_rows, n_groups = archive.groups.data.n_rows, archive.groups.n_groups
    where = f"{n_rows} rows in {n_groups} groups"
    std = archive.groups.data.std or 1.0
    error = math.sqrt(best.leave_one_out_loss)
    differing = " ".join(filter(None, [_differing(best), _too_small(best, archive)]))
    if archive.is_exact_law(best):
        return (
            f"On {where} the law is off by rounding alone, {error / std:.1e} of the target's standard deviation. "
            f"{differing}"
        )
    return (
        f"On {where}, each predicted by the others, the law errs by {error:.3g}, {error / std:.2g} of the target's "
        f"standard deviation. {differing}"
    )


def _differing(best: GroupCandidate) -> str:
    n_own, n_shared = best.law.fit.own.shape[1], len(best.law.fit.shared)
    own = "No constant differs" if not n_own else f"{_count(n_own)} differ{'s' if n_own == 1 else ''}"
    shared = (
        "no fitted one is shared"
        if not n_shared
        else f"{_count(n_shared, 'fitted one')} {'is' if n_shared == 1 else 'are'} shared"
    )
    return f"{own} between groups, {shared}."


def _too_small(best: GroupCandidate, archive: GroupArchive) -> str:
    """Which groups have too few rows for constants of their own, as a sentence; nothing where all have enough."""
    n_own = best.law.fit.own.shape[1]
    small = [
        str(label) for label, size in zip(archive.groups.labels, archive.groups.sizes, strict=True) if size < n_own
    ]
    if not small:
        return ""
    named = ", ".join(small[:N_NAMED]) + (f" and {len(small) - N_NAMED} more" if len(small) > N_NAMED else "")
    return f"Fewer rows than these are in {named}: the constants there are not determined."


def _count(number: int, what: str = "constant") -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
