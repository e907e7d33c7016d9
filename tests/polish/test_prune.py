from __future__ import annotations

import numpy as np

from scalesr.evidence.refit import FitData, polished, refit
from scalesr.expr.expression import Expression
from scalesr.expr.text import parse
from scalesr.polish.prune import pruned
from scalesr.records.dataset import Dataset
from tests.evidence.tables import dataset


def polished_law(text: str, data: Dataset) -> Expression:
    rows = FitData(data)
    done = refit(parse(text), rows)
    assert done is not None
    return pruned(polished(done, rows), rows).expression


def test_terms_that_carry_nothing_go_from_an_exact_law() -> None:
    data = dataset(lambda x, y: 1.5 * x * y + np.sin(x), 400, (-2.0, 2.0), (-2.0, 2.0))
    law = polished_law("1.5*x0*x1 + sin(x0) + 0.01*x1^2 + 0.02*cos(x1) + 0.1", data)
    assert law.skeleton() == parse("C*x0*x1 + sin(x0)") or law.n_nodes <= 10


def test_noise_is_not_written_into_the_law() -> None:
    data = dataset(lambda x, y: 2 * x + y**2, 600, (-2.0, 2.0), (-2.0, 2.0), noise=0.1)
    law = polished_law("2*x0 + 1.1*x1^2 + 0.1*x1^3 + 0.1*sin(x0*x1) + 0.1*x0^3 + 0.2", data)
    assert law.n_nodes <= 9
    assert law.variables == (0, 1)


def test_a_small_term_that_the_rows_ask_for_stays() -> None:
    data = dataset(lambda x: x + 0.05 * np.sin(5 * x), 800, (-2.0, 2.0), noise=0.01)
    law = polished_law("0.9*x0 + 0.04*sin(5*x0)", data)
    assert "sin" in str(law)


def test_a_coefficient_is_not_dropped_because_it_is_nearly_one() -> None:
    data = dataset(lambda x, y: 1.15 * x + y**3, 1000, (-2.0, 2.0), (-2.0, 2.0), noise=0.1)
    assert len(polished_law("1.1*x0 + 0.9*x1^3", data).constants) == 2


def test_a_law_of_one_value_becomes_a_constant() -> None:
    rng = np.random.default_rng(1)
    data = Dataset.from_table(rng.uniform(1, 2, (200, 1)), 3 + 0.1 * rng.normal(size=200))
    assert polished_law("2.9*x0^0.01 + 0.02*sin(x0)", data).variables == ()
