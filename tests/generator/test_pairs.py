from dataclasses import replace

import numpy as np
import pytest

from scalesr.generator import kernel
from scalesr.generator.config import GENERATOR
from scalesr.generator.features import fit_features
from scalesr.generator.find_metric import find_metric
from scalesr.generator.kernel import fit_kernel
from scalesr.generator.pair_model import fit_pairs
from scalesr.generator.pairs import find_pairs, refine_pairs
from tests.generator.slopes import by_difference

RNG = np.random.default_rng(0)
Z = RNG.uniform(-1.7, 1.7, (2200, 2))


def wavy(Z):
    return np.sin(2 * Z[:, 0]) * Z[:, 1] + Z[:, 0] ** 2


def features(Z, t, weights=None):
    metric = find_metric(Z[:100], t[:100])
    return fit_features(Z, t, metric, n_features=150, rng=np.random.default_rng(1), weights=weights)


def process(Z, t, weights=None):
    return fit_kernel(Z, t, find_metric(Z[:100], t[:100]), rng=np.random.default_rng(1), weights=weights)


def pairs(Z, t, weights=None):
    metric = find_pairs(Z[:100], t[:100])
    return fit_pairs(Z, t, metric, most_rows=800, rng=np.random.default_rng(1), weights=weights)


MODELS = [(features, 1000, 1e-6), (process, 600, 1e-4), (process, 2000, 1e-4), (pairs, 1000, 1e-4)]


@pytest.mark.parametrize(("fit", "n_rows", "most"), MODELS)
def test_values_and_derivatives_of_a_smooth_function(fit, n_rows, most):
    model, fresh = fit(Z[:n_rows], wavy(Z[:n_rows])), Z[2000:]
    assert np.std(model.values(fresh) - wavy(fresh)) < most
    slopes = model.gradient(fresh)
    np.testing.assert_allclose(slopes, by_difference(model.values, fresh), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(slopes, by_difference(wavy, fresh), atol=100 * most)


@pytest.mark.parametrize(("fit", "n_rows", "most"), MODELS)
def test_noise_is_smoothed_not_learned(fit, n_rows, most, rng):
    noisy = wavy(Z) + 0.1 * rng.normal(size=len(Z))
    model = fit(Z[:n_rows], noisy[:n_rows])
    assert np.std(model.values(Z[2000:]) - wavy(Z[2000:])) < 0.04


@pytest.mark.parametrize(("fit", "n_rows", "most"), MODELS)
def test_rows_of_little_weight_do_not_matter(fit, n_rows, most, rng):
    bad = np.arange(n_rows) % 4 == 0
    t = wavy(Z[:n_rows]) + 0.5 * bad * rng.normal(size=n_rows)
    plain, weighted = fit(Z[:n_rows], t), fit(Z[:n_rows], t, np.where(bad, 1e-4, 1.0))
    errors = [np.std(model.values(Z[2000:]) - wavy(Z[2000:])) for model in (plain, weighted)]
    assert errors[1] < 0.5 * errors[0]


@pytest.mark.parametrize(("fit", "n_rows", "most"), MODELS)
def test_refitting_follows_other_rows(fit, n_rows, most):
    model = fit(Z[:n_rows], wavy(Z[:n_rows]))
    again = model.refitted(Z[:n_rows], 3 - wavy(Z[:n_rows]), None, rng=np.random.default_rng(2))
    assert np.std(again.values(Z[2000:]) - 3 + wavy(Z[2000:])) < 2 * most


def test_a_process_through_centres_comes_near_the_exact_one(monkeypatch, rng):
    t = wavy(Z[:1000]) + 0.05 * rng.normal(size=1000)
    exact = process(Z[:1000], t).values(Z[2000:])
    monkeypatch.setattr(kernel, "GENERATOR", replace(GENERATOR, most_exact=100))
    through = process(Z[:1000], t).values(Z[2000:])
    assert np.std(exact - through) < 0.01


def test_sums_over_pairs_of_eight_variables_are_learned_from_few_rows(rng):
    wide = rng.uniform(-1.7, 1.7, (1500, 8))
    law = wide[:, 0] * wide[:, 1] - wide[:, 2] * np.sin(wide[:, 3]) + wide[:, 4] * wide[:, 7] ** 2
    t = (law - law.mean()) / law.std()
    metric = refine_pairs(find_pairs(wide[:150], t[:150]), wide[:300], t[:300])
    model = fit_pairs(wide[:1000], t[:1000], metric, most_rows=1000, rng=np.random.default_rng(1))
    assert np.std(model.values(wide[1000:]) - t[1000:]) < 1e-2


def test_a_product_of_three_is_no_sum_over_pairs(rng):
    wide = rng.uniform(-1.7, 1.7, (1500, 3))
    model = pairs(wide[:1000], wide.prod(axis=1)[:1000])
    assert np.std(model.values(wide[1000:]) - wide.prod(axis=1)[1000:]) > 0.5


def test_more_steps_on_more_rows_do_not_make_the_metric_of_pairs_less_likely():
    t = wavy(Z[:200])
    found = find_pairs(Z[:60], t[:60])
    assert refine_pairs(found, Z[:60], t[:60]).cost <= found.cost
