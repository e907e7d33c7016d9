"""Limits end a run wherever it works: time in any thread, counted work at the same place every time."""

import threading
from dataclasses import replace

import numpy as np
import pytest

from scalesr.pipeline import discover
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.outcome import Ending

LIMITED = Settings(time_limit=None, max_work=8.0)


@pytest.fixture(scope="module")
def hard():
    """Rows that keep the searches busy for minutes."""
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 3, (60, 2))
    y = np.sin(X[:, 0] ** 2 * X[:, 1]) * X[:, 1] ** 1.7 + np.exp(np.cos(3 * X[:, 0])) + 0.05 * rng.normal(size=60)
    return Dataset.from_table(X, y)


def found(data, settings):
    return discover(data, settings, rng=np.random.default_rng(0))


def results(discovery):
    return str(discovery.equation), [(str(law.equation), law.loss) for law in discovery.front]


@pytest.fixture(scope="module")
def cut(hard):
    return found(hard, LIMITED)


def test_a_run_that_work_cuts_says_so(cut):
    assert cut.ending is Ending.WORK
    assert cut.ended == "The limit of 8 units of work was reached."


def test_a_run_that_work_cuts_is_the_same_each_time_and_with_any_number_of_workers(hard, cut):
    assert results(found(hard, replace(LIMITED, n_jobs=2))) == results(cut)


def test_a_longer_run_goes_the_same_way_first(hard, cut):
    longer = found(hard, replace(LIMITED, max_work=12.0))
    assert [step.summary for step in cut.trace[:3]] == [step.summary for step in longer.trace[:3]]
    assert len(longer.trace) >= len(cut.trace)


def test_a_time_limit_holds_outside_the_main_thread(hard):
    done = []
    thread = threading.Thread(target=lambda: done.append(found(hard, Settings(time_limit=0.3))))
    thread.start()
    thread.join()
    assert done[0].ending is Ending.TIME
    assert done[0].ended == "The time limit of 0.3 s was reached."
