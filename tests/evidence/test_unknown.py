from __future__ import annotations

import math

import numpy as np
import pytest

from scalesr.evidence.unknown import UnknownLaw, share_of_known
from scalesr.evidence.verdict import judge, probability_of
from scalesr.generator.smooth_cost import smooth_cost
from scalesr.polish.finish import finish
from scalesr.records.dataset import Dataset
from tests.evidence.tables import archive_of, dataset

BOX = ((0.5, 3.0), (0.5, 3.0))


@pytest.mark.parametrize("n_rows", [20, 60, 200, 1000])
@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_the_true_law_is_ahead_of_a_smooth_function_on_few_rows_and_on_many(n_rows: int, noise: float) -> None:
    data = dataset(lambda x, y: 2.5 * np.sin(2 * x) / y, n_rows, *BOX, noise=noise)
    archive = archive_of(data, "2*sin(2.1*x0)/x1")
    archive.unknown = UnknownLaw.of(archive.rows, smooth_cost)
    assert archive.lead_of(archive.best_candidate) > 0


@pytest.mark.parametrize("n_rows", [20, 60, 200, 1000])
def test_an_approximation_of_clean_rows_is_behind_and_improbable(n_rows: int) -> None:
    data = dataset(lambda x, y: np.exp(-x) * (1 + y), n_rows, *BOX)
    archive = archive_of(data, "x1/x0")
    finish(archive)
    verdict, _ = judge(archive)
    without, _ = probability_of(archive, verdict)
    archive.unknown = UnknownLaw.of(archive.rows, smooth_cost)
    assert archive.lead_of(archive.best_candidate) < 0
    verdict, _ = judge(archive)
    assert probability_of(archive, verdict)[0] < 0.5 * without


def test_units_of_the_target_do_not_move_the_lead() -> None:
    data = dataset(lambda x, y: 2.5317 * x * y, 40, *BOX, noise=0.1)
    leads = []
    for unit in (1.0, 1e-20, 1e20):
        scaled = Dataset.from_table(data.table, unit * data.y)
        archive = archive_of(scaled, f"{2 * unit:.1e}*x0*x1")
        archive.unknown = UnknownLaw.of(archive.rows, smooth_cost)
        leads.append(archive.lead_of(archive.best_candidate))
    assert leads == pytest.approx([leads[0]] * 3, abs=0.5)


def test_without_anything_to_learn_there_is_no_unknown_law() -> None:
    for y in (np.full(50, 3.0), np.array([1.0, 2.0, 4.0])):
        data = Dataset.from_table(np.random.default_rng(0).normal(size=(len(y), 1)), y)
        archive = archive_of(data, "x0")
        assert UnknownLaw.of(archive.rows, smooth_cost) is None
        assert archive.lead_of(archive.best_candidate) == math.inf


def test_a_lead_is_turned_into_odds() -> None:
    assert share_of_known(math.log(3)) == pytest.approx(0.75)
    assert share_of_known(math.inf) == 1.0
    assert share_of_known(-1e6) == pytest.approx(0.0, abs=1e-300)
