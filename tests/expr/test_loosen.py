from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.loosen import loosened
from scalesr.expr.text import parse
from tests.evidence.tables import archive_of, dataset


@pytest.mark.parametrize(
    ("text", "loose"),
    [
        ("x0 + sin(x1)", "1*x0 + 1*sin(x1) + 0"),
        ("2*x0 - x1/3 + 5", "2*x0 - x1/3 + 5"),
        ("x0*x1", "1*(x0*x1) + 0"),
        ("exp(x0 + x1)", "1*exp(x0 + x1) + 0"),
    ],
)
def test_every_term_of_the_outermost_sum_gets_a_factor(text: str, loose: str) -> None:
    assert loosened(parse(text)) == parse(loose)


def test_values_stay_the_same() -> None:
    X = np.random.default_rng(0).uniform(1, 2, (20, 2))
    for text in ("x0 - (x1 - 3)*x0", "-x0 + x1^2", "sqrt(x0) - 2*(x0 + x1)"):
        assert np.allclose(evaluate(loosened(parse(text)), X), evaluate(parse(text), X), rtol=1e-15)


def test_a_law_proposed_without_its_coefficients_is_found() -> None:
    data = dataset(lambda x, y: 3 * x + 2 * np.sin(y), 300, (1.0, 4.0), (1.0, 4.0))
    assert str(archive_of(data, "x0 + sin(x1)").best.equation) == "3*x0 + 2*sin(x1)"
