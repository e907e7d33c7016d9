from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.identify import what_hides
from scalesr.expr.text import parse
from scalesr.records.dataset import Dataset

RNG = np.random.default_rng(0)
X = RNG.uniform(1, 2, (100, 2))


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (np.full(100, 7.0), "c has one value (7)"),
        (2.5 * X[:, 0], "a = 0.4*c on every row"),
        (3 - X[:, 0], "a = - c + 3 on every row"),
        (1e30 * X[:, 0], "a = 1e-30*c on every row"),
        (X[:, 0] + 2 * X[:, 1], "a = - 2*b + c on every row"),
    ],
)
def test_what_cannot_be_told_apart_is_said(column: np.ndarray, sentence: str) -> None:
    data = Dataset.from_table(np.column_stack([X, column]), X[:, 0], names=["a", "b", "c"])
    said = what_hides(parse("a*c", ["a", "b", "c"]), data)
    assert said is not None
    assert said.startswith(sentence)


def test_columns_that_differ_a_little_can_be_told_apart(rng: np.random.Generator) -> None:
    near = X[:, 0] * (1 + 1e-9 * rng.normal(size=100))
    data = Dataset.from_table(np.column_stack([X, near]), X[:, 0])
    assert what_hides(parse("x0 + x1 + x2"), data) is None


def test_a_relation_among_columns_that_the_law_does_not_use_is_no_matter() -> None:
    data = Dataset.from_table(np.column_stack([X, X[:, 1], np.ones(100)]), X[:, 0])
    assert what_hides(parse("x0^2"), data) is None
