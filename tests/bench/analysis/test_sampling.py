from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from scalesr.expr.fold import fold
from scalesr.expr.operators import BY_CODE
from scalesr.kernels.codes import LAST_LEAF, VARIABLE
from scalesr_bench.analysis.counts import count_trees
from scalesr_bench.analysis.decompose import complexity
from scalesr_bench.analysis.sampling import draw, sample_tree


@pytest.mark.parametrize(("n", "n_samples"), [(2, 3000), (3, 4000), (4, 10_000)])
def test_every_tree_of_a_small_complexity_is_equally_likely(n, n_samples):
    rng = np.random.default_rng(n)
    seen = Counter(str(sample_tree(n, n_variables=1, rng=rng)) for _ in range(n_samples))
    n_trees = count_trees(2, n).of(n)
    assert len(seen) == n_trees
    assert chisquare(list(seen.values())).pvalue > 1e-4


def test_splits_and_cases_are_as_frequent_as_their_trees_are_many():
    rng = np.random.default_rng(0)
    n, n_samples = 7, 3000
    f, g = count_trees(5, n).without, count_trees(5, n).with_unary
    expected = {"unary": 4 * f[n - 1]}
    for left in range(n - 1):
        right = n - 2 - left
        expected |= {
            (left, True, True): 4 * g[left] * g[right],
            (left, True, False): 4 * g[left] * f[right],
            (left, False, True): 4 * f[left] * g[right],
            (left, False, False): 4 * f[left] * f[right],
        }
    total = count_trees(5, n).of(n)
    assert sum(expected.values()) == total
    seen = Counter(_root_class(sample_tree(n, rng=rng)) for _ in range(n_samples))
    kinds = [kind for kind, weight in expected.items() if weight * n_samples > 5 * total]
    assert set(seen) <= {kind for kind, weight in expected.items() if weight}
    share = sum(expected[kind] for kind in kinds)
    n_seen = sum(seen[kind] for kind in kinds)
    assert chisquare([seen[kind] for kind in kinds], [expected[kind] / share * n_seen for kind in kinds]).pvalue > 1e-4


def _root_class(tree):
    """Which kind of root a tree has: a unary one, or where its complexity and unary operators are."""

    def node(node, kids):
        n, has = 1 + sum(kid[0] for kid in kids), any(kid[1] for kid in kids) or len(kids) == 1
        return n, has, "unary" if len(kids) == 1 else (kids[0][0] - 1, kids[0][1], kids[1][1])

    return fold(tree, lambda _: (1, False, None), node)[2]


@pytest.mark.parametrize("n", [1, 7, 16, 31, 60])
def test_large_trees_are_valid(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        tree = sample_tree(n, rng=rng)
        assert complexity(tree) == n
        assert set(tree.variables) <= {0, 1, 2, 3}
        assert _depth_of_functions(tree) <= 1


def _depth_of_functions(tree):
    return fold(tree, lambda _: 0, lambda node, kids: max(kids) + (BY_CODE[node.code].arity == 1))


def test_draws_follow_weights_beyond_64_bits():
    rng = np.random.default_rng(0)
    weights = [10**40, 0, 3 * 10**40]
    seen = Counter(draw(weights, rng) for _ in range(4000))
    assert seen[1] == 0
    assert seen[2] / 4000 == pytest.approx(0.75, abs=0.03)


def test_trees_over_four_variables_have_all_terminals():
    rng = np.random.default_rng(0)
    trees = [sample_tree(0, rng=rng) for _ in range(500)]
    kinds = Counter((int(tree.codes[0]) == VARIABLE, tree.variables) for tree in trees)
    assert len(kinds) == 5
    assert chisquare(list(kinds.values())).pvalue > 1e-4
    assert all(tree.codes[0] <= LAST_LEAF for tree in trees)
