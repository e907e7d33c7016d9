"""Least squares with constants that groups share and constants of each group's own: a problem in blocks.

The normal equations have one block for the shared constants, and for each group a small block that only
meets that one. So the groups' own constants are eliminated group by group (the Schur complement), and
the work grows with the number of groups as the rows do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.evaluate import evaluate, gradient, jacobian
from scalesr.expr.expression import Expression
from scalesr.records.groups import GroupedData

Floats = NDArray[np.float64]

FIRST_DAMPING = 1e-3
LEAST_DAMPING, MOST_DAMPING = 1e-12, 1e8
EASIER, HARDER = 0.1, 10.0  # factors of the damping after a step that was taken, and after one that was not
CONVERGED_DROP = 1e-10  # relative drop of the residual below which a fit has converged
JITTER = 1e-14  # of a scaled block, so that it has an inverse
TOLD = 1e-12  # of the largest eigenvalue of a scaled block: below it constants cannot be told apart


@dataclass(frozen=True, slots=True)
class Care:
    """How far a fit goes: steps at most, and the relative drop of the residual at which it ends."""

    max_trials: int = 60
    converged: float = CONVERGED_DROP


CAREFUL = Care()
LOOK = Care(20, 1e-5)  # while forms are compared that differ by much more


@dataclass(frozen=True, slots=True, eq=False)
class BlockFit:
    """A form fitted to groups of rows; letters are its variables behind the columns."""

    form: Expression  # shared constants are open
    shared: Floats  # (shared,) from left to right
    own: Floats  # (groups, letters)
    covariance: Floats  # (shared, shared), NaN where a constant is not determined
    own_given: Floats  # (groups, letters, letters) covariance of a group's constants given the shared ones
    own_covariance: Floats  # the same with the shared ones as uncertain as they are
    values: Floats  # (rows,)
    leverages: Floats  # (rows,) share of each row in its own value
    n_free: int  # constants that the rows determine, in all groups together
    rss: float  # weighted
    n_trials: int

    @property
    def ok(self) -> bool:
        return bool(np.isfinite(self.rss))

    @property
    def expression(self) -> Expression:
        """The form with its shared constants closed."""
        return self.form.bind(self.shared)


@dataclass(frozen=True, slots=True, eq=False)
class _Blocks:
    """The normal equations at some constants, with the columns of the Jacobian in units of their lengths."""

    values: Floats
    rss: float
    by_shared: Floats  # (rows, shared)
    by_own: Floats  # (rows, letters)
    scales: Floats  # (shared,)
    own_scales: Floats  # (groups, letters)
    top: Floats  # (shared, shared)
    side: Floats  # (groups, shared, letters)
    own: Floats  # (groups, letters, letters)
    top_goal: Floats  # (shared,)
    own_goal: Floats  # (groups, letters)


def fit_blocks(
    form: Expression, rows: GroupedData, shared: Floats, own: Floats, care: Care = CAREFUL
) -> BlockFit | None:
    """Fit from first guesses by Levenberg and Marquardt's steps; None where the form has no values there."""
    with np.errstate(all="ignore"):
        at = _linearised(form, rows, shared, own)
        if at is None:
            return None
        damping, n_trials = FIRST_DAMPING, 0
        while n_trials < care.max_trials and damping <= MOST_DAMPING and at.rss > 0:
            n_trials += 1
            step, own_step = _solved(at, damping)
            there, own_there = shared + step, own + own_step
            rss = _rss(form, rows, there, own_there)
            if not rss < at.rss:
                damping *= HARDER
                continue
            drop = 1 - rss / at.rss
            moved = _linearised(form, rows, there, own_there)
            if moved is None:
                damping *= HARDER
                continue
            at, shared, own = moved, there, own_there
            damping = max(damping * EASIER, LEAST_DAMPING)
            if drop < care.converged:
                break
        return _finished(form, rows, shared, own, at, n_trials)


def with_own(rows: GroupedData, own: Floats) -> Floats:
    """The columns with those of the letters behind them, (columns + letters, rows)."""
    letters = np.repeat(own, rows.sizes, axis=0).T
    return np.ascontiguousarray(np.concatenate([rows.data.columns, letters]))


def _rss(form: Expression, rows: GroupedData, shared: Floats, own: Floats) -> float:
    if not (np.isfinite(shared).all() and np.isfinite(own).all()):
        return np.inf
    residual = rows.data.y - evaluate(form.bind(shared), with_own(rows, own).T)
    roots = rows.roots
    residual = residual if roots is None else residual * roots
    total = float(residual @ residual)
    return total if np.isfinite(total) else np.inf


def _linearised(form: Expression, rows: GroupedData, shared: Floats, own: Floats) -> _Blocks | None:
    if not (np.isfinite(shared).all() and np.isfinite(own).all()):
        return None
    columns = with_own(rows, own)
    closed = form.bind(shared)
    values = evaluate(closed, columns.T)
    by_shared = jacobian(closed, columns.T)[:, form.open_indices]
    by_own = gradient(closed, columns.T)[:, rows.data.n_variables :]
    residual = rows.data.y - values
    roots = rows.roots
    if roots is not None:
        residual, by_shared, by_own = residual * roots, by_shared * roots[:, None], by_own * roots[:, None]
    rss = float(residual @ residual)
    if not (np.isfinite(rss) and np.isfinite(by_shared).all() and np.isfinite(by_own).all()):
        return None
    starts = rows.row_starts[:-1]
    scales = _lengths(np.sqrt((by_shared**2).sum(axis=0)))
    own_scales = _lengths(np.sqrt(np.add.reduceat(by_own**2, starts, axis=0)))
    left, right = by_shared / scales, by_own / np.repeat(own_scales, rows.sizes, axis=0)
    side = np.add.reduceat(left[:, :, None] * right[:, None, :], starts, axis=0)
    block = np.add.reduceat(right[:, :, None] * right[:, None, :], starts, axis=0)
    own_goal = np.add.reduceat(right * residual[:, None], starts, axis=0)
    return _Blocks(
        values, rss, left, right, scales, own_scales, left.T @ left, side, block, left.T @ residual, own_goal
    )  # fmt: skip


def _lengths(lengths: Floats) -> Floats:
    return np.asarray(np.where(lengths > 0, lengths, 1.0))


def _solved(at: _Blocks, damping: float) -> tuple[Floats, Floats]:
    """The damped step of the shared constants and of those of each group."""
    inverse = _damped_inverses(at.own, damping)
    weighted = at.side @ inverse  # (groups, shared, letters)
    top = at.top + damping * np.eye(len(at.scales)) - np.einsum("gsl,gtl->st", weighted, at.side)
    goal = at.top_goal - np.einsum("gsl,gl->s", weighted, at.own_goal)
    step = _damped_inverses(top[np.newaxis], JITTER)[0] @ goal
    own_step = np.einsum("glm,gm->gl", inverse, at.own_goal - np.einsum("gsl,s->gl", at.side, step))
    return step / at.scales, own_step / at.own_scales


def _damped_inverses(blocks: Floats, damping: float) -> Floats:
    """The inverse of each block with something added to its diagonal, whose entries are about one."""
    if blocks.shape[1] == 1:
        return np.asarray(1 / (blocks + damping))
    try:
        return np.asarray(np.linalg.inv(blocks + (damping + JITTER) * np.eye(blocks.shape[1])), np.float64)
    except np.linalg.LinAlgError:
        return _inverses(blocks)


def _inverses(blocks: Floats) -> Floats:
    """The inverse of each block; of the part that its rows determine, where they do not determine all."""
    if blocks.shape[1] == 0:
        return blocks
    sizes, ways = np.linalg.eigh(blocks)
    told = sizes > TOLD * np.maximum(sizes[:, -1:], 1e-300)
    inverted = np.where(told, 1 / np.where(told, sizes, 1.0), 0.0)
    return np.asarray(np.einsum("gik,gk,gjk->gij", ways, inverted, ways))


def _untold(blocks: Floats) -> NDArray[np.bool_]:
    """Which constants of which blocks their rows do not determine, (groups, constants)."""
    if blocks.shape[1] == 0:
        return np.zeros(blocks.shape[:2], bool)
    sizes, ways = np.linalg.eigh(blocks)
    lost = sizes <= TOLD * np.maximum(sizes[:, -1:], 1e-300)
    share = np.einsum("gik,gk->gi", ways**2, lost.astype(float))
    return np.asarray(share > TOLD)


def _finished(form: Expression, rows: GroupedData, shared: Floats, own: Floats, at: _Blocks, n: int) -> BlockFit:
    inverse = _inverses(at.own)
    weighted = at.side @ inverse
    top = at.top - np.einsum("gsl,gtl->st", weighted, at.side)
    n_free = len(shared) + int(np.minimum(rows.sizes, own.shape[1]).sum())
    freedom = max(rows.data.n_rows - n_free, 1)
    rounding = (np.finfo(float).eps * float(np.abs(rows.data.y).max())) ** 2  # no constant is known better than that
    variance = max(at.rss / freedom, rounding)
    top_inverse = _inverses(top[np.newaxis])[0]
    reach = at.by_shared - np.einsum("rl,rsl->rs", at.by_own, np.repeat(weighted, rows.sizes, axis=0))
    leverages = np.einsum("rs,st,rt->r", reach, top_inverse, reach)
    leverages += np.einsum("rl,rlm,rm->r", at.by_own, np.repeat(inverse, rows.sizes, axis=0), at.by_own)
    through = np.einsum("gsl,st,gtm->glm", weighted, top_inverse, weighted)
    covariance = _marked(top_inverse / np.outer(at.scales, at.scales) * variance, _untold(top[np.newaxis])[0])
    units = at.own_scales[:, :, None] * at.own_scales[:, None, :]
    untold = _untold(at.own)
    given, whole = ((part / units * variance) for part in (inverse, inverse + through))
    return BlockFit(
        form, shared, own, covariance, _marked(given, untold), _marked(whole, untold), at.values, leverages, n_free,
        at.rss, n,
    )  # fmt: skip


def _marked(covariance: Floats, untold: NDArray[np.bool_]) -> Floats:
    """A covariance with NaN in the lines of constants that are not determined."""
    covariance[untold] = np.nan
    np.swapaxes(covariance, -1, -2)[untold] = np.nan
    return covariance
