"""Sweeps: groups joined and taken apart again, bad input refused."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.errors import DataError
from scalesr.records.budget import Budget
from scalesr.records.sweep import Sweep

A, B = np.arange(6.0), np.arange(10.0, 14.0)


def test_groups_come_out_as_they_went_in() -> None:
    sweep = Sweep.from_groups([A, B], [2 * A, 3 * B], noise=0.1, names=["t"])
    assert (sweep.n_groups, sweep.n_rows, sweep.n_variables) == (2, 10, 1)
    table, target = sweep.group(1)
    np.testing.assert_array_equal(table, B[:, np.newaxis])
    np.testing.assert_array_equal(target, 3 * B)
    assert Sweep.from_groups([np.zeros((3, 2))], [np.ones(3)]).names == ("x0", "x1")


def test_spread_is_taken_within_groups() -> None:
    sweep = Sweep.from_groups([A, A], [A, A + 1e6])
    assert sweep.std == pytest.approx(np.std(A))
    assert Sweep.from_groups([A], [np.full(6, 5.0)]).std == 5.0
    assert Sweep.from_groups([A], [np.zeros(6)]).std == 1.0


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_sizes_beyond_the_range_of_squares_are_told(unit: float) -> None:
    sweep = Sweep.from_groups([A], [unit * A])
    assert sweep.std == pytest.approx(unit * np.std(A))
    assert sweep.scale == pytest.approx(unit * np.sqrt(np.mean(A**2)))


def test_thinning_keeps_the_ends_of_the_groups_and_evenly_spaced_rows() -> None:
    sweep = Sweep.from_groups([np.arange(100.0) + 1000 * g for g in range(5)], [np.arange(100.0)] * 5, noise=0.5)
    thin = sweep.thinned(2, 10)
    assert (thin.n_groups, thin.n_rows, thin.noise) == (2, 20, 0.5)
    np.testing.assert_array_equal(thin.group(0)[1], np.arange(0, 100, 10))
    assert thin.group(1)[0][0, 0] == 4000
    assert sweep.thinned(9, 1000).n_rows == 500


@pytest.mark.parametrize(
    ("X", "y", "noise", "names", "fragment"),
    [
        ([], [], None, None, "0 tables"),
        ([A], [A, B], None, None, "1 tables, 2 targets"),
        ([A], [A[:2]], None, None, "6 rows and 2 targets"),
        ([[]], [[]], None, None, "1 or more"),
        ([A * np.nan], [A], None, None, "Group 0 holds NaN"),
        ([A], [np.full(6, np.inf)], None, None, "infinite"),
        ([np.zeros((3, 1)), np.zeros((3, 2))], [np.ones(3)] * 2, None, None, "Group 1 has 2 variables"),
        ([np.zeros((2, 2, 2))], [np.ones(2)], None, None, "3 dimensions"),
        ([A], [A], -1.0, None, "noise level"),
        ([A], [A], np.nan, None, "noise level"),
        ([A], [A], None, ["a", "b"], "as many names"),
    ],
)
def test_bad_sweeps_are_refused_with_the_group(
    X: list, y: list, noise: float | None, names: list[str] | None, fragment: str
) -> None:
    with pytest.raises(DataError, match=fragment):
        Sweep.from_groups(X, y, noise=noise, names=names)


def test_a_negative_budget_is_refused() -> None:
    with pytest.raises(ValueError, match="seconds is 0 or more"):
        Budget(seconds=-1)


def test_weights_are_relative_and_equal_ones_are_none() -> None:
    sweep = Sweep.from_groups([A, B], [A, B], weights=[np.full(6, 3.0), np.full(4, 9.0)])
    np.testing.assert_allclose(sweep.weights, np.repeat([3 / 5.4, 9 / 5.4], [6, 4]))
    np.testing.assert_allclose(sweep.roots**2, sweep.weights)
    alike = Sweep.from_groups([A, B], [A, B], weights=[np.full(6, 1e300), np.full(4, 1e300)])
    assert alike.weights is None
    assert len(alike.roots) == 0


def test_rows_of_weight_zero_are_left_out() -> None:
    sweep = Sweep.from_groups([A, B], [A, 2 * B], weights=[[0, 1, 2, 3, 0, 1], [1, 1, 0, 1]])
    assert sweep.row_starts.tolist() == [0, 4, 7]
    np.testing.assert_array_equal(sweep.columns[0], [1, 2, 3, 5, 10, 11, 13])
    np.testing.assert_array_equal(sweep.y, [1, 2, 3, 5, 20, 22, 26])
    np.testing.assert_allclose(sweep.weights, np.array([1, 2, 3, 1, 1, 1, 1]) / (10 / 7))


def test_scale_and_spread_count_rows_by_their_weights() -> None:
    counts = np.array([1, 3, 2, 1, 1, 4])
    weighted, repeated = Sweep.from_groups([A], [A], weights=[counts]), np.repeat(A, counts)
    assert weighted.std == pytest.approx(np.std(repeated))
    assert weighted.scale == pytest.approx(np.sqrt(np.mean(repeated**2)))


@pytest.mark.parametrize(
    ("weights", "fragment"),
    [
        ([np.ones(5)], "6 rows need as many"),
        ([-A], "none negative"),
        ([A * np.nan], "finite"),
        ([np.zeros(6)], "Group 0 has no row with a weight above 0"),
    ],
)
def test_bad_weights_are_refused(weights: list, fragment: str) -> None:
    with pytest.raises(DataError, match=fragment):
        Sweep.from_groups([A], [A], weights=weights)
