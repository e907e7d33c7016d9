from __future__ import annotations

import numpy as np
import pytest

from scalesr.evidence.refit import FitData, polished, refit
from scalesr.expr.fitting import Fit
from scalesr.expr.operators import Operators
from scalesr.expr.text import parse
from scalesr.polish.bases import based
from scalesr.records.dataset import Dataset
from tests.evidence.tables import dataset


def with_bases(text: str, data: Dataset, operators: Operators | None = None) -> Fit:
    rows = FitData(data, operators)
    done = refit(parse(text), rows)
    assert done is not None
    return based(polished(done, rows), rows)


@pytest.mark.parametrize(
    ("base", "noise", "written"), [(2.0, 0.0, "2^x0"), (10.0, 0.0, "10^x0"), (2.0, 0.01, "2^x0"), (0.5, 0.0, "2^(-x0)")]
)
def test_doublings_halvings_and_decades_are_written_as_such(base: float, noise: float, written: str) -> None:
    data = dataset(lambda x: 0.3 * base**x + 0.4, 60, (-1.0, 4.0), noise=noise)
    done = with_bases(f"0.29*exp({np.log(base) * 1.01}*x0) + 0.41", data)
    assert written in str(done.expression)
    assert len(done.constants) == 2


def test_the_planets_of_bode_double_their_distances() -> None:
    n = np.array([-1000.0, 0, 1, 2, 3, 4, 5, 6])
    a = np.array([0.39, 0.72, 1, 1.52, 2.77, 5.2, 9.58, 19.22])
    done = with_bases("0.28*exp(0.7*x0) + 0.43", Dataset.from_table(n[:, np.newaxis], a))
    assert done.skeleton == parse("C*2^x0 + C")
    assert done.constants == pytest.approx([0.3, 0.4], rel=0.03)


@pytest.mark.parametrize("rate", [0.72, 1.0, 2.2])
def test_another_rate_stays_what_it_is(rate: float) -> None:
    data = dataset(lambda x: 0.3 * np.exp(rate * x) + 0.4, 60, (-1.0, 4.0), noise=0.001)
    assert "exp" in str(with_bases(f"0.29*exp({rate}*x0) + 0.41", data).expression)


def test_a_user_who_left_out_powers_gets_none() -> None:
    data = dataset(lambda x: 0.3 * 2**x + 0.4, 60, (-1.0, 4.0))
    assert "exp" in str(with_bases("0.3*exp(0.69*x0) + 0.4", data, Operators("+", "*", "exp")).expression)
