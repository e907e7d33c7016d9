"""The judge of skeletons found on a sweep.

Without noise a skeleton is right if, in every group, its closed formula agrees with the truth on 2000
fresh points and is at most twice as large (both as in `judge`).

With noise its form is right if the truth lies in its family: fitted to the same rows without noise, it
agrees with the truth in every group as above, and its size then is at most twice the truth's. Its
constants, fitted with noise, are right if
- every one that the rows determine is within 5 % of that exact fit, which starts from it, so that signs
  and phases are the same. Rows determine a constant if 4 standard errors are at most 5 % of it and all
  constants of its group can be told apart (a shift and a factor that trade off are not judged); and
- on the sweep's rows, its values are within 5 % of the truth's standard deviation (over all groups).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Fits, fit_groups
from scalesr.records.skeleton import Ranking, Skeleton
from scalesr_bench.judge import N_FRESH, TIMES_AS_LARGE, agrees, size
from scalesr_bench.search.sweeps import DrawnSweep

Floats = NDArray[np.float64]

TOP: Final = 12  # skeletons of a ranking among which the right one is looked for
CLOSE: Final = 0.05
SIGMAS: Final = 4.0

RIGHT: Final = "right"
WRONG_FORM: Final = "form"
TOO_LARGE: Final = "size"
WRONG_CONSTANTS: Final = "constants"
NOTHING: Final = "nothing"


@dataclass(frozen=True, slots=True)
class SweepVerdict:
    """The judgement of a ranking: of its first skeleton, and where the first right one stands."""

    finding: str  # about the first skeleton: "right", or what is wrong with it
    rank: int | None  # of the first right skeleton among the first 12, from 1

    @property
    def recovered(self) -> bool:
        return self.finding == RIGHT


def judge_ranking(ranking: Ranking, drawn: DrawnSweep) -> SweepVerdict:
    """Judge what a search found."""
    if ranking.best is None:
        return SweepVerdict(NOTHING, None)
    finding = judge_skeleton(ranking.best, drawn)
    if finding == RIGHT:
        return SweepVerdict(RIGHT, 1)
    later = ranking.skeletons[1:TOP]
    ranks = (rank for rank, skeleton in enumerate(later, 2) if judge_skeleton(skeleton, drawn) == RIGHT)
    return SweepVerdict(finding, next(ranks, None))


def judge_skeleton(skeleton: Skeleton, drawn: DrawnSweep) -> str:
    """RIGHT, or what is wrong with a skeleton: WRONG_FORM, TOO_LARGE or WRONG_CONSTANTS."""
    if not drawn.sweep.noise and _is_true(_closed(skeleton.expression, skeleton.constants), drawn):
        return RIGHT if _is_small(skeleton.expression, skeleton.constants, drawn) else TOO_LARGE
    exact = _exact_constants(skeleton, drawn)
    if exact is None:
        return WRONG_FORM
    if not _is_small(skeleton.expression, exact, drawn):
        return TOO_LARGE
    is_right = bool(drawn.sweep.noise) and _are_close(skeleton, exact) and _has_close_values(skeleton, drawn)
    return RIGHT if is_right else WRONG_CONSTANTS


def _closed(skeleton: Expression, constants: Floats) -> list[Expression]:
    return [skeleton.bind(line) for line in constants]


def _is_true(closed: list[Expression], drawn: DrawnSweep) -> bool:
    """Whether the formula of every group agrees with the truth on fresh points."""
    X = drawn.fresh(N_FRESH)
    return all(agrees(evaluate(formula, X), drawn.truth(group, X)) for group, formula in enumerate(closed))


def _is_small(skeleton: Expression, constants: Floats, drawn: DrawnSweep) -> bool:
    closed = _closed(skeleton, constants)
    return all(size(formula) <= TIMES_AS_LARGE * drawn.n_nodes(group) for group, formula in enumerate(closed))


def _exact_constants(skeleton: Skeleton, drawn: DrawnSweep) -> Floats | None:  # (groups, open constants)
    """Constants with which the skeleton is the truth, next to those found if it can be; None if there are none."""
    groups = [drawn.clean.group(g) for g in range(drawn.clean.n_groups)]
    tables, targets = [X for X, _ in groups], [y for _, y in groups]
    near = skeleton.constants[:, np.newaxis, :]
    fits = [fit_groups(skeleton.expression, tables, targets, starts=start) for start in (near, None)]
    lines = [_first_exact(group, fits, drawn) for group in range(len(groups))]
    known = [line for line in lines if line is not None]
    return np.array(known).reshape(len(known), skeleton.expression.n_open) if len(known) == len(lines) else None


def _first_exact(group: int, fits: list[Fits], drawn: DrawnSweep) -> Floats | None:
    X = drawn.fresh(N_FRESH)
    truth = drawn.truth(group, X)
    for fit in (found[group] for found in fits):
        if fit.ok and agrees(evaluate(fit.expression, X), truth):
            return fit.constants
    return None


def _are_close(skeleton: Skeleton, exact: Floats) -> bool:
    """Whether every constant that the rows determine is within 5 %."""
    with np.errstate(invalid="ignore"):
        errors = np.sqrt(np.diagonal(skeleton.covariance, axis1=1, axis2=2))  # NaN where not identifiable
    allowed = CLOSE * np.abs(exact)
    is_determined = (errors * SIGMAS <= allowed) & np.isfinite(errors).all(axis=1, keepdims=True)
    return not bool((is_determined & (np.abs(skeleton.constants - exact) > allowed)).any())


def _has_close_values(skeleton: Skeleton, drawn: DrawnSweep) -> bool:
    clean, total = drawn.clean, 0.0
    for group, formula in enumerate(_closed(skeleton.expression, skeleton.constants)):
        X, y = clean.group(group)
        total += float(np.sum((evaluate(formula, X) - y) ** 2))
    return bool(np.sqrt(total / clean.n_rows) <= CLOSE * clean.std)
