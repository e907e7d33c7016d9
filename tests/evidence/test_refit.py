from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.config import EVIDENCE
from scalesr.evidence.refit import FitData, polished, refit, without_redundant
from scalesr.evidence.score import written_numbers
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset
from tests.evidence.tables import dataset


def test_constants_start_from_their_values_where_own_starts_would_miss() -> None:
    data = dataset(lambda x: np.sin(40 * x + 1) + 0.3 * x, 400, (0.0, 3.0))
    done = refit(parse("0.9*sin(40.1*x0 + 0.9) + 0.2*x0"), FitData(data))
    assert done is not None
    assert done.rss < 1e-20


def test_a_constant_on_the_wrong_side_of_a_pole_is_found() -> None:
    data = dataset(lambda x: x**3 / (np.exp(x) - 1), 500, (0.001, 8.0))
    done = refit(parse("0.97*x0^3/(exp(1.05*x0) - 1.06)"), FitData(data))
    assert done is not None
    assert done.constants == pytest.approx([1, 1, 1], rel=1e-9)


def test_weights_decide_between_two_laws_in_one_table() -> None:
    x = np.linspace(1, 2, 40)
    y = np.where(np.arange(40) < 20, 3 * x, 5 * x)
    weights = np.where(np.arange(40) < 20, 1.0, 1e-12)
    done = refit(parse("4*x0"), FitData(Dataset.from_table(x[:, np.newaxis], y, weights=weights)))
    assert done is not None
    assert done.constants[0] == pytest.approx(3, abs=1e-9)


def test_redundant_constants_go_and_the_law_stays() -> None:
    data = dataset(lambda x, y: 2.2 * np.exp(0.7 * x - 0.3) * y, 300, (0.0, 2.0), (1.0, 2.0))
    done = refit(parse("2*exp(0.6*x0 + 0.5)*1.5*x1"), FitData(data))
    assert done is not None
    shorter = without_redundant(done, FitData(data))
    assert shorter.rank == len(shorter.constants) == 2
    assert shorter.rss < 1e-22


def test_a_formula_without_values_on_some_row_has_no_fit() -> None:
    data = dataset(lambda x: x, 50, (-1.0, 1.0))
    assert refit(parse("log(x0)"), FitData(data)) is None


def test_a_large_table_is_fitted_on_few_rows_and_then_on_all() -> None:
    data = dataset(lambda x: 2 * x, 4 * EVIDENCE.first_fit_rows, (0.0, 1.0), noise=0.1)
    rows = FitData(data)
    first = refit(parse("x0*1.5"), rows)
    assert first is not None
    assert first.n_rows == EVIDENCE.first_fit_rows
    best = data.columns[0] @ data.y / (data.columns[0] @ data.columns[0])
    assert polished(first, rows).constants[0] == pytest.approx(best, rel=1e-12)
    assert abs(first.constants[0] - best) > 1e-6


def test_shortening_stays_within_the_operators() -> None:
    data = dataset(lambda x: x, 50, (1.0, 2.0))
    law = parse("exp(0.5*log(x0))")
    assert str(FitData(data).tidied(law)) == "sqrt(x0)"
    assert str(FitData(data, Operators("paper")).tidied(law)) == "exp(0.5*log(x0))"


def test_a_power_is_paid_for_however_it_is_written() -> None:
    square, cube, fourth, broken = (written_numbers(parse(f"C*x0^{power}")) for power in ("2", "3", "4", "3.5"))
    assert square < cube < fourth < broken
