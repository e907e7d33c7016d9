"""What few rows can tell of a law, against rows of pure noise and formulas made for them."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.leave_one_out import leave_one_out_loss
from scalesr.evidence.refit import FitData
from scalesr.evidence.significance import expected_by_chance, holds_on, is_significant, roughness
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset


def rows(n_rows: int, seed: int, noise: float, law=lambda x: 3 * x**1.5) -> Dataset:
    rng = np.random.default_rng(seed)
    x = np.linspace(0.5, 6, n_rows)
    return Dataset.from_table(x[:, np.newaxis], law(x) * (1 + noise * rng.normal(size=n_rows)))


def test_six_rows_of_a_power_law_are_no_chance() -> None:
    data = rows(6, 0, 0.02)
    assert is_significant(FitData(data).fit(parse("C*x0^C")), data)


@pytest.mark.parametrize("form", ["C*x0^C", "C*x0 + C", "C*log(x0) + C", "C*exp(C*x0)"])
def test_short_formulas_on_noise_are_called_chance_as_often_as_promised(form: str) -> None:
    lucky = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        data = Dataset.from_table(rng.uniform(0.5, 6, (12, 1)), rng.normal(size=12))
        lucky += expected_by_chance(FitData(data).fit(parse(form)), data) < 0.1
    assert lucky <= 4  # of 200, where one formula in 4^3 or more of its size may do so at one table in ten


def test_a_formula_with_a_pole_or_a_wave_between_the_rows_is_not_believed() -> None:
    x = np.linspace(0.5, 6, 12)
    data = Dataset.from_table(x[:, np.newaxis], np.tan(x**6))
    wild = FitData(data).fit(parse("C*tan(x0^6)"))
    assert expected_by_chance(wild, data) < 1e-6
    assert not is_significant(wild, data)


def test_roughness_is_small_for_what_the_rows_can_follow_and_large_for_what_they_cannot() -> None:
    data = rows(30, 0, 0.0)
    assert roughness(parse("sin(2*x0)"), data) < 0.1
    assert roughness(parse("sin(40*x0)"), data) > 0.5
    assert roughness(parse("1/(x0 - 3.01)"), data) > 0.5


def test_held_back_rows_tell_a_law_from_a_formula_of_noise() -> None:
    held = rows(40, 1, 0.1)
    assert holds_on(parse("3*x0^1.5"), held, float(held.y.mean()))
    assert not holds_on(parse("20*sin(37*x0) + 20"), held, float(held.y.mean()))


def test_a_law_without_slopes_on_some_row_predicts_nothing() -> None:
    data = Dataset.from_table(np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), np.array([0.0, 1.0, 1.4, 1.7, 2.0]))
    assert leave_one_out_loss(FitData(data).fit(parse("C*abs(x0)^C"), start=np.array([1.0, -1e308])), data) >= 0


def test_a_pole_in_a_gap_between_rows_is_seen_even_where_each_row_has_a_nearer_neighbour() -> None:
    x = np.array([1.0, 1.3, 2.4, 2.9, 3.1, 3.4, 3.9])
    data = Dataset.from_table(x[:, np.newaxis], x)
    assert roughness(parse("0.2/(x0 - 1.4)"), data) > 0.5
    assert roughness(parse("0.2/(x0 + 1.4)"), data) < 0.1
