from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.residual_tests import (
    CERTAIN,
    UNLIKELY,
    Layout,
    evidence_of_structure,
    low_polynomials,
    nearest_pairs,
    noise_between_neighbours,
    ranks,
    structure_left,
)


def test_noise_of_any_kind_is_rarely_taken_for_structure() -> None:
    rng = np.random.default_rng(0)
    probabilities = []
    for trial in range(300):
        columns = rng.uniform(-1, 1, (1 + trial % 4, 150))
        noise = [rng.normal(size=150), rng.standard_t(2, size=150), rng.exponential(size=150) - 1][trial % 3]
        probabilities.append(structure_left(noise * (1 + columns[0] ** 2), columns, 2)[0])
    assert np.mean(np.array(probabilities) < 0.05) < 0.1
    assert min(probabilities) > UNLIKELY


@pytest.mark.parametrize("kind", ["trend", "product", "wiggle", "ripple"])
def test_a_hidden_tenth_of_the_noise_is_found_among_many_rows(kind: str) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.uniform(-1, 1, (2, 4000))
    shape = {"trend": x**3, "product": x * y, "wiggle": np.sin(40 * x), "ripple": np.sin(9 * x) * np.sin(9 * y)}[kind]
    residual = rng.normal(size=4000) + 0.6 * shape / shape.std()
    assert structure_left(residual, np.stack([x, y]), 0)[0] < UNLIKELY


def test_one_wild_row_is_no_structure() -> None:
    rng = np.random.default_rng(2)
    residual = rng.normal(size=400)
    residual[7] = 1e6
    assert structure_left(residual, rng.uniform(size=(2, 400)), 1)[0] > 0.01


def test_neighbours_tell_the_noise_under_a_smooth_error() -> None:
    rng = np.random.default_rng(3)
    x = rng.uniform(-1, 1, (1, 3000))
    residual = 10 * np.sin(3 * x[0]) + 0.2 * rng.normal(size=3000)
    assert noise_between_neighbours(residual, x) == pytest.approx(0.2, rel=0.1)


def test_neighbours_in_many_columns_are_those_at_the_smallest_distance() -> None:
    columns = np.random.default_rng(3).uniform(-1, 1, (40, 60))
    distances = np.linalg.norm(columns[:, :, np.newaxis] - columns[:, np.newaxis], axis=0)
    np.fill_diagonal(distances, np.inf)
    expected = {tuple(sorted(pair)) for pair in enumerate(distances.argmin(axis=1).tolist())}
    assert {tuple(pair) for pair in nearest_pairs(columns).tolist()} == expected


def test_a_thousand_columns_are_looked_at_without_listing_their_pairs() -> None:
    rng = np.random.default_rng(4)
    columns, noise = rng.normal(size=(1000, 300)), rng.normal(size=300)
    assert structure_left(noise, columns, 2)[0] > UNLIKELY
    assert structure_left(noise + 2 * columns[0], columns, 2)[0] < UNLIKELY


def test_the_evidence_of_structure_is_none_for_noise_and_bounded_for_a_trend() -> None:
    x = np.linspace(0, 1, 20)
    noise = np.random.default_rng(2).normal(size=20)
    assert evidence_of_structure(noise, x[np.newaxis], 1) < 1
    slight, plain = (
        evidence_of_structure(noise + size * np.sin(6 * x), x[np.newaxis], 1) for size in (1.5, 5.0)
    )  # fmt: skip
    assert 1 < slight < plain
    many = np.linspace(0, 1, 2000)
    assert evidence_of_structure(np.sin(6 * many), many[np.newaxis], 1) == CERTAIN


@pytest.mark.parametrize("kind", ["apart", "copy", "nearly a copy"])
def test_directions_are_orthonormal_and_span_the_low_polynomials(rng: np.random.Generator, kind: str) -> None:
    """Compared with a QR decomposition, which takes four times as long."""
    columns = rng.uniform(size=(3, 600))
    if kind != "apart":
        columns[2] = columns[1]
    if kind == "nearly a copy":
        columns[2, :2] = columns[2, 1::-1]  # two ranks are exchanged
    found = Layout.of(columns).directions
    assert np.abs(found.T @ found - np.eye(found.shape[1])).max() < 1e-11
    basis = low_polynomials(ranks(columns), 60)
    assert found.shape[1] == np.linalg.matrix_rank(basis, tol=1e-6 * np.linalg.norm(basis, 2))
    assert np.abs(basis - found @ (found.T @ basis)).max() < 1e-4 * np.abs(basis).max()
