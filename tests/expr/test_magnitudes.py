from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.refit import FitData
from scalesr.expr.magnitudes import without_needless_abs
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset

TABLE = np.column_stack([np.linspace(1, 3, 20), np.linspace(-3, -1, 20), np.linspace(-1, 1, 20)])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("log(abs(x0))", "log(x0)"),
        ("3*abs(x1) + x0", "3*(-x1) + x0"),
        ("abs(x2)*x0", "abs(x2)*x0"),
        ("abs(abs(x1) - 4)", "-(-x1 - 4)"),
    ],
)
def test_absolute_values_go_where_the_sign_is_the_same_on_all_rows(given: str, expected: str) -> None:
    assert without_needless_abs(parse(given), TABLE) == parse(expected)


def test_a_root_of_a_square_is_taken_out_without_an_operator_that_was_not_asked_for() -> None:
    data = Dataset.from_table(TABLE[:, :1], TABLE[:, 0])
    tidied = FitData(data, Operators("+", "*", "/", "sqrt", "powi")).tidied(parse("5/sqrt(1/x0 + 7/x0^2)"))
    assert tidied == parse("5*x0/sqrt(x0 + 7)")
