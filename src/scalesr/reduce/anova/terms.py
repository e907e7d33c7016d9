"""Terms that a sum over columns and interacting pairs may be made of, read off the parts of its decomposition."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply
from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.reduce.anova.curves import like
from scalesr.reduce.anova.decompose import Decomposition, decomposed
from scalesr.reduce.anova.functions import Function, functions_over

Floats = NDArray[np.float64]

FEWEST, MOST = 4, 16  # columns: of fewer, general libraries hold all products; of more, pairs are too many
N_ROWS: Final = 4000
WELL: Final = 0.02  # of the variance: where functions of one and two columns leave more, the target is no such sum
N_POINTS: Final = 200


def pair_decomposition(data: Dataset, operators: Operators) -> Decomposition | None:
    """Interacting pairs of columns and the curves of their parts; None where the target is no sum of such."""
    if not FEWEST <= data.n_variables <= MOST or "*" not in operators or "+" not in operators:
        return None
    thin = data.thinned(N_ROWS)
    found = decomposed(thin.columns, thin.y)
    return None if found is None or found.unexplained > WELL or not found.products else found


def terms_of_pairs(found: Decomposition, data: Dataset, operators: Operators) -> list[Expression]:
    """Plain functions of every column, and products of two functions that are like the curves of a pair's part."""
    ranges = [(float(x.min()), float(x.max())) for x in data.columns]
    candidates = [functions_over(low, high, operators) for low, high in ranges]
    terms = [one.written(j) for j, own in enumerate(candidates) for one in own if one.rate is None]
    for curves in found.products:
        named: list[list[Function]] = []
        for curve in curves:
            points = np.linspace(*ranges[curve.column], N_POINTS)
            named.append(like(points, curve.values(np.linspace(-1, 1, N_POINTS)), candidates[curve.column]))
        left, right = curves[0].column, curves[1].column
        terms += [apply("*", f.written(left), g.written(right)) for f, g in product(*named)]
    return list(dict.fromkeys(terms))
