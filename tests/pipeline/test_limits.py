"""Limits end a run wherever it works: time in any thread, counted work at the same place every time."""

import os
import random
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scalesr.pipeline import discover
from scalesr.records.config import Settings
from scalesr.records.dataset import Dataset
from scalesr.records.outcome import Ending
from scalesr.records.stop import Stop
from scalesr.search.scoring import Scorer

LIMITED = Settings(time_limit=None, max_work=8.0)


def hard_table():
    """Rows that keep the searches busy for minutes."""
    rng = np.random.default_rng(0)
    X = rng.uniform(1, 3, (60, 2))
    y = np.sin(X[:, 0] ** 2 * X[:, 1]) * X[:, 1] ** 1.7 + np.exp(np.cos(3 * X[:, 0])) + 0.05 * rng.normal(size=60)
    return Dataset.from_table(X, y)


@pytest.fixture(scope="module")
def hard():
    return hard_table()


def found(data, settings):
    return discover(data, settings, rng=np.random.default_rng(0))


def results(discovery):
    """Everything but seconds: the law to its last bit, the Pareto front and the whole story."""
    front = [(law.equation.text(), law.loss) for law in discovery.front]
    story = [(step.stage, step.summary, step.rejected) for step in discovery.trace]
    return discovery.equation, front, discovery.verdict, discovery.probability, discovery.ended, story


@pytest.fixture(scope="module")
def cut(hard):
    return found(hard, LIMITED)


def test_a_run_that_work_cuts_says_so(cut):
    assert cut.ending is Ending.WORK
    assert cut.ended == "The limit of 8 units of work was reached."


def test_a_run_that_work_cuts_is_the_same_each_time_and_with_any_number_of_workers(hard, cut):
    assert results(found(hard, replace(LIMITED, n_jobs=2))) == results(cut)


@pytest.fixture
def leaping_clock(monkeypatch):
    """A clock of a machine that does much else: between two looks at it minutes may go by."""
    now, steps = [0.0], random.Random(1)

    def look() -> float:
        now[0] += steps.expovariate(1.0)
        return now[0]

    monkeypatch.setattr(time, "monotonic", look)
    for kept in (Stop, Scorer):
        monkeypatch.setitem(kept.__init__.__kwdefaults__, "clock", look)
    return now


def test_a_run_that_work_cuts_is_the_same_whatever_the_clock_says(hard, cut, leaping_clock):
    assert results(found(hard, LIMITED)) == results(cut)
    assert leaping_clock[0] > 10.0  # it was looked at


def test_a_run_that_work_cuts_is_the_same_in_another_process(cut):
    """Each process orders sets of names in its own way; here the seed of that is given."""
    code = f"from {__name__} import *; print(results(found(hard_table(), LIMITED)))"
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    assert done.stdout.strip() == str(results(cut))


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
