import numpy as np

from scalesr.generator.scaling import Scaling, bent_logarithms, even_logarithms, wide_columns
from scalesr.generator.target import Target, one_sign


def test_inputs_of_any_magnitude_get_mean_0_and_spread_1(rng):
    X = rng.uniform(1, 3, (500, 3)) * [1e-34, 1e30, 1e250]
    Z = Scaling.of(X, np.arange(3), np.zeros(3, bool)).apply(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(Z.std(axis=0), 1, rtol=1e-12)


def test_a_column_that_never_moves_is_0_wherever_it_is_asked(rng):
    X = np.column_stack([rng.normal(size=50), np.full(50, 7.0)])
    scaling = Scaling.of(X, np.arange(2), np.zeros(2, bool))
    assert np.all(scaling.apply(X + 1)[:, 1] == 0)


def test_slopes_of_a_column_and_its_logarithm_add_up(rng):
    X = rng.uniform(1, 3, (50, 2))
    scaling = Scaling.of(X, np.array([0, 1, 1]), np.array([False, False, True]))
    moved = X + np.array([0, 1e-6])
    change = (scaling.apply(moved) - scaling.apply(X)).sum(axis=1) / 1e-6
    np.testing.assert_allclose(scaling.pull_back(X, np.ones((50, 3)))[:, 1], change, rtol=1e-5)


def test_which_columns_are_taken_as_logarithms(rng):
    X = np.column_stack(
        [
            10 ** rng.uniform(-3, 3, 1000),  # orders of magnitude
            rng.uniform(1, 15, 1000),  # positive, away from 0
            rng.uniform(0, 1, 1000),  # a long tail towards 0
            rng.normal(size=1000),
            1e6 + rng.uniform(0, 1, 1000),  # nothing new in the logarithm
        ]
    )
    assert wide_columns(X).tolist() == [True, False, False, False, False]
    assert even_logarithms(X).tolist() == [True, True, False, False, True]
    assert bent_logarithms(X).tolist() == [True, True, True, False, False]


def test_a_target_comes_back_from_what_is_learned_of_it(rng):
    y = rng.uniform(1, 100, 200)
    for sign, values in ((0, y - 50), (1, y), (-1, -1e30 * y)):
        target = Target.of(values, sign)
        t = target.forward(values)
        assert abs(t.mean()) < 1e-12
        np.testing.assert_allclose(target.inverse(t), values, rtol=1e-12)
        slope = (target.inverse(t + 1e-6) - target.inverse(t - 1e-6)) / 2e-6
        np.testing.assert_allclose(target.slope(t), slope, rtol=1e-6)


def test_a_learned_logarithm_does_not_explode_outside_of_the_data():
    target = Target.of(np.array([1.0, 10.0, 100.0]), 1)
    assert target.inverse(np.array([1e6]))[0] < 1e5
    assert target.slope(np.array([1e6]))[0] == 0


def test_one_sign():
    assert [one_sign(np.array(y)) for y in ([1.0, 2.0], [-1.0, -2.0], [-1.0, 2.0], [0.0, 1.0])] == [1, -1, 0, 0]
