"""Laws of few terms in rows that are too few to bear whole libraries."""

import numpy as np
import pytest

from scalesr.expr.canonical import canonical_key
from scalesr.expr.text import parse
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep
from scalesr.search.linear import LinearSearch, RatioSearch

N_ROWS = 32


def found_by(search, law, n_variables, noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(1, 5, (N_ROWS, n_variables))
    y = law(*X.T)
    y = y + noise * y.std() * rng.standard_normal(N_ROWS)
    ranking = search.search(Sweep.from_groups([X], [y]), Budget(), rng=rng)
    return [canonical_key(skeleton.expression) for skeleton in ranking.skeletons[:3]]


@pytest.mark.parametrize("seed", range(4))
def test_a_sum_of_three_products_in_six_variables_is_found(seed):
    found = found_by(LinearSearch(), lambda a, b, c, d, e, f: a * d + b * e + c * f, 6, 0.01, seed)
    right = {canonical_key(parse(f"C*x0*x3 + C*x1*x4 + C*x2*x5{rest}")) for rest in ("", " + C")}
    assert right & set(found)


@pytest.mark.parametrize("noise", [0.0, 0.01])
@pytest.mark.parametrize(
    ("law", "form", "n_variables"),
    [
        (lambda u, v, c: (u + v) / (1 + u * v / c**2), "(C*x0 + C*x1)/(1 + C*x0*x1/x2^2)", 3),
        (lambda m, n, r, s: (m * r + n * s) / (m + n), "(C*x0*x2 + C*x1*x3)/(x0 + C*x1)", 4),
    ],
)
def test_a_ratio_of_few_terms_is_found_in_most_tables(law, form, n_variables, noise):
    found = [found_by(RatioSearch(), law, n_variables, noise, seed) for seed in range(3)]
    same = {canonical_key(parse(form)), canonical_key(parse(form.replace("(x0 + C*x1)", "(x1 + C*x0)")))}
    assert sum(bool(same & set(keys)) for keys in found) >= 2
