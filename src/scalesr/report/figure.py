"""law_figure: what a model shows when it is asked to plot itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scalesr.records.discovery import Discovery
from scalesr.records.groups import Label
from scalesr.report.law_on_rows import Floats, LawOnRows
from scalesr.report.pictures import agreement, figure_of, front, residuals

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Figure  # noqa: PLC0414 - estimators name it, too


def law_figure(
    discoveries: Sequence[Discovery],
    targets: Sequence[str],
    table: Floats | None = None,
    values: Floats | None = None,
    labels: tuple[Label, ...] | None = None,
) -> Figure:
    """The Pareto front of each discovery; before it law and rows, where a table and `values` are given.

    `labels` are the groups of the rows, for laws with constants that differ between groups.
    """
    if table is None or values is None:
        return figure_of([front(discovery) for discovery in discoveries], n_across=len(discoveries))
    draws = []
    for discovery, target, y in zip(discoveries, targets, values, strict=True):
        rows = LawOnRows.of(discovery.equation, discovery.taken.with_constants(table, labels), y, target)
        draws += [agreement(rows), residuals(rows), front(discovery)]
    return figure_of(draws, n_across=3)
