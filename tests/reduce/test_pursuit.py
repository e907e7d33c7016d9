"""Pursuit takes in what a target needs and nothing else; the rest is that of least squares."""

import numpy as np
import pytest

from scalesr.reduce.pursuit import CandidateColumns, Products, Pursuit


def test_lines_have_mean_zero_and_length_one_under_weights(rng):
    columns, weights = rng.uniform(-2, 2, (4, 150)), rng.uniform(0.1, 2, 150)
    lines = CandidateColumns(columns, np.sqrt(weights))
    alive = np.abs(lines.values).sum(axis=1) > 0
    assert alive.sum() > len(lines.values) / 2
    np.testing.assert_allclose((lines.values[alive] ** 2).sum(axis=1), 1, rtol=1e-10)
    np.testing.assert_allclose(lines.values @ lines.roots, 0, atol=1e-9)
    assert len(lines.owners) == len(lines.values)


def test_a_column_without_values_of_a_function_is_no_line():
    lines = CandidateColumns(np.array([[0.0, 1.0, 2.0, 3.0], [1.0, 1.0, 1.0, 1.0]]), np.ones(4))
    assert np.isfinite(lines.values).all()
    assert not lines.values[lines.owners == 1].any() or np.ptp(lines.single[1]) == 0


def test_the_columns_of_a_sum_are_taken_in_and_the_rest_is_what_least_squares_leaves(rng):
    columns = rng.uniform(0.5, 3, (30, 400))
    noise = 0.01 * rng.normal(size=400)
    pursuit = Pursuit(CandidateColumns(columns, np.ones(400)), 2 * columns[3] ** 2 - np.sin(columns[17]) + noise)
    pursuit.take_singles(10)
    assert sorted(pursuit.columns) == [3, 17]
    basis = np.column_stack([np.ones(400), columns[3] ** 2, np.sin(columns[17])])
    left = noise - basis @ np.linalg.lstsq(basis, noise, rcond=None)[0]
    assert np.linalg.norm(pursuit.residual) == pytest.approx(np.linalg.norm(left), rel=0.05)


def test_a_product_is_found_by_its_pair_and_pure_noise_calls_for_nothing(rng):
    columns = rng.normal(size=(20, 500))
    lines = CandidateColumns(columns, np.ones(500))
    pursuit = Pursuit(lines, columns[4] * columns[11] + 0.1 * rng.normal(size=500))
    assert pursuit.take_pair(Products(lines, range(20)))
    assert sorted(pursuit.columns) == [4, 11]
    idle = Pursuit(lines, rng.normal(size=500))
    idle.take_singles(10)
    assert not idle.take_pair(Products(lines, range(20)))
    assert idle.columns == []
