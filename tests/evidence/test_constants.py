from __future__ import annotations

import math

import numpy as np
import pytest

from scalesr.evidence.constants import UNKNOWN_SIZE, constants_cost, free_cost, read_constants


def test_a_free_constant_costs_the_digits_that_the_rows_give_it_in_any_unit() -> None:
    assert free_cost(3.0, 0.003) == pytest.approx(UNKNOWN_SIZE + math.log(1000))
    assert free_cost(3e20, 3e17) == pytest.approx(free_cost(3.0, 0.003))
    assert free_cost(1e-9, 1.0) == pytest.approx(UNKNOWN_SIZE)  # it cannot be told from 0


def test_correlated_constants_cost_the_determinant_of_their_errors() -> None:
    covariance = np.array([[4.0, 1.9], [1.9, 1.0]]) * 1e-4
    values = np.array([5.0, 7.0])
    expected = 2 * UNKNOWN_SIZE + math.log(35.0) - 0.5 * math.log(np.linalg.det(covariance))
    assert constants_cost(values, covariance) == pytest.approx(expected)


def test_a_constant_that_no_row_tells_costs_no_less_than_one_that_rows_tell() -> None:
    told = constants_cost(np.array([5.0]), np.array([[1e-20]]))
    covariance = np.array([[1e-20, np.nan], [np.nan, np.nan]])
    assert constants_cost(np.array([5.0, 2.0]), covariance) >= 2 * told


@pytest.mark.parametrize(
    ("value", "error", "number"),
    [(2.02, 0.02, 2.0), (0.499, 0.002, 0.5), (6.29, 0.01, 2 * math.pi), (0.3334, 0.001, 1 / 3)],
)
def test_numbers_that_laws_are_made_of_are_read(value: float, error: float, number: float) -> None:
    reading = read_constants(np.array([value]), np.array([[error**2]]))
    assert reading.numbers[0] == pytest.approx(number, rel=1e-12)
    assert reading.saved > 0


def test_a_number_that_rows_can_tell_from_every_simple_one_stays_free() -> None:
    assert read_constants(np.array([1.9991]), np.array([[1e-10]])).numbers == {}


def test_reading_one_constant_takes_the_others_along() -> None:
    """Two constants off by the same error: once the first is read, the second is the number it should be."""
    covariance = np.array([[1.0, 0.99999], [0.99999, 1.0]]) * 0.05**2
    reading = read_constants(np.array([2.06, 5.06]), covariance)
    assert reading.numbers == {0: 2.0, 1: 5.0}


def test_random_constants_are_seldom_read() -> None:
    rng = np.random.default_rng(0)
    values = np.exp(rng.uniform(-3, 3, 500))
    read = sum(bool(read_constants(np.array([v]), np.array([[(1e-4 * v) ** 2]])).numbers) for v in values.tolist())
    assert read < 0.15 * len(values)  # each costs its digits, so few are near enough
