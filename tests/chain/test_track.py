"""Coefficients along a new variable: followed through sign changes, and constant ones recognised."""

import numpy as np

from scalesr.chain.classify import is_constant, weighted_mean
from scalesr.chain.coefficients import coefficient_sweep
from scalesr.chain.track import follow
from scalesr.control.control import Control
from scalesr.expr.text import parse
from tests.control.smooth_oracle import SmoothOracle, table

NONE = np.empty((0, 4))


def waves(X):
    return 1.35 * X[:, 0] * X[:, 1] + 5.5 * np.sin((X[:, 0] - 1) * (X[:, 1] - 1))


def tracks_of(noise):
    data = table(waves, 2, -3.0, 3.0)
    grid = Control(data, SmoothOracle(data, waves, noise), 0).grid((0,), 1)
    return follow(parse("C*x0 + C*sin(C*x0 + C)"), grid, NONE)


def test_a_frequency_is_followed_through_zero():
    (track,) = tracks_of(0.0).settings
    y, slope, _ = track.of(0)
    _, amplitude, _ = track.of(1)
    _, frequency, _ = track.of(2)
    np.testing.assert_allclose(slope, 1.35 * y, atol=1e-6)
    np.testing.assert_allclose(np.abs(amplitude), 5.5, rtol=1e-6)
    np.testing.assert_allclose(frequency * np.sign(amplitude), y - 1, atol=1e-6)
    assert len(set(np.sign(amplitude))) == 1


def test_the_amplitude_is_found_constant_and_the_others_vary():
    found = tracks_of(1e-3)
    assert found.varies.tolist() == [True, False, True, True]


def test_the_values_of_a_coefficient_carry_its_error():
    sweep = coefficient_sweep(tracks_of(1e-3), 2)
    values, frequency = sweep.group(0)
    off = np.minimum(np.abs(frequency - (values[:, 0] - 1)), np.abs(frequency + (values[:, 0] - 1)))
    assert np.sqrt(np.mean(off**2)) < 3 * sweep.noise < 0.1


def test_values_within_their_errors_are_one_constant_and_a_trend_is_not():
    rng = np.random.default_rng(0)
    errors = rng.uniform(0.01, 0.1, 30)
    assert is_constant(5 + errors * rng.normal(size=30), errors)
    assert not is_constant(5 + 0.5 * np.linspace(0, 1, 30) + errors * rng.normal(size=30), errors)


def test_the_weighted_mean_listens_to_the_certain_values():
    assert abs(weighted_mean(np.array([1.0, 9.0]), np.array([0.01, 10.0])) - 1) < 1e-4
