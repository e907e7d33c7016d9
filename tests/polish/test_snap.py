from __future__ import annotations

import math

import numpy as np
import pytest

from scalesr.evidence.refit import FitData, polished, refit
from scalesr.expr.fitting import Fit
from scalesr.expr.text import parse
from scalesr.polish.snap import snapped, tidied
from scalesr.records.dataset import Dataset
from scalesr.records.equation import Equation
from tests.evidence.tables import dataset


def polished_law(text: str, data: Dataset) -> Fit:
    rows = FitData(data)
    done = refit(parse(text), rows)
    assert done is not None
    return snapped(polished(done, rows), rows)


def test_an_exact_law_gets_its_numbers_back() -> None:
    data = dataset(lambda x, y: 1.35 * x * y + 5.5 * np.sin((x - 1) * (y - 1)), 500, (-3.0, 3.0), (-3.0, 3.0))
    done = polished_law("1.3*x0*x1 + 5*sin((x0 - 1.1)*(x1 - 0.9))", data)
    assert str(done.expression) == "1.35*x0*x1 + 5.5*sin((x0 - 1)*(x1 - 1))"
    assert len(done.constants) == 0


def test_multiples_of_pi_are_exact_to_the_last_digit() -> None:
    data = dataset(lambda x, y: x / (4 * math.pi * y**2), 300, (1.0, 5.0), (1.0, 5.0))
    assert polished_law("0.08*x0/x1^2", data).expression.constants[0] == 1 / (4 * math.pi)


def test_exponents_become_roots_and_whole_powers() -> None:
    data = dataset(lambda x, y: np.sqrt(x) * y**3, 300, (1.0, 5.0), (1.0, 5.0))
    assert polished_law("x0^0.52*x1^2.9", data).expression == parse("sqrt(x0)*x1^3")


def test_a_constant_that_is_no_simple_number_keeps_all_digits() -> None:
    value = 1.2345678901234567
    data = dataset(lambda x: value * x + 2, 300, (1.0, 5.0))
    done = polished_law("1.2*x0 + 1.9", data)
    assert done.constants == pytest.approx([value], rel=1e-14)
    assert done.expression.constants[1] == 2


def test_noise_does_not_pull_a_constant_to_a_number_that_the_rows_exclude() -> None:
    data = dataset(lambda x: 1.05 * x, 2000, (1.0, 5.0), noise=0.05)
    assert polished_law("x0*1.04", data).expression.constants[0] == pytest.approx(1.05, abs=0.01)


def test_with_noise_simple_numbers_are_taken_and_have_no_error() -> None:
    data = dataset(lambda x, y: 2 * np.sin(x) + 1.234 * y, 4000, (-3.0, 3.0), (-3.0, 3.0), noise=0.02)
    equation = Equation.from_fit(polished_law("1.9*sin(x0) + 1.2*x1", data), data.names)
    assert 2.0 in equation.constants
    assert sorted(equation.standard_errors > 0) == [False, True]


def test_a_root_of_a_power_is_written_as_the_power_that_it_is() -> None:
    x = np.linspace(0.5, 9, 12)
    rows = FitData(Dataset.from_table(x[:, np.newaxis], 366.65 * x**1.5 * (1 + 1e-3 * np.sin(7 * x))))
    done = tidied(rows.fit(parse("sqrt(x0^3*C)"), start=np.array([1e5])), rows)
    assert str(done.skeleton) == "C*x0^1.5"
    assert done.constants == pytest.approx([366.65], rel=1e-3)


def test_a_law_is_not_written_out_where_that_takes_more_symbols():
    """Reading 1.0015 as 1 leaves t0*(0.15*(v/c)^4 + 1), and not t0 + 0.15*t0*v^4/c^4, which costs more."""
    rng = np.random.default_rng(0)
    X = rng.uniform([5, 500, 1000], [30, 2500, 2000], (1600, 3))
    clean = X[:, 0] * (1 + 0.15 * (X[:, 1] / X[:, 2]) ** 4)
    data = Dataset.from_table(X, clean + 0.1 * clean.std() * rng.standard_normal(1600))
    rows = FitData(data)
    before = rows.fit(parse("x0*(0.15/(x2/x1)^4 + 1)", data.names).skeleton())
    after = snapped(before, rows)
    assert len(after.constants) == 1
    assert after.expression.n_nodes <= before.expression.n_nodes
