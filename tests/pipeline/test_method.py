"""The order of the method: which views of the rows are gone through, and what each may take."""

from dataclasses import replace

import pytest

from scalesr.pipeline import method
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.outcome import Ending


@pytest.fixture
def looked_at(monkeypatch):
    """Whether each opening that the work went on from had waves as columns, where rows always seem to show some."""
    seen: list[bool] = []
    monkeypatch.setattr(method, "waves_as_columns", lambda _, here: replace(here))
    monkeypatch.setattr(method, "continue_from", lambda _, begun, again: seen.append(begun[-1].has_waves))
    return seen


def noise_alone(rng) -> Dataset:
    return Dataset.from_table(rng.uniform(1, 3, (200, 2)), rng.standard_normal(200))


def test_rows_are_looked_at_as_they_are_where_waves_did_not_give_the_law(looked_at, rng):
    method.discover(noise_alone(rng), Settings(time_limit=None), rng=rng)
    assert looked_at == [True, False]


def test_waves_that_use_up_their_share_leave_work_for_the_rows_as_they_are(monkeypatch, rng):
    seen: list[bool] = []

    def work_without_end(run, begun, again) -> None:
        seen.append(begun[-1].has_waves)
        while begun[-1].has_waves:
            run.stop.spend(1e5)
            run.check()

    monkeypatch.setattr(method, "waves_as_columns", lambda _, here: replace(here))
    monkeypatch.setattr(method, "continue_from", work_without_end)
    found = method.discover(noise_alone(rng), Settings(time_limit=None, max_work=1e6), rng=rng)
    assert seen == [True, False]
    assert found.ending is Ending.COMPLETE
