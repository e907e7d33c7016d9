import json
import math

import pytest

pytest.importorskip("filelock")

from scalesr.records.budget import Progress
from scalesr.runs.progress import MOST_HISTORY, ProgressFile
from scalesr.runs.project import Project


@pytest.fixture
def run(tmp_path):
    return Project.opened(tmp_path).create("a.csv", [b"1"])


def at(seconds: float, error: float) -> Progress:
    return Progress("search", 3, seconds, "2*x", error, "x", 10.0)


def test_progress_is_written_now_and_then(run):
    now = 0.0
    told = ProgressFile(run, before=5.0, clock=lambda: now)
    told(at(0.0, math.inf))
    assert run.values("progress")["error"] is None
    told(at(0.1, 0.5))
    assert run.values("progress")["error"] is None  # too soon after the first
    now = 1.0
    told(at(1.0, 0.25))
    said = run.values("progress")
    assert (said["where"], said["seconds"], said["error"], said["law"]) == ("Searching formulas in x", 6.0, 0.25, "2*x")
    assert said["history"] == [[5.1, 0.5], [6.0, 0.25]]


def test_a_long_history_is_thinned_and_keeps_its_end(run):
    now = 0.0
    told = ProgressFile(run, clock=lambda: now)
    for place in range(5 * MOST_HISTORY):
        told(at(place, 1 / (1 + place)))
    now = 10.0
    told(at(5 * MOST_HISTORY, 1e-9))
    history = run.values("progress")["history"]
    assert len(history) <= MOST_HISTORY
    assert history[0][0] == 0
    assert history[-1] == [5 * MOST_HISTORY, 1e-9]
    assert history == sorted(history)
    json.dumps(history)
