"""Terms that a sum over columns and interacting pairs may be made of, read off the parts of its decomposition."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from scalesr.expr.expression import Expression, apply
from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.reduce.anova.config import ANOVA
from scalesr.reduce.anova.curves import like
from scalesr.reduce.anova.decompose import Decomposition, decomposed
from scalesr.reduce.anova.functions import CurveFunction, functions_over

Floats = NDArray[np.float64]


def pair_decomposition(data: Dataset, operators: Operators) -> Decomposition | None:
    """Interacting pairs of columns and the curves of their parts; None where the target is not a sum of such."""
    if not ANOVA.terms_fewest <= data.n_variables <= ANOVA.terms_most or "*" not in operators or "+" not in operators:
        return None
    thin = data.thinned(ANOVA.rows_of_products)
    found = decomposed(thin.columns, thin.y)
    return None if found is None or found.unexplained > ANOVA.well_explained or not found.products else found


def terms_of_pairs(found: Decomposition, data: Dataset, operators: Operators) -> list[Expression]:
    """Plain functions of every column, and products of two functions that are like the curves of a pair's part."""
    ranges = [(float(x.min()), float(x.max())) for x in data.columns]
    candidates = [functions_over(low, high, operators) for low, high in ranges]
    terms = [one.written(j) for j, own in enumerate(candidates) for one in own if one.rate is None]
    for curves in found.products:
        named: list[list[CurveFunction]] = []
        for curve in curves:
            points = np.linspace(*ranges[curve.column], ANOVA.n_points)
            named.append(like(points, curve.values(np.linspace(-1, 1, ANOVA.n_points)), candidates[curve.column]))
        left, right = curves[0].column, curves[1].column
        terms += [apply("*", f.written(left), g.written(right)) for f, g in product(*named)]
    return list(dict.fromkeys(terms))
