"""Grouped laws that were fitted, each with what it costs."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scalesr.evidence.groups import score_groups
from scalesr.evidence.score import Score
from scalesr.expr.expression import Expression
from scalesr.expr.fitting import Effort, fit_grid
from scalesr.expr.threads import Watch
from scalesr.groups.blocks import CAREFUL, BlockFit, Care, fit_blocks
from scalesr.groups.form import in_one_group, letters_of
from scalesr.records.groups import GroupedData

Floats = NDArray[np.float64]

ROWS_PER_UNIT = 10_000  # rows times steps of a fit in blocks that are a unit of work
OWN_STARTS = Effort(n_screened=16, n_polished=3, polish_trials=15, final_trials=60)  # of the constants of one group


@dataclass(frozen=True, slots=True, eq=False)
class GroupedLaw:
    """A form fitted to groups, and what it costs."""

    fit: BlockFit
    score: Score

    @property
    def cost(self) -> float:
        """In nats, once the shared constants are read."""
        return self.score.promise


@dataclass(frozen=True, eq=False)
class GroupRows:
    """Groups as fits of laws take them."""

    rows: GroupedData
    watch: Watch | None = None

    @property
    def n_columns(self) -> int:
        return self.rows.data.n_variables

    def fit(self, form: Expression, shared: Floats, own: Floats, care: Care = CAREFUL) -> GroupedLaw | None:
        """Fit a form from first guesses of its shared constants and those of each group."""
        n_free = len(shared) + int(np.minimum(self.rows.sizes, own.shape[1]).sum())
        if self.rows.data.n_rows <= n_free:
            return None
        if self.watch is not None:
            self.watch.check()
        done = fit_blocks(form, self.rows, shared, own, care)
        if self.watch is not None:
            self.watch.spend(self.rows.data.n_rows * (1 if done is None else 1 + done.n_trials) / ROWS_PER_UNIT)
        return None if done is None else self.judged(done)

    def judged(self, done: BlockFit) -> GroupedLaw:
        """A fit with what it costs."""
        score = score_groups(
            done.form, self.rows.data, done.values, (done.shared, done.covariance), (done.own, done.own_given),
            n_free=done.n_free,
            roots=self.rows.roots,
        )  # fmt: skip
        return GroupedLaw(done, score)

    def own_constants(self, form: Expression, shared: Floats) -> Floats | None:
        """The letters of each group, fitted from the fit's own starts while the shared constants are held.

        None where a letter occurs twice or some group has no values.
        """
        closed = form.bind(shared)
        single = in_one_group(closed, self.n_columns)
        if single is None or not single.n_open:
            return None
        constants, rss = self.fit_alone(single, effort=OWN_STARTS)
        order = [index - self.n_columns for index in letters_of(closed, self.n_columns)]
        return np.ascontiguousarray(constants[:, np.argsort(order)]) if np.isfinite(rss).all() else None

    def fit_alone(
        self, skeleton: Expression, start: Floats | None = None, *, effort: Effort
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Constants (groups, constants) of each group fitted alone, and what it leaves: infinite without values."""
        data = self.rows.data
        roots = np.empty(0) if self.rows.roots is None else self.rows.roots
        guesses = None
        if start is not None:
            guesses = np.zeros((1, 1, len(skeleton.constants)))
            guesses[0, 0, : len(start)] = start
        fits = fit_grid(
            [skeleton], data.columns, self.rows.row_starts, data.y, roots, guesses, effort, watch=self.watch
        )  # fmt: skip
        rss = np.where((fits.n_failed > 0) | ~np.isfinite(fits.rss), np.inf, fits.rss)
        return fits.constants[:, : skeleton.n_open], rss

    def polished(self, law: GroupedLaw) -> GroupedLaw:
        """The same law, fitted to the end."""
        return self.fit(law.fit.form, law.fit.shared, law.fit.own) or law


def better(one: GroupedLaw | None, other: GroupedLaw | None, key: Callable[[GroupedLaw], float]) -> GroupedLaw | None:
    """The one with the smaller key, where there are any."""
    known = [law for law in (one, other) if law is not None and math.isfinite(key(law))]
    return min(known, key=key, default=None)
