"""A law under errors of very different sizes is found by the right sample weights."""

import numpy as np
import pytest

from scalesr import ScaleSRRegressor
from scalesr.records.discovery import Verdict


def test_a_law_that_half_of_the_rows_hide_is_found_by_the_right_weights():
    rng = np.random.default_rng(0)
    X = rng.uniform(0.3, 3, (150, 1))
    sigma = np.where(rng.random(150) < 0.5, 0.003, 1.0)
    law = 2 * np.exp(-1.3 * X[:, 0]) + 0.5 * X[:, 0]
    y = law + sigma * rng.standard_normal(150)
    model = ScaleSRRegressor(random_state=0, time_limit=None, max_work=60).fit(X, y, sample_weight=sigma**-2)
    assert sorted(np.abs(model.equation_.constants)) == pytest.approx([0.5, 1.3, 2.0], rel=0.01)
    assert model.discovery_.verdict is Verdict.WITHIN_NOISE
    assert np.abs(model.predict(X) - law).max() < 0.003
