"""Sweeps: real settings, trusted values, and nothing moves that should be held."""

import numpy as np

from scalesr.control.control import Control
from scalesr.control.error import measure_errors
from scalesr.control.sample import column_values, evenly
from scalesr.control.settings import choose_settings
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from scalesr.records.samples import Samples
from tests.control.smooth_oracle import SmoothOracle, table


def law(X):
    return X[:, 0] ** 2 * X[:, 1] + np.sin(X[:, 2])


class Narrow(SmoothOracle):
    """Trusts only a strip around the diagonal, as with correlated columns."""

    def trusted(self, X):
        return super().trusted(X) & (np.abs(X[:, 0] - X[:, 1]) < 0.5)


def test_curves_move_one_variable_and_hold_the_others_at_real_rows():
    data = table(law, 3, 1.0, 3.0)
    grid = Control(data, SmoothOracle(data, law), 0).curves(1)
    assert grid.n_settings == 4
    for group in range(grid.n_groups):
        rows = grid.columns[:, grid.row_starts[group] : grid.row_starts[group + 1]].T
        assert np.ptp(rows[:, 1]) > 1.5
        held = rows[0, [0, 2]]
        assert (rows[:, [0, 2]] == held).all()
        assert (data.table[:, [0, 2]] == held).all(axis=1).any()
    np.testing.assert_array_equal(grid.y, law(grid.columns.T))


def test_a_grid_has_ascending_groups_in_which_only_learned_variables_move():
    data = table(law, 3, 1.0, 3.0)
    grid = Control(data, SmoothOracle(data, law), 0).grid((0,), 2)
    for setting in range(grid.n_settings):
        groups = grid.groups_of(setting)
        assert (np.diff(grid.values[groups]) > 0).all()
        for group in groups:
            rows = grid.columns[:, grid.row_starts[group] : grid.row_starts[group + 1]].T
            assert (rows[:, 2] == grid.values[group]).all()
            assert np.ptp(rows[:, 1]) == 0 < np.ptp(rows[:, 0])


def test_curves_and_groups_are_sampled_as_densely_as_asked():
    data = table(law, 3, 1.0, 3.0)
    control = Control(data, SmoothOracle(data, law), 0, samples=Samples(n_points=40, n_groups=15))
    assert np.diff(control.curves(1).row_starts).tolist() == [40] * 4
    grid = control.grid((0,), 2)
    assert np.bincount(grid.settings).tolist() == [15] * 3
    assert np.diff(grid.row_starts).tolist() == [40] * 45
    assert len(np.unique(control.minus(parse("x0")).curves(1).columns[1])) >= 40


def test_values_outside_the_trusted_region_are_never_asked_for():
    data = table(law, 3, 1.0, 3.0)
    generator = Narrow(data, law)
    for grid in (Control(data, generator, 0).curves(0), Control(data, generator, 0).grid((0, 2), 1)):
        assert generator.trusted(grid.columns.T).all()


def test_a_discrete_column_keeps_its_own_values():
    column = np.repeat([1.0, 2.0, 5.0], 100)
    np.testing.assert_array_equal(column_values(column, 24), [1.0, 2.0, 5.0])


def test_values_of_a_wide_column_are_dense_where_its_rows_are():
    column = np.exp(np.random.default_rng(0).uniform(np.log(0.1), np.log(10), 5000))
    values = evenly(column_values(column, 120), 24)
    assert np.count_nonzero(values < 1) >= 5
    assert np.count_nonzero(values > 5) >= 5


def test_settings_that_hide_a_term_are_rejected():
    data = table(lambda X: X[:, 0] * np.cos(X[:, 1]), 2, 0.0, 3.0)
    generator = SmoothOracle(data, lambda X: X[:, 0] * np.cos(X[:, 1]))
    settings = choose_settings(data, generator, [0], 5, np.random.default_rng(0))
    assert len(settings) == 5
    assert (np.abs(np.cos(settings[:, 1])) > 0.1).all()


def test_the_same_seed_gives_the_same_sweeps_in_any_order():
    data = table(law, 3, 1.0, 3.0)
    first, second = (Control(data, SmoothOracle(data, law), 7) for _ in range(2))
    one = first.curves(0)
    second.grid((1,), 2)
    np.testing.assert_array_equal(one.columns, second.curves(0).columns)


def test_a_variable_without_effect_is_told_apart():
    data = table(lambda X: X[:, 0] ** 2, 2, 1.0, 3.0)
    effects = Control(data, SmoothOracle(data, lambda X: X[:, 0] ** 2), 0).effects()
    assert effects[1] == 0 < effects[0]


def test_noise_of_rows_is_told_from_the_error_of_a_generator():
    exact = table(law, 3, 1.0, 3.0, 4000)
    noisy = Dataset.from_table(exact.table, exact.y + np.random.default_rng(1).normal(0, 1.0, 4000))
    found = measure_errors(noisy, SmoothOracle(noisy, law, noise=1.0, waves=0.0))
    assert 0.9 < found.rows < 1.1
    assert found.values < 0.3


def test_a_smooth_error_is_not_taken_for_noise_of_rows():
    data = table(law, 3, 1.0, 3.0, 4000)
    found = measure_errors(data, SmoothOracle(data, law, 0.1))
    assert found.rows == 0
    assert found.values == 0.1
