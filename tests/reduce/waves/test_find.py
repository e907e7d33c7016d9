import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop
from scalesr.reduce.waves.find import find_waves

PHYSICS = Operators("physics")


def table(law, *ranges, n=1200, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.uniform(low, high, n) for low, high in ranges])
    y = law(*X.T)
    return Dataset.from_table(X, y + noise * y.std() * rng.normal(size=n))


def found(data, operators=PHYSICS):
    return find_waves(data, operators, Stop())


def frequencies(data):
    return sorted(abs(float(w)) for wave in found(data).fitted.waves for w in wave.frequencies)


def test_a_frequency_of_some_hundred_periods_is_exact():
    data = table(lambda x: 2.3 * np.cos(11.4 * x + 0.4), (-40, 40))
    assert frequencies(data) == pytest.approx([11.4], rel=1e-12)
    assert found(data).needed == ()


def test_an_amplitude_of_other_columns_is_told_from_columns_that_do_not_matter():
    data = table(lambda x, y, z: y**2 * np.sin(30 * x) + y, (0, 5), (-2, 2), (0, 1))
    assert frequencies(data) == pytest.approx([30], rel=1e-9)
    assert found(data).needed == (1,)


def test_a_decaying_wave_keeps_its_frequency():
    data = table(lambda t: np.exp(-0.4 * t) * np.sin(25 * t), (0, 8))
    assert frequencies(data) == pytest.approx([25], rel=1e-6)


def test_evenly_spaced_rows_give_the_slowest_of_the_waves_that_meet_them():
    t = np.linspace(0, 1, 1501)
    data = Dataset.from_table(t[:, np.newaxis], np.cos(2 * np.pi * 500 * t + 0.5))  # as 1000 cycles would
    assert frequencies(data) == pytest.approx([1000 * np.pi], rel=1e-9)


def test_two_tones_are_two_waves():
    data = table(lambda t: 3 * np.cos(17 * t) + 2 * np.cos(19 * t + 1), (0, 10))
    assert frequencies(data) == pytest.approx([17, 19], rel=1e-9)


@pytest.mark.parametrize(
    ("law", "ranges", "written"),
    [
        (lambda x: np.cos(5 * x**3), [(-3, 3)], {"x0^3"}),
        (lambda x, y: np.cos(7 * x * y), [(0, 4), (0, 4)], {"x0*x1"}),
        (lambda x, y: np.cos(6 * np.hypot(x, y)), [(-6, 6), (-6, 6)], {"sqrt(x0^2 + x1^2)"}),
        (lambda x, y: np.sin((x - 3) * (y - 2)), [(-4, 6), (-4, 6)], {"x0", "x1", "x0*x1"}),
        (lambda x: np.sin(2 * x + 1.5 * x**2), [(0, 10)], {"x0", "x0^2"}),
        (lambda k, m, t: np.cos(np.sqrt(k / m) * t), [(5, 50), (0.5, 2), (0, 10)], {"sqrt(x0)*x2/sqrt(x1)"}),
    ],
)
def test_the_coordinate_of_a_phase_is_found(law, ranges, written):
    data = table(law, *ranges)
    (wave,) = found(data).fitted.waves
    assert {str(one.written) for one in wave.scan} == written
    assert found(data).fitted.rss < 1e-18


def test_noise_leaves_the_frequency_as_exact_as_it_allows():
    data = table(lambda x, y: 3 * y + np.sin(22 * x), (0, 6), (0, 1), noise=0.1)
    assert frequencies(data) == pytest.approx([22], rel=1e-3)


@pytest.mark.parametrize(
    "law",
    [
        lambda x, y: x * y**2,
        lambda x, y: np.exp(-x) / (1 + y),
        lambda x, y: np.sin(x) + y,
        lambda x, y: 1 / (x - y),  # a few rows carry the variance
        lambda x, y: np.random.default_rng(5).normal(size=len(x)),
    ],
)
def test_what_does_not_oscillate_has_no_waves(law):
    assert found(table(law, (0.5, 3), (0.2, 4))) is None


def test_few_rows_and_operators_without_waves_are_left_alone():
    data = table(lambda x: np.cos(30 * x), (0, 5))
    assert found(data.thinned(40)) is None
    assert found(data, Operators("+", "*", "/")) is None
