"""Whole numbers as counts and answers, compared with the probabilities of SciPy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from scalesr.evidence.discrete import are_counts, are_yes_and_no, discrete_kind, explain_discrete, explain_target
from scalesr.records.dataset import Dataset
from scalesr.records.noise import BINARY, GivenNoise, Noise


def data_of(y, weights=None, given=None):
    y = np.asarray(y, float)
    data = Dataset.from_table(np.arange(len(y), dtype=float)[:, np.newaxis], y, weights=weights)
    return data if given is None else replace(data, given_noise=given)


def test_counts_cost_what_poissons_probabilities_say(rng):
    expected = rng.uniform(0.1, 6, 50)
    counts = rng.poisson(expected).astype(float)
    given = Noise("counts", 1.0, source="given")
    cost = explain_discrete(data_of(counts), expected, given).cost
    assert cost == pytest.approx(-stats.poisson.logpmf(counts, expected).sum())
    twice = explain_discrete(data_of(counts, np.full(50, 2.0)), expected, given).cost
    assert twice == pytest.approx(cost)  # weights say how rows compare, not how many there are
    assert explain_discrete(data_of(counts), expected - 1, given).cost == np.inf
    assert explain_discrete(data_of([0.0, 2.0]), np.array([0.0, 2.0]), given).cost < np.inf


def test_answers_cost_what_bernoullis_probabilities_say(rng):
    chance = rng.uniform(0.01, 0.99, 50)
    answers = (rng.uniform(size=50) < chance).astype(float)
    given = Noise(BINARY, source="given")
    cost = explain_discrete(data_of(answers), chance, given).cost
    assert cost == pytest.approx(-stats.bernoulli.logpmf(answers, chance).sum())
    assert explain_discrete(data_of(answers), chance + 1, given).cost == np.inf


def test_what_may_be_counts_and_answers():
    assert are_counts(np.array([0.0, 1.0, 2.0]))
    for other in ([0.0, 1.0], [0.0, -1.0, 2.0], [0.5, 2.0]):
        assert not are_counts(np.array(other))
    assert are_yes_and_no(np.array([0.0, 1.0, 1.0]))
    for other in ([1.0, 1.0], [0.0, 0.0], [0.0, 2.0]):
        assert not are_yes_and_no(np.array(other))


def test_a_kind_that_is_given_is_taken_and_others_are_compared(rng):
    counts = data_of(rng.poisson(3.0, 40))
    assert discrete_kind(counts) == Noise("counts", 1.0)
    assert discrete_kind(replace(counts, given_noise=GivenNoise(Noise("constant", source="given")))) is None
    poisson = GivenNoise(Noise("counts", 1.0, source="given"), outliers=False)
    assert discrete_kind(replace(counts, given_noise=poisson)) == poisson.noise
    assert discrete_kind(replace(counts, given_noise=replace(poisson, outliers=True))) is None
    assert discrete_kind(data_of([0.0, 1.0, 1.0])) is None  # as numbers, unless it is said


@pytest.mark.parametrize(("is_poisson", "kind"), [(True, "counts"), (False, "constant")])
def test_small_counts_are_told_from_rounded_numbers(rng, is_poisson, kind):
    expected = np.linspace(0.5, 12, 300)
    y = rng.poisson(expected) if is_poisson else np.round(expected + 3 + rng.normal(0, 1.0, 300))
    values = expected if is_poisson else expected + 3
    data = data_of(np.maximum(y, 0))
    told = explain_target(data, data.y - values, values, 2, 0.0, discrete_kind(data))
    assert told.noise.kind == kind
