from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.score import Evidence
from scalesr.expr.fitting import fit
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset


def table(n_rows: int, noise: float, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.1, 0.9, n_rows)
    return Dataset.from_table(x[:, np.newaxis], 1 / np.sqrt(1 - x**2) + noise * rng.standard_normal(n_rows))


def score(data: Dataset, text: str) -> float:
    return Evidence(data).score(fit(parse(text, ["x"]), data.table, data.y)).promise


@pytest.mark.parametrize("n_rows", [10, 29, 30, 31, 399, 401, 3000])
def test_the_true_form_with_constants_to_be_read_beats_an_expansion_at_any_number_of_rows(n_rows: int) -> None:
    data = table(n_rows, 1e-4)
    assert score(data, "(C + C*x^2)^C") < score(data, "C + C*x + C*x^2 + C*x^3 + C*x^4")


def test_the_evidence_for_the_truth_grows_with_the_rows() -> None:
    lead = [
        score(table(n, 0.02), "C + C*x + C*x^2") - score(table(n, 0.02), "(C + C*x^2)^C")
        for n in (30, 100, 1000, 10_000)
    ]
    assert lead == sorted(lead)


@pytest.mark.parametrize("unit", [1e-30, 1e25])
def test_units_do_not_change_which_law_is_better(unit: float) -> None:
    data = table(200, 0.01)
    other = Dataset.from_table(data.table * 1e6, data.y * unit)
    forms = ("C*x^C + C", "C*exp(C*x)")
    leads = [score(rows, forms[0]) - score(rows, forms[1]) for rows in (data, other)]
    assert leads[0] == pytest.approx(leads[1], abs=12)  # numbers that read as simple ones in one unit do not in another
    assert np.sign(leads[0]) == np.sign(leads[1])


def test_a_useless_constant_costs_more_than_it_gains_with_and_without_outliers() -> None:
    rng = np.random.default_rng(1)
    for bad in (0.0, 0.05):
        data = table(1000, 0.002)
        y = np.where(rng.random(1000) < bad, data.y + 0.3 * rng.standard_normal(1000), data.y)
        rows = Dataset.from_table(data.table, y, weights=(y == data.y).astype(float) + 1e-6 if bad else None)
        assert score(rows, "C/sqrt(1 - x^2)") < score(rows, "C/sqrt(1 - x^2) + C")


def test_fewer_rows_than_constants_explain_nothing() -> None:
    data = table(3, 0.01)
    assert score(data, "C + C*x + C*x^2 + C*x^3") == np.inf
