"""What the tests ask of columns is worked out once, whatever residuals come."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from scalesr.evidence.residual_tests import Layout, low_polynomials, ranks, structure_left


@pytest.fixture
def columns(rng):
    return np.stack([rng.normal(size=300), np.ones(300), rng.integers(0, 5, 300), rng.uniform(size=300)])


def test_directions_are_orthonormal_and_span_the_polynomials(columns):
    directions = Layout.of(columns).directions
    np.testing.assert_allclose(directions.T @ directions, np.eye(directions.shape[1]), atol=1e-10)
    basis = low_polynomials(ranks(columns[[0, 2, 3]]), 50)
    np.testing.assert_allclose(directions @ (directions.T @ basis), basis, atol=1e-6)
    assert directions.shape[1] == np.linalg.matrix_rank(basis, tol=1e-6)


def test_pairs_are_nearest_neighbours_and_orders_are_those_of_the_columns_that_move(columns):
    layout = Layout.of(columns)
    distances = cdist(ranks(columns).T, ranks(columns).T)
    np.fill_diagonal(distances, np.inf)
    own, other = layout.pairs.T
    largest = np.maximum(distances.min(axis=1)[own], distances.min(axis=1)[other])
    assert np.all(distances[own, other] <= largest + 1e-12)
    assert len(layout.orders) == 3
    assert all(
        np.all(np.diff(column[order]) >= 0) for column, order in zip(columns[[0, 2, 3]], layout.orders, strict=True)
    )


def test_other_columns_have_another_layout_and_a_change_in_place_is_seen(columns, rng):
    first = Layout.of(columns)
    assert Layout.of(columns.copy()) is first
    residual = rng.normal(size=300)
    before = structure_left(residual, columns, 0)
    columns[0] = residual
    assert Layout.of(columns) is not first
    assert structure_left(residual, columns, 0)[0] < 1e-6 < before[0]


def test_many_columns_of_many_rows_are_looked_at_in_some_directions_only(rng):
    directions = Layout.of(rng.uniform(size=(40, 6000))).directions
    assert 80 < directions.shape[1] <= 500
