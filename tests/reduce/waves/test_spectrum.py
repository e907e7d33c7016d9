import numpy as np
import pytest
from scipy.signal import lombscargle

from scalesr.reduce.waves.config import WAVE
from scalesr.reduce.waves.spectrum import highest_peak


def rows(n=800, seed=0):
    return np.random.default_rng(seed).uniform(0, 1, n)


def test_one_coordinate_has_the_peak_of_lomb_and_scargle():
    x = rows()
    y = np.cos(2 * np.pi * 33.4 * x + 1) + 0.5 * np.random.default_rng(1).normal(size=len(x))
    y -= y.mean()
    cycles = np.arange(4 * WAVE.lowest_frequency, 4 * 400) / 4
    power = lombscargle(x, y, 2 * np.pi * cycles)
    peak = highest_peak(x[np.newaxis], y[np.newaxis])
    assert abs(peak.cycles[0] - cycles[np.argmax(power)]) <= 0.25
    assert peak.share == pytest.approx(2 * power.max() / (y @ y), rel=0.05)


def test_a_peak_in_the_plane_has_a_frequency_along_both_coordinates():
    x, y = rows(), rows(seed=1)
    wave = np.sin(2 * np.pi * (20 * x - 7 * y))
    peak = highest_peak(np.array([x, y]), wave[np.newaxis])
    assert np.sign(peak.cycles[0] * peak.cycles[1]) == -1
    np.testing.assert_allclose(np.abs(peak.cycles), [20, 7], atol=0.5)
    assert peak.share > 0.7


def test_three_coordinates_and_coarse_grids_see_the_same_wave():
    x, y, z = rows(), rows(seed=1), rows(seed=2)
    wave = np.cos(2 * np.pi * (6 * x + 2 * y - 4 * z))
    peak = highest_peak(np.array([x, y, z]), wave[np.newaxis], fine=False)
    np.testing.assert_allclose(np.abs(peak.cycles), [6, 2, 4], atol=0.5)


def test_an_amplitude_that_changes_sign_is_seen_through_its_column():
    x, a = rows(), 2 * rows(seed=1) - 1
    wave = a * np.cos(2 * np.pi * 50 * x)
    alone = highest_peak(x[np.newaxis], wave[np.newaxis])
    with_column = highest_peak(x[np.newaxis], np.array([np.ones(len(x)), (a - a.mean()) / a.std()]) * wave)
    assert alone.share < 0.1
    assert with_column.share > 0.7
    assert with_column.cycles[0] == pytest.approx(50, abs=0.25)


def test_noise_has_no_peak_that_is_worth_its_numbers():
    noise = np.random.default_rng(3).normal(size=800)
    peak = highest_peak(rows()[np.newaxis], (noise - noise.mean())[np.newaxis])
    assert peak.gain(800, 1) < 0
