"""Tables of 15 rows: clean ones have a law that can be found, and what only comes near it is not called noise."""

from __future__ import annotations

import numpy as np
import pytest

from scalesr.expr.evaluate import evaluate
from scalesr.expr.text import parse
from scalesr.pipeline.method import discover
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.discovery import Verdict

LAWS = {
    "a*(p - q) + b*(p^2 - q^2)": {"a": (10, 60), "p": (300, 900), "q": (250, 320), "b": (0.001, 0.05)},
    "exp(a + b*s + c*x - d*x^2)": {
        "a": (0.5, 1.5), "b": (0.05, 0.12), "s": (8, 20), "c": (0.02, 0.06), "x": (0, 40), "d": (2e-4, 8e-4),
    },
}  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_a_law_of_many_columns_is_found_on_fifteen_clean_rows(law: str) -> None:
    names, ranges = tuple(LAWS[law]), np.array(list(LAWS[law].values()))
    table = np.random.default_rng(1).uniform(ranges[:, 0], ranges[:, 1], (15, len(names)))
    data = Dataset.from_table(table, evaluate(parse(law, names), table), names=names)
    found = discover(data, Settings(time_limit=None), rng=np.random.default_rng(0))
    assert found.verdict is Verdict.EXACT, str(found.equation)


def test_what_comes_near_a_law_of_clean_rows_is_not_called_noise() -> None:
    table = np.random.default_rng(2).uniform(0.5, 3, (15, 3))
    y = np.sinh(table[:, 0]) / (1 + table[:, 1] ** 2.3) + np.tan(table[:, 2] / 2.2)
    found = discover(Dataset.from_table(table, y), Settings(time_limit=None, max_work=60), rng=np.random.default_rng(0))
    assert found.verdict is Verdict.APPROXIMATE, str(found.equation)
    assert found.probability < 0.5
