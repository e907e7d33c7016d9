"""Leading columns: the few of many that a quick look at the rows finds.

They are only proposed: a column counts as irrelevant when what the leading ones leave, on rows that
nothing was learned from, does not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scalesr.records.dataset import Dataset
from scalesr.records.precision import WIDE
from scalesr.reduce.config import REDUCE
from scalesr.reduce.parts import Learn
from scalesr.reduce.pursuit import FUNCTIONS, CandidateColumns, Products, Pursuit
from scalesr.reduce.reduction import Reduction
from scalesr.reduce.together import tell_together

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Leading:
    """The dataset with few columns, and whether there is evidence that the others do not matter."""

    reduction: Reduction
    places: tuple[int, ...]  # of these columns among all
    sentence: str
    is_enough: bool


def leading(start: Reduction) -> Leading:
    """The columns that the target needs; all of them where they are few."""
    n_variables = start.data.n_variables
    if n_variables <= WIDE:
        return Leading(start, tuple(range(n_variables)), f"All {n_variables} columns are looked at.", True)
    called, ranked = _called_for(start.data, start.data.y)
    chosen = called or ranked[: REDUCE.n_guessed_columns]
    why = "the target clearly depends on them" if called else "the target clearly depends on none"
    said = f"Of {n_variables} columns {_named(start, chosen)} are looked at first: {why}."
    return Leading(_only(start, chosen), tuple(chosen), said, False)


def confirmed(start: Reduction, few: Leading, *, learn: Learn, rng: np.random.Generator) -> Leading:
    """Whether few columns, or a few more, are enough: what they leave of unseen rows depends on no other."""
    order = rng.permutation(start.data.n_rows)
    n_second = min(REDUCE.n_measured, start.data.n_rows // 3)
    known = start.data.rows(np.sort(order[n_second : n_second + REDUCE.n_learned]))
    unseen = start.data.rows(np.sort(order[:n_second]))
    chosen = list(few.places)
    for _ in range(REDUCE.n_leading_rounds):
        residual = _left_of(unseen, known, chosen, learn)
        missed = [column for column in _called_for(unseen, residual)[0] if column not in chosen]
        if not missed:
            break
        chosen = [*chosen, *missed][:WIDE]
    here, names = _only(start, chosen), _named(start, chosen)
    if missed:
        kept = _named(start, few.places)
        said = f"All columns are kept: what {kept} leave of unseen rows depends on more and more of them."
        return Leading(here, tuple(chosen), said, False)
    if tell_together(known, unseen, unseen.select(chosen), residual):
        said = f"All columns are kept: together they predict unseen rows better than {names} do."
        return Leading(here, tuple(chosen), said, False)
    gone = start.data.n_variables - len(chosen)
    said = f"{gone} columns left out: what {names} leave of {n_second} unseen rows depends on none of them."
    return Leading(here, tuple(chosen), said, True)


def _left_of(unseen: Dataset, known: Dataset, chosen: Sequence[int], learn: Learn) -> Floats:
    """What a function of the chosen columns, learned from known rows, leaves of unseen ones."""
    return _drawn_in(unseen.y - learn(known.select(chosen)).predict(unseen.select(chosen).table))


def _called_for(data: Dataset, y: Floats) -> tuple[list[int], list[int]]:
    """Columns that a target is sure to call for, and all columns in the order of what they tell of it."""
    n_each = len(FUNCTIONS) + REDUCE.n_bent
    n_rows = min(
        max(REDUCE.leading_max_values // (n_each * data.n_variables), REDUCE.leading_fewest_rows),
        REDUCE.leading_most_rows,
    )
    thin = data.with_target(y, data.target).thinned(n_rows)
    lines = CandidateColumns(thin.columns, np.ones(thin.n_rows) if thin.weights is None else np.sqrt(thin.weights))
    pursuit = Pursuit(lines, thin.y)
    pursuit.take_singles(REDUCE.n_leading)
    ranked = np.argsort(-pursuit.nats, kind="stable")
    products = Products(lines, sorted(ranked[: REDUCE.n_paired].tolist()))
    while len(pursuit.columns) < REDUCE.n_leading and pursuit.take_pair(products):
        pursuit.take_singles(REDUCE.n_leading)
    called = list(pursuit.columns)
    sizes = [thin.y] if pursuit.is_done else [thin.y, pursuit.residual]
    for size in sizes:  # a product of several columns has a sum of logarithms
        factors = Pursuit(lines, _logarithm(size))
        factors.take_singles(REDUCE.n_leading)
        called += factors.columns
    return list(dict.fromkeys(called))[: REDUCE.n_leading], ranked.tolist()


def _logarithm(values: Floats) -> Floats:
    """Logarithms of the sizes of numbers, without the extremes of those that are almost 0."""
    return _drawn_in(np.log(np.maximum(np.abs(values), np.finfo(np.float64).tiny)))


def _drawn_in(values: Floats) -> Floats:
    """Numbers winsorised at this many typical deviations, so that no row decides alone."""
    middle = float(np.median(values))
    size = 1.4826 * float(np.median(np.abs(values - middle)))
    return np.asarray(
        np.clip(values, middle - REDUCE.bounded_logarithm * size, middle + REDUCE.bounded_logarithm * size)
        if size > 0
        else values
    )


def _only(start: Reduction, chosen: Sequence[int]) -> Reduction:
    """The dataset with some of its columns."""
    return replace(
        start, data=start.data.select(chosen), columns=tuple(start.columns[place] for place in chosen)
    )  # fmt: skip


def _named(start: Reduction, places: Sequence[int]) -> str:
    return ", ".join(start.data.names[place] for place in places)
