"""Fits of skeletons to rows: one, many skeletons on one table, or one skeleton on many groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scalesr.errors import DataError, FormulaError
from scalesr.expr.expression import Expression
from scalesr.expr.fit_memory import fill
from scalesr.expr.programs import Programs, columns_of, pack, require_columns
from scalesr.expr.threads import Watch, share_out, share_out_watched
from scalesr.kernels.fit import fit_routines, fit_tasks, frame_of
from scalesr.kernels.machine import address_in_memory
from scalesr.kernels.table import table
from scalesr.masks import require_unmasked

Floats = NDArray[np.float64]

ROWS_PER_UNIT = 1000  # rows that one skeleton is fitted to in a unit of work
NOTICEABLE = 20_000  # rows times skeletons, some hundredths of a second, from which fits look before they begin
LONG = 200_000  # the same, from which they are watched while they are made


class Status(IntEnum):
    """How a fit ended; the numbers are those of the kernels."""

    CONVERGED = 0
    STOPPED = 1
    NO_VALUES = 2

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]


_SENTENCES = {
    Status.CONVERGED: "The fit converged.",
    Status.STOPPED: "The fit stopped at its limit of trials; more effort may improve it.",
    Status.NO_VALUES: "The skeleton has no finite values on these rows from any start.",
}


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard a fit tries: guesses screened, guesses polished, and trials for each of them.

    A skeleton with q nonlinear constants gets n_screened * 2^(q - 1) guesses, at most 8 times as many.
    """

    n_screened: int = 32
    n_polished: int = 6
    polish_trials: int = 40
    final_trials: int = 300

    def __post_init__(self) -> None:
        if min(self.n_screened, self.n_polished, self.polish_trials, self.final_trials) < 1:
            raise ValueError(f"Every part of an effort is 1 or more: {self}.")


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """Fits of equal shape, one line each; constants are the open ones from left to right.

    Where a constant is not identifiable its lines of `covariance` are NaN. `n_failed` counts rows
    on which the fitted formula has no finite value; `rss` leaves them out.
    """

    skeletons: Sequence[Expression]  # each has as many fits as there are groups, one after another
    constants: Floats  # (fits, open constants)
    covariance: Floats  # (fits, open constants, open constants)
    rss: Floats  # (fits,) weighted residual sum of squares
    rank: NDArray[np.int64]
    n_failed: NDArray[np.int64]
    status: NDArray[np.int64]
    n_trials: NDArray[np.int64]
    n_rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rss)

    def __getitem__(self, index: int) -> Fit:
        skeleton = self.skeletons[index * len(self.skeletons) // len(self)]
        n_open = skeleton.n_open
        return Fit(
            skeleton,
            self.constants[index, :n_open],
            self.covariance[index, :n_open, :n_open],
            float(self.rss[index]),
            int(self.rank[index]),
            Status(self.status[index]),
            int(self.n_failed[index]),
            int(self.n_rows[index]),
            int(self.n_trials[index]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """One skeleton fitted to rows."""

    skeleton: Expression
    constants: Floats  # (open constants,)
    covariance: Floats  # (open constants, open constants), NaN where not identifiable
    rss: float  # weighted residual sum of squares
    rank: int  # of the Jacobian: how many constants the rows can tell apart
    status: Status
    n_failed: int  # rows on which the fitted formula has no finite value
    n_rows: int
    n_trials: int

    @property
    def ok(self) -> bool:
        """Whether the formula has a value on every row."""
        return self.status is not Status.NO_VALUES and self.n_failed == 0

    @property
    def expression(self) -> Expression:
        """The skeleton with the fitted constants."""
        return self.skeleton.bind(self.constants)

    @property
    def standard_errors(self) -> Floats:
        """Square roots of the variances of the constants."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def message(self) -> str:
        """What there is to know about the fit, in sentences."""
        parts = [self.status.sentence]
        if self.status is not Status.NO_VALUES:
            if self.n_failed:
                parts.append(f"The formula has no finite value on {self.n_failed} of {self.n_rows} rows.")
            if self.rank < len(self.constants):
                parts.append(f"Only {self.rank} of {len(self.constants)} constants can be told apart on these rows.")
        return " ".join(parts)


def fit(
    skeleton: Expression,
    X: ArrayLike,
    y: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    starts: ArrayLike | None = None,
    effort: Effort | None = None,
    watch: Watch | None = None,
) -> Fit:
    """Fit the open constants of a skeleton by least squares.

    `starts` (starts, open constants) replaces the fit's own first guesses: a warm start. Linear
    constants are solved for whatever their start. `watch` may end a long fit, by an exception, is told of
    the work and asked for what its memory has.
    """
    columns, target, roots = _table(X, y, weights)
    row_starts = np.array([0, len(target)])
    return fit_grid([skeleton], columns, row_starts, target, roots, _guesses(skeleton, starts, 1), effort, watch=watch)[
        0
    ]


def fit_many(
    skeletons: Sequence[Expression],
    X: ArrayLike,
    y: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    effort: Effort | None = None,
    n_threads: int = 1,
    watch: Watch | None = None,
) -> Fits:
    """Fit many skeletons to one table; the result does not depend on `n_threads`. `watch` is as in `fit`."""
    columns, target, roots = _table(X, y, weights)
    rows = np.array([0, len(target)])
    return fit_grid(skeletons, columns, rows, target, roots, effort=effort, n_threads=n_threads, watch=watch)


def fit_groups(
    skeleton: Expression,
    X: Sequence[ArrayLike] | Floats,
    y: Sequence[ArrayLike] | Floats,
    *,
    weights: Sequence[ArrayLike] | None = None,
    starts: ArrayLike | None = None,
    effort: Effort | None = None,
    n_threads: int = 1,
) -> Fits:
    """Fit one skeleton to each group of rows, with constants of the group's own.

    X holds a table (rows, columns) per group, y a target; groups may differ in length. `starts` is
    (starts, open constants) for all groups or (groups, starts, open constants).
    """
    if len(X) != len(y) or len(X) == 0:
        raise DataError(f"Groups need a table and a target each; there are {len(X)} tables and {len(y)} targets.")
    parts = [_table(table_g, y_g, None if weights is None else weights[g]) for g, (table_g, y_g) in _pairs(X, y)]
    row_starts = np.concatenate([[0], np.cumsum([len(part[1]) for part in parts])])
    return fit_grid(
        [skeleton],
        np.concatenate([part[0] for part in parts], axis=1),
        row_starts,
        np.concatenate([part[1] for part in parts]),
        np.concatenate([part[2] for part in parts]),
        _guesses(skeleton, starts, len(parts)),
        effort,
        n_threads,
    )


def _pairs(X: Sequence[ArrayLike] | Floats, y: Sequence[ArrayLike] | Floats) -> enumerate[tuple[ArrayLike, ArrayLike]]:
    return enumerate(zip(X, y, strict=True))


def fit_grid(  # noqa: PLR0913 - what is fitted, to what, and how
    skeletons: Sequence[Expression],
    columns: Floats,
    row_starts: NDArray[np.int64],
    y: Floats,
    roots: Floats,
    guesses: Floats | None = None,
    effort: Effort | None = None,
    n_threads: int = 1,
    *,
    watch: Watch | None = None,
) -> Fits:
    """Fit every skeleton to every group, skeleton by skeleton, from arrays that are known to be sound.

    `columns` is (variables, rows) and contiguous; group g has rows row_starts[g] to
    row_starts[g + 1]; `roots` are square roots of weights, or empty. `watch` may end the fits before they
    are done, by an exception, is told of the work and asked for what its memory has.
    """
    for skeleton in skeletons:
        require_columns(skeleton, columns.shape[0])
    rows = Groups(columns, row_starts, y, roots)
    widest = max((len(skeleton.constants) for skeleton in skeletons), default=0)
    raw = fit_programs(pack(skeletons), widest, rows, guesses, effort, n_threads, watch=watch)
    rank, n_failed, status, n_trials = (np.ascontiguousarray(count) for count in raw.counts.T)
    n_rows = np.tile(np.diff(row_starts), len(skeletons))
    constants = _open_only(skeletons, raw.constants)
    return Fits(skeletons, constants, raw.covariance, raw.rss, rank, n_failed, status, n_trials, n_rows)


class Groups(NamedTuple):
    """Rows in groups: columns (variables, rows), where each group starts, target, and roots of weights, or none."""

    columns: Floats
    row_starts: NDArray[np.int64]
    y: Floats
    roots: Floats

    @property
    def n_rows(self) -> int:
        return int(self.row_starts[-1] - self.row_starts[0])


class RawFits(NamedTuple):
    """What kernels fill, one line for each fit: all constants, covariance of the open ones, residual sum of squares.

    The counts are rank, rows without a value, status and trials.
    """

    constants: Floats
    covariance: Floats
    rss: Floats
    counts: NDArray[np.int64]


def fit_programs(
    programs: Programs,
    widest: int,
    rows: Groups,
    guesses: Floats | None = None,
    effort: Effort | None = None,
    n_threads: int = 1,
    *,
    chosen: NDArray[np.int64] | None = None,
    watch: Watch | None = None,
) -> RawFits:
    """Fit programs that are known to be sound, with at most `widest` constants, to every group.

    `guesses` is (1 or fits, starts, widest). Of the programs only those that are `chosen` are fitted.
    """
    which = np.arange(len(programs.starts) - 1) if chosen is None else chosen
    n_programs, n_groups = len(which), len(rows.row_starts) - 1
    n_tasks = n_programs * n_groups
    values, covariance = np.zeros((n_tasks, widest)), np.full((n_tasks, widest, widest), np.nan)
    rss, counts = np.empty(n_tasks), np.zeros((n_tasks, 4), np.int64)
    program, group = np.repeat(which, n_groups), np.tile(np.arange(n_groups), n_programs)
    used = effort or Effort()
    efforts = np.array([used.n_screened, used.n_polished, used.polish_trials, used.final_trials])
    first = np.empty((1, 0, widest)) if guesses is None else np.ascontiguousarray(guesses)
    columns, y, roots = map(np.ascontiguousarray, (rows.columns, rows.y, rows.roots))  # kernels take addresses
    addresses, routines, halt = table(), fit_routines(), np.zeros(1, np.int64)

    def work(share: slice) -> None:
        own = first[share] if len(first) == n_tasks else first
        frame = frame_of(
            (routines, addresses, halt), programs, (columns, rows.row_starts, y, roots), (program[share], group[share]),
            own, efforts, (values[share], covariance[share], rss[share], counts[share]),
        )  # fmt: skip
        fit_tasks.call(address_in_memory(frame))

    size = n_programs * rows.n_rows
    if watch is not None and size >= NOTICEABLE:
        watch.check()

    def make() -> None:
        if size >= LONG:
            share_out_watched(work, n_tasks, n_threads, halt, watch)
        else:
            share_out(work, n_tasks, n_threads)

    inputs = (*programs, which, columns, rows.row_starts, y, roots, first, efforts)
    fill((values, covariance, rss, counts), inputs, make, None if watch is None else watch.memory)
    if watch is not None:
        watch.spend(size / ROWS_PER_UNIT)
    return RawFits(values, covariance, rss, counts)


def _open_only(skeletons: Sequence[Expression], values: Floats) -> Floats:
    """Values of the open constants alone, moved to the left."""
    per_skeleton = len(values) // max(len(skeletons), 1)
    for s, skeleton in enumerate(skeletons):
        where = skeleton.open_indices
        if len(where) < len(skeleton.constants):
            lines = slice(s * per_skeleton, (s + 1) * per_skeleton)
            values[lines, : len(where)] = values[lines][:, where]
    return values


def _table(X: ArrayLike, y: ArrayLike, weights: ArrayLike | None) -> tuple[Floats, Floats, Floats]:
    """Columns, target and root weights (empty for none), checked."""
    require_unmasked(y, "the target y")
    require_unmasked(weights, "weights")
    columns = columns_of(X)
    target = np.ascontiguousarray(y, np.float64).ravel()
    if len(target) != columns.shape[1] or len(target) == 0:
        raise DataError(
            f"The table has {columns.shape[1]} rows and the target {len(target)}; give both the same, 1 or more."
        )
    if not (np.isfinite(columns).all() and np.isfinite(target).all()):
        raise DataError("The table or the target holds NaN or infinite numbers; drop those rows first.")
    if weights is None:
        return columns, target, np.empty(0)
    given = np.asarray(weights, np.float64).ravel()
    if len(given) != len(target) or not (np.isfinite(given).all() and (given >= 0).all() and given.any()):
        raise DataError(f"Weights are {len(target)} finite numbers, none negative and not all 0.")
    return columns, target, np.sqrt(given)


def _guesses(skeleton: Expression, starts: ArrayLike | None, n_groups: int) -> Floats | None:
    """Given first guesses as (1 or groups, starts, open constants)."""
    if starts is None:
        return None
    given = np.atleast_2d(np.asarray(starts, np.float64))
    given = np.ascontiguousarray(given if given.ndim == 3 else given[np.newaxis])
    if given.ndim != 3 or given.shape[2] != skeleton.n_open or given.shape[0] not in (1, n_groups):
        raise FormulaError(f"Starts for {skeleton} have {skeleton.n_open} constants each; got the shape {given.shape}.")
    if not np.isfinite(given).all():
        raise FormulaError("Starts must be finite numbers.")
    return given
