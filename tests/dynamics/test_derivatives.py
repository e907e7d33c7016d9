import numpy as np
import pytest

from scalesr.dynamics.derivatives import choose_windows, rates_of
from scalesr.dynamics.local_polynomial import Window, centred_weights
from scalesr.dynamics.noise import noise_of_states
from scalesr.dynamics.trajectories import Trajectory, whole_trajectories


def waves(noise=0.0, n_runs=20, uneven=False, seed=0):
    rng = np.random.default_rng(seed)
    runs = []
    for phase in rng.uniform(0, 2 * np.pi, n_runs):
        t = np.linspace(0, 4, 120)
        t = np.sort(t + rng.uniform(-0.01, 0.01, 120)) if uneven else t
        x = np.stack([np.sin(t + phase), np.cos(t + phase)], axis=1)
        runs.append(Trajectory(t, x + noise * rng.normal(size=x.shape), np.empty((120, 0))))
    return whole_trajectories(runs, ["x", "y"])


@pytest.mark.parametrize("degree", [2, 4, 8])
def test_differences_are_exact_for_polynomials_at_uneven_times(degree):
    t = np.sort(np.random.default_rng(1).uniform(0, 1, 40))
    rules = centred_weights(t, Window(degree + 1, degree))
    powers = t[:, np.newaxis] ** np.arange(degree + 1)
    expected = np.arange(degree + 1) * t[rules.places, np.newaxis] ** np.maximum(np.arange(degree + 1) - 1, 0)
    assert np.abs(rules.slopes(powers) - expected).max() < 1e-6
    assert np.abs(rules.values(powers) - powers[rules.places]).max() < 1e-9


@pytest.mark.parametrize("noise", [1e-4, 1e-2])
def test_noise_of_states_is_told_within_a_fifth(noise):
    assert noise_of_states(waves(noise)) == pytest.approx([noise, noise], rel=0.2)


def test_clean_states_have_no_noise():
    assert (noise_of_states(waves()) < 1e-9).all()


@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("noise", [0.0, 1e-3, 3e-2])
def test_the_error_of_rates_is_what_was_estimated(noise, uneven):
    data = waves(noise, uneven=uneven)
    how = choose_windows(data, noise_of_states(data))
    found = rates_of(data, how)
    truth = [np.stack([one.states[:, 1], -one.states[:, 0]], axis=1) for one in found]
    off = np.concatenate([one.rates - right for one, right in zip(found, truth, strict=True)]).std(axis=0)
    assert (off < 3 * how.errors + 1e-7).all()
    assert (off > how.errors / 5 - 1e-7).all()


def test_noisy_states_get_wider_windows_than_clean_ones():
    reach = [choose_windows(data, noise_of_states(data)).reach for data in (waves(), waves(3e-2))]
    assert reach[1] > 2 * reach[0]
