from __future__ import annotations

import math

import numpy as np
import pytest

from scalesr.evidence.numbers import exponent_length, number_length, simple_number


@pytest.mark.parametrize(
    ("number", "error"),
    [
        (2.0, 1e-9), (-1.0, 0.01), (0.5, 1e-6), (1 / 3, 1e-6), (-2.5, 1e-4), (5.5, 1e-5), (1.35, 1e-6),
        (6.674e-11, 1e-22), (1 / (4 * math.pi), 1e-9), (2 * math.pi, 1e-5), (1 / math.sqrt(2 * math.pi), 1e-8),
        (math.pi**2, 1e-6), (299792458.0, 1e-3), (-8.31, 1e-7),
    ],
)  # fmt: skip
def test_numbers_of_laws_are_recognised_within_their_error(number: float, error: float) -> None:
    seen = number + 0.7 * error
    assert simple_number(seen, 2 * error) == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize("relative", [1e-2, 1e-4, 1e-6, 1e-9])
def test_random_numbers_are_rarely_taken_for_simple_ones(relative: float) -> None:
    rng = np.random.default_rng(0)
    values = np.exp(rng.uniform(-3, 3, 4000))
    taken = sum(simple_number(value, relative * value) is not None for value in values.tolist())
    assert taken < 0.2 * len(values)


@pytest.mark.parametrize("bad", [math.nan, math.inf, 0.0])
def test_what_is_no_number_or_nothing_is_left_alone(bad: float) -> None:
    assert simple_number(bad, 1e-9) is None
    assert simple_number(1.5, math.nan) is None


def test_simple_numbers_are_cheap_to_write_down_and_others_are_not() -> None:
    assert 0 < number_length(1.0) == number_length(-1.0) < number_length(2.0)
    assert 0 < number_length(2.0) < number_length(0.5) < number_length(7 / 12)
    assert number_length(-3.0) == number_length(3.0)
    assert number_length(0.123456789) > number_length(0.12) > number_length(0.5)
    assert number_length(2 * math.pi) < number_length(6.283)
    assert number_length(math.inf) == math.inf


def test_a_square_is_the_cheapest_power_and_large_or_broken_ones_cost_more() -> None:
    assert exponent_length(2) == exponent_length(-2) == 0
    assert 0 < exponent_length(3) < exponent_length(4) < exponent_length(24)
    assert exponent_length(1.5) < exponent_length(3.5) < exponent_length(17 / 12)
