import numpy as np
import pytest

from scalesr.search.mcts.tree import ROOT, UNVISITED, Tree


def test_a_tree_grows_beyond_its_first_arrays():
    tree = Tree(2, capacity=2)
    left = tree.expand(ROOT, 0)
    below = tree.expand(left, 1)
    tree.expand(below, 0)
    assert tree.n_nodes == 4
    assert tree.children[[ROOT, left, below]].tolist() == [[1, UNVISITED], [UNVISITED, 2], [3, UNVISITED]]


def test_visits_and_rewards_reach_every_node_of_the_path():
    tree = Tree(2)
    path = [ROOT, tree.expand(ROOT, 0)]
    other = tree.expand(ROOT, 1)
    tree.visit(path)
    tree.reward(path, 0.5)
    assert tree.visits[[*path, other]].tolist() == [1, 1, 0]
    assert tree.totals[[*path, other]].tolist() == [0.5, 0.5, 0.0]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_reward_that_is_not_finite_poisons_nothing(bad):
    tree = Tree(1)
    path = [ROOT, tree.expand(ROOT, 0)]
    tree.reward(path, 0.25)
    tree.reward(path, bad)
    assert tree.totals[path].tolist() == [0.25, 0.25]


def test_a_node_is_closed_when_all_valid_children_are():
    tree = Tree(3)
    first, second = tree.expand(ROOT, 0), tree.expand(ROOT, 2)
    tree.close([ROOT, first], [2])
    assert not tree.closed[ROOT]
    tree.close([ROOT, second], [2])
    assert tree.closed[ROOT]
