"""Joint: the last resort, sums and products of the curves' own formulas with all constants free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from itertools import zip_longest

from scalesr.chain.coefficients import in_variable
from scalesr.chain.config import CHAIN
from scalesr.expr.expression import Expression, apply, open_constant
from scalesr.records.skeleton import Ranking


def slice_forms(slices: Mapping[int, Ranking]) -> tuple[Expression, ...]:
    """Formulas of each variable alone, the best of all variables first."""
    lines = zip_longest(*_own(slices).values())
    return tuple(form for line in lines for form in line if form is not None)


def _own(slices: Mapping[int, Ranking]) -> dict[int, list[Expression]]:
    return {
        v: [in_variable(s.expression, v) for s in ranking.skeletons[: CHAIN.n_joined_each]]
        for v, ranking in slices.items()
    }


def joint_forms(slices: Mapping[int, Ranking]) -> Iterator[Expression]:
    """Forms in all variables: the first formula of each, and with one of them exchanged."""
    own = _own(slices)
    first = [formulas[0] for formulas in own.values()]
    sets: list[Sequence[Expression]] = [first]
    for place, formulas in enumerate(own.values()):
        sets += [[*first[:place], other, *first[place + 1 :]] for other in formulas[1:]]
    for parts in sets:
        for name in ("*", "+"):
            whole = reduce(partial(apply, name), parts)
            if whole.n_open < CHAIN.most_joined_constants:
                yield apply("+", whole, open_constant())
