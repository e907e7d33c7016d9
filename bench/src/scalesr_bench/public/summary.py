"""What runs on public tables amount to: a line per table and method, and one per method.

R2 is over all rows of a table, each predicted by the split that held it out. Two methods are compared by the
squared errors of the same rows: how often would the mean difference be as large if signs were random (a
sign-flip test, two-sided)?
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr_bench.public.runs import PublicRun

Floats = NDArray[np.float64]

LINEAR: Final = "linear"
SIGNIFICANT: Final = 0.05
MARGIN: Final = 0.02  # of R2: less is no loss to speak of
N_FLIPS: Final = 9999
_AT_ONCE: Final = 500  # flips: bounds the memory
_SEED: Final = 2306  # of the signs: the same errors always give the same value


@dataclass(frozen=True, slots=True)
class TableLine:
    """One method on one table, over all splits."""

    table: str
    method: str
    n_rows: int  # of the table
    n_variables: int
    r2: float
    least_r2: float  # of a split
    n_nodes: float  # median of the splits
    beside_linear: float | None  # difference of R2 to ordinary linear regression; None where that was not run
    p_value: float | None  # of that difference
    n_without_value: int
    n_failed: int
    verdicts: dict[str, int]
    median_seconds: float

    @property
    def is_below_linear(self) -> bool:
        """Whether a line is better by more than the margin, and significantly so."""
        return self._is_significant and (self.beside_linear or 0.0) < -MARGIN

    @property
    def is_above_linear(self) -> bool:
        return self._is_significant and (self.beside_linear or 0.0) > MARGIN

    @property
    def _is_significant(self) -> bool:
        return self.p_value is not None and self.p_value < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class MethodLine:
    """One method over all tables."""

    method: str
    n_runs: int
    n_tables: int
    median_r2: float
    median_nodes: float
    n_above_linear: int
    n_below_linear: int
    n_failed: int
    median_seconds: float


def by_table(runs: Iterable[PublicRun]) -> list[TableLine]:
    """A line per table and method, in the order they come."""
    groups: dict[tuple[str, str], list[PublicRun]] = {}
    for run in runs:
        groups.setdefault((run.table, run.method), []).append(run)
    return [_table_line(group, groups.get((table, LINEAR))) for (table, _), group in groups.items()]


def by_method(lines: Sequence[TableLine], runs: Sequence[PublicRun]) -> list[MethodLine]:
    """A line per method, in the order they come."""
    return [
        MethodLine(
            method=method,
            n_runs=sum(run.method == method for run in runs),
            n_tables=len(own),
            median_r2=median(line.r2 for line in own),
            median_nodes=median(line.n_nodes for line in own),
            n_above_linear=sum(line.is_above_linear for line in own),
            n_below_linear=sum(line.is_below_linear for line in own),
            n_failed=sum(line.n_failed for line in own),
            median_seconds=median(line.median_seconds for line in own),
        )
        for method in dict.fromkeys(line.method for line in lines)
        if (own := [line for line in lines if line.method == method])
    ]


def sign_flip_test(differences: Floats) -> float:
    """How often random signs give a mean at least as far from 0."""
    seen = abs(float(differences.mean()))
    rng = np.random.default_rng(_SEED)
    as_far = 0
    for start in range(0, N_FLIPS, _AT_ONCE):
        signs = rng.choice((-1.0, 1.0), (min(_AT_ONCE, N_FLIPS - start), len(differences)))
        as_far += int((np.abs(signs @ differences) / len(differences) >= seen * (1 - 1e-12)).sum())
    return (1 + as_far) / (1 + N_FLIPS)


def _table_line(runs: Sequence[PublicRun], linear: Sequence[PublicRun] | None) -> TableLine:
    r2 = _r2(runs)
    compared = linear is not None and _splits(linear) == _splits(runs)
    is_linear = runs[0].method == LINEAR
    return TableLine(
        table=runs[0].table,
        method=runs[0].method,
        n_rows=sum(len(run.errors) for run in runs),
        n_variables=runs[0].n_variables,
        r2=r2,
        least_r2=min(_r2([run]) for run in runs),
        n_nodes=median(run.n_nodes for run in runs),
        beside_linear=r2 - _r2(linear) if linear is not None and compared and not is_linear else None,
        p_value=_p_value(runs, linear) if linear is not None and compared and not is_linear else None,
        n_without_value=sum(run.n_without_value for run in runs),
        n_failed=sum(run.failed for run in runs),
        verdicts=dict(Counter(run.verdict for run in runs if run.verdict).most_common()),
        median_seconds=median(run.seconds for run in runs),
    )


def _splits(runs: Sequence[PublicRun]) -> set[tuple[int, int]]:
    return {(run.seed, run.split) for run in runs}


def _r2(runs: Sequence[PublicRun]) -> float:
    return 1 - float(_squares(runs, "errors").sum() / _squares(runs, "deviations").sum())


def _p_value(runs: Sequence[PublicRun], others: Sequence[PublicRun]) -> float:
    return sign_flip_test(_squares(runs, "errors") - _squares(others, "errors"))


def _squares(runs: Sequence[PublicRun], name: str) -> Floats:
    """Squares of all held-out rows, split after split."""
    in_order = sorted(runs, key=lambda run: (run.seed, run.split))
    return np.concatenate([np.square(getattr(run, name)) for run in in_order])
