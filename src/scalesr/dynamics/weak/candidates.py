"""From trajectories to candidates for the law of each state, by the weak form alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scalesr.dynamics.trajectories import Trajectories
from scalesr.dynamics.weak.equations import weak_equations
from scalesr.dynamics.weak.propose import Proposed, WeakSearch
from scalesr.dynamics.weak.smooth import smooth_runs
from scalesr.expr.expression import Expression, variable
from scalesr.expr.operators import Operators

Floats = NDArray[np.float64]

BEHIND = 40.0  # nats: a law with atoms that is further behind the best is not tried on the trajectories


def weak_candidates(
    data: Trajectories, columns: Sequence[int], noise: Floats, operators: Operators
) -> list[tuple[Expression, ...]]:  # fmt: skip
    """Laws of each state, the best sum of products first; none where runs are too short for a test function.

    Errors of smoothing are no noise, and atoms may take them for parts of a law. So sums of products
    come first, however short the description with an atom is.
    """
    given = data.given
    equations = weak_equations(data, smooth_runs(data, noise), order=2 if given else 1)
    if equations is None:
        return [()] * data.n_states
    search = WeakSearch(equations, columns, operators)
    by_definition: list[tuple[Expression, ...]] = [(variable(rate),) for rate in given.values()]
    measured = range(data.n_states - data.n_hidden)
    return by_definition + [_near(search.laws(state, float(noise[state]))) for state in measured]


def _near(found: list[Proposed]) -> tuple[Expression, ...]:
    """Sums of products, then laws with atoms that are not far behind the best."""
    sums = [one.law for one in found if not one.atoms]
    near = [one for one in found if one.atoms and one.length <= found[0].length + BEHIND]
    return tuple(dict.fromkeys([*sums, *(one.lean for one in near), *(one.law for one in near)]))
