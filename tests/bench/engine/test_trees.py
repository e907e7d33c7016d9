from itertools import islice

import numpy as np
import pytest

from scalesr.expr.operators import operator
from scalesr.kernels.codes import LAST_LEAF
from scalesr_bench.engine.trees import ARITHMETIC, FUNCTIONS, SIZES, random_trees


@pytest.mark.parametrize(("mixed", "allowed"), [(False, ARITHMETIC), (True, ARITHMETIC + FUNCTIONS)])
def test_trees_have_the_promised_size_and_every_allowed_operator(mixed, allowed):
    trees = list(islice(random_trees(n_columns=3, mixed=mixed, rng=np.random.default_rng(0)), 200))
    sizes = [tree.n_nodes for tree in trees]
    assert SIZES[0] <= min(sizes)
    assert max(sizes) <= SIZES[1]
    assert np.mean(sizes) == pytest.approx(20, abs=1)
    used = {int(code) for tree in trees for code in tree.codes if code > LAST_LEAF}
    assert used == {operator(name).code for name in allowed}
    assert {column for tree in trees for column in tree.variables} == {0, 1, 2}


def test_the_same_seed_gives_the_same_trees():
    first, second = (
        list(islice(random_trees(n_columns=2, mixed=True, rng=np.random.default_rng(7)), 20)) for _ in "12"
    )
    assert first == second
