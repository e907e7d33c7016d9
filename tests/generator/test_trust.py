import numpy as np
import pytest

from scalesr.generator.scaling import Scaling
from scalesr.generator.trust import Neighbourhood


def near(X):
    scaling = Scaling.of(X, np.arange(X.shape[1]), np.zeros(X.shape[1], bool))
    return Neighbourhood.of(X, scaling, rng=np.random.default_rng(1))


@pytest.mark.parametrize("n_variables", [1, 2, 5, 10])
def test_a_box_is_trusted_inside_and_not_outside(n_variables, rng):
    box = near(rng.uniform(1, 3, (5000, n_variables)))
    inside, outside = rng.uniform(1, 3, (2000, 2, n_variables)).swapaxes(0, 1)
    outside[:, 0] = 3.3
    assert box.holds(inside).mean() > 0.95
    assert not box.holds(outside).any()


def test_a_column_that_follows_another_may_not_leave_it(rng):
    x = rng.uniform(0, 1, 3000)
    others = rng.uniform(0, 1, (3000, 6))
    table = np.column_stack([x, x + 0.01 * rng.normal(size=3000), others])
    line = near(table)
    torn = table.copy()
    torn[:, 1] = table[::-1, 1]
    apart = np.abs(torn[:, 1] - torn[:, 0]) > 0.15
    assert line.holds(table).mean() > 0.95
    assert line.holds(torn[apart]).mean() < 0.05


def test_between_the_points_of_a_grid_is_near_and_between_two_far_levels_is_not(rng):
    levels = np.arange(12.0)
    A, B = np.meshgrid(levels, levels)
    grid = near(np.repeat(np.column_stack([A.ravel(), B.ravel()]), 3, axis=0))
    assert grid.holds(np.array([[3.5, 7.5], [4.0, 4.0]])).all()
    switch = np.column_stack([rng.integers(0, 2, 2000).astype(float), rng.uniform(0, 1, 2000)])
    assert near(switch).holds(np.array([[0.0, 0.5], [1.0, 0.5], [0.5, 0.5]])).tolist() == [True, True, False]


def test_a_hole_in_the_data_is_not_trusted(rng):
    X = rng.uniform(-1, 1, (6000, 2))
    ring = near(X[np.hypot(*X.T) > 0.7])
    assert not ring.holds(np.zeros((1, 2)))[0]


def test_two_rows_are_enough_and_missing_numbers_are_far():
    pair = near(np.array([[0.0, 0.0], [1.0, 1.0]]))
    assert pair.holds(np.array([[0.0, 0.0], [np.nan, 0.0], [np.inf, 0.0]])).tolist() == [True, False, False]
