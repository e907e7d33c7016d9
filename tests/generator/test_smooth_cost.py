from __future__ import annotations

import math

import numpy as np
import pytest

from scalesr.generator.smooth_cost import smooth_cost
from scalesr.records.dataset import Dataset
from scalesr.records.stop import Stop, Stopped


def table(n_rows: int, noise: float) -> Dataset:
    rng = np.random.default_rng(n_rows)
    X = rng.uniform(1, 3, (n_rows, 2))
    y = np.exp(0.5 * X[:, 0]) + X[:, 1]
    return Dataset.from_table(X, y + noise * y.std() * rng.normal(size=n_rows))


def test_pure_noise_costs_about_as_much_as_a_normal_distribution() -> None:
    rng = np.random.default_rng(1)
    y = 3 * rng.normal(size=80)
    normal = 40 * (1 + math.log(2 * math.pi * y.var()))
    cost = smooth_cost(Dataset.from_table(rng.normal(size=(80, 2)), y))
    assert normal - 5 < cost < normal + 25  # what was tuned is paid for


def test_rows_cost_the_less_the_smaller_their_noise() -> None:
    costs = [smooth_cost(table(80, noise)) for noise in (0.5, 0.1, 0.02)]
    assert costs[0] > costs[1] + 60 > costs[2] + 120


def test_a_unit_of_the_target_costs_its_logarithm_for_each_row() -> None:
    data = table(40, 0.1)
    scaled = Dataset.from_table(data.table, 1000 * data.y)
    assert smooth_cost(scaled) - smooth_cost(data) == pytest.approx(40 * math.log(1000), abs=0.5)


def test_a_stop_ends_it() -> None:
    stop = Stop(seconds=None)
    stop.cancel()
    with pytest.raises(Stopped):
        smooth_cost(table(40, 0.1), check=stop.check)
