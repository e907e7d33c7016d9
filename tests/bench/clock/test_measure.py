"""The parts of the measurement together, and what stays in the file."""

import json
import os

import pytest

from scalesr_bench.clock import measure, starting
from scalesr_bench.clock.measure import joined, measure_clock
from scalesr_bench.clock.starting import Start, measure_starts
from tests.bench.cli.test_app import run

SMALL = {"n_fits": 1, "n_interrupts": 1, "n_kills": 1, "repeats": 1, "seed": 3, "told": lambda _: None}


def test_parts_that_were_not_asked_for_stay(tmp_path):
    path = tmp_path / "clock.json"
    assert joined(path, {"kills": 1}) == {"kills": 1}
    path.write_text(json.dumps({"kills": "old", "limits": "old", "commit": "old"}))
    assert joined(path, {"kills": "new", "commit": "new"}) == {"kills": "new", "limits": "old", "commit": "new"}


@pytest.mark.skipif(not hasattr(os, "getloadavg"), reason="the system does not tell its load")
def test_busy_loops_run_beside_and_end_with_it(monkeypatch):
    started = []

    class Loop:
        def __init__(self, command):
            assert "while True" in command[-1]
            started.append(self)
            self.is_killed = False

        def kill(self):
            self.is_killed = True

        def wait(self):
            pass

    monkeypatch.setattr(measure, "provenance", lambda: {"commit": "0" * 40})
    monkeypatch.setattr(measure.subprocess, "Popen", Loop)
    monkeypatch.setattr(measure, "measure_starts", lambda repeats: {"running": [loop.is_killed for loop in started]})
    found = measure_clock(("starts",), n_busy=2, **SMALL)["starts"]
    assert (found["running"], found["busy_loops"], found["seed"]) == ([False, False], 2, 3)
    assert [loop.is_killed for loop in started] == [True, True]
    assert found["load_before"] >= 0


def test_the_quickest_start_counts_and_every_law_has_to_be_right(monkeypatch):
    laws = iter(["3*x0*x1^2", "3*x0*x1^2", "x0", "3*x0*x1^2", "3*x0*x1^2"])
    seconds = iter([20.0, 12.0, 10.0, 3.0, 2.5, 2.0, 1.8, 1.9, 2.1, 1.0, 0.9, 1.1, 1.2])

    def started(source, folder):
        one = next(seconds)
        return Start(one, one / 2, next(laws) if "fit" in source else "")

    monkeypatch.setattr(starting, "_started", started)
    found = measure_starts(2)
    assert found["from_an_empty_cache"] == {"seconds": 10.0, "processor_seconds": 5.0}
    assert found["beyond_the_import"] == {"seconds": 0.7, "processor_seconds": 0.35}
    assert found["ratio_of_the_import"] == {"seconds": 2.0, "processor_seconds": 2.0}
    assert found["found_every_time"] is False


def test_a_start_is_timed_by_clock_and_processor(tmp_path):
    start = starting._started("print(sum(range(3_000_000)))", str(tmp_path))
    assert start.printed == "4499998500000"
    assert min(start.seconds, start.processor) > 0


def test_an_unknown_part_is_refused(capsys):
    code, _, err = run(capsys, "clock", "--only", "starts,naps")
    assert code == 2
    assert "'naps'; known are starts, limits, interrupts, kills" in err
