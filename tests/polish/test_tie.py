from __future__ import annotations

import pytest

from scalesr.evidence.refit import FitData, polished, refit
from scalesr.expr.fitting import Fit
from scalesr.expr.text import parse
from scalesr.polish.tie import tied
from scalesr.records.dataset import Dataset
from tests.evidence.tables import dataset


def polished_law(text: str, data: Dataset) -> Fit:
    rows = FitData(data)
    done = refit(parse(text), rows)
    assert done is not None
    return tied(polished(done, rows), rows)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_two_constants_that_are_one_become_one(noise: float) -> None:
    data = dataset(lambda x, y: 1.2345678 * (x + y), 800, (0.0, 2.0), (0.0, 2.0), noise=noise)
    assert str(polished_law("1.2*x0 + 1.3*x1", data).skeleton) == "C*(x0 + x1)"


def test_constants_that_differ_stay_apart() -> None:
    data = dataset(lambda x, y: 1.2 * x + 1.3 * y, 2000, (0.0, 2.0), (0.0, 2.0), noise=0.05)
    assert len(polished_law("1.2*x0 + 1.3*x1", data).constants) == 2
