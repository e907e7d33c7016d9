"""Laws that a kind of step is for, each found by counted work: without the step they are not."""

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
    "lines that meet in a point": (
        "low + (high - low)*(1 + g^2)^((n - 1)/2)",
        {"low": (0.01, 0.1), "high": (1, 10), "g": (0.1, 9), "n": (0.2, 0.9)},
    ),
    "the logarithm of the target": (
        "v*exp(a/b*(1 - exp(-b*t)))",
        {"v": (1, 10), "a": (0.2, 1), "b": (0.1, 1), "t": (0, 8)},
    ),
    "a power that is a column": ("v*s^n/(k^n + s^n)", {"v": (1, 10), "s": (0.1, 10), "n": (1, 4), "k": (0.5, 5)}),
    "a part of one argument with constants": ("1/log(e^1.11 + 29.5/r)^2", {"e": (1e-5, 0.03), "r": (5e3, 1e6)}),
}
N_ROWS = 500
FEWER = {"a part of one argument with constants": 120}


@pytest.mark.parametrize("step", LAWS)
def test_the_law_is_found(step: str) -> None:
    text, box = LAWS[step]
    rng = np.random.default_rng(3)
    table = np.column_stack([rng.uniform(*bounds, FEWER.get(step, N_ROWS)) for bounds in box.values()])
    y = evaluate(parse(text, list(box)), table)
    found = discover(
        Dataset.from_table(table, y, names=list(box)), Settings(time_limit=None, max_work=150_000.0), rng=rng
    )
    assert found.verdict is Verdict.EXACT
