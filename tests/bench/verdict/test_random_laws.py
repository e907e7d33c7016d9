import numpy as np
import pytest

from scalesr.expr.text import names_in
from scalesr_bench.samplers import random_rows
from scalesr_bench.verdict.random_laws import LEAST_INDEX, MAX_VARIABLES, random_law


@pytest.fixture(scope="module")
def laws():
    return [random_law(0, place) for place in range(30)]


def test_a_law_follows_its_seed_and_number(laws):
    assert random_law(0, 7) == laws[7]
    assert random_law(1, 7).formula != laws[7].formula
    assert len({law.formula for law in laws}) == len(laws)
    assert len({law.key for law in laws}) == len(laws)


def test_every_number_of_variables_is_drawn(laws):
    assert {law.n_variables for law in laws} == set(range(1, MAX_VARIABLES + 1))


@pytest.mark.parametrize("place", range(20))
def test_a_law_is_sound(laws, place):
    law = laws[place]
    assert law.expression.n_open == 0
    assert set(names_in(law.formula)) == set(law.names)
    X, other = (random_rows(law.box, 4000, law.sampling.spacing, rng=np.random.default_rng(s)) for s in (1, 2))
    values = law.values(X)
    assert np.isfinite(values).all()
    for column in range(law.n_variables):
        changed = X.copy()
        changed[:, column] = other[:, column]
        index = np.mean((law.values(changed) - values) ** 2) / (2 * values.var())
        assert index > LEAST_INDEX / 2  # other rows than the law was checked on
