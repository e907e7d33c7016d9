"""Fits with random limits: what is counted as late, and that every place is measured."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from scalesr_bench.clock import limits
from scalesr_bench.clock.kept import KeptRecords
from scalesr_bench.clock.limits import LONGEST, SHORTEST, TimedFit, measure_limits, random_limits, timed_fit


@pytest.mark.parametrize(("seconds", "is_late"), [(2.0, False), (3.19, False), (3.21, True)])
def test_a_tenth_and_a_second_are_allowed(seconds, is_late):
    assert TimedFit("here", 2.0, seconds, 0.1, 10, 1, True).is_late is is_late


@pytest.mark.parametrize(("beyond", "is_late"), [(1.19, False), (1.21, True), (None, False)])
def test_its_own_work_is_told_from_a_busy_machine(beyond, is_late):
    assert TimedFit("here", 2.0, 9.0, beyond, 10, 1, True).is_late_by_processor is is_late


def test_limits_are_the_same_for_a_seed_and_short_ones_are_frequent():
    drawn = random_limits(400, seed=1)
    assert drawn == random_limits(400, seed=1) != random_limits(400, seed=2)
    assert SHORTEST <= min(drawn) < max(drawn) <= LONGEST
    assert 150 < sum(limit < 2 for limit in drawn) < 250


def test_a_fit_tells_whether_it_was_cut():
    fit = timed_fit("here", 0.2, seed=4)
    assert (fit.limit, fit.was_cut) == (0.2, True)
    assert fit.seconds > 0
    assert 0 <= fit.processor_beyond <= fit.seconds
    assert timed_fit("threads", 0.2, seed=4).processor_beyond is None


def test_a_late_fit_tells_what_it_was_doing(monkeypatch):
    monkeypatch.setattr(limits, "latest", lambda limit: 0.0)
    fit = timed_fit("here", 0.2, seed=4)
    assert fit.late_in
    assert all(":" in line for line in fit.late_in)


def test_every_place_is_measured_kept_and_late_fits_are_counted(monkeypatch, tmp_path):
    made = []

    def timed(where, limit, seed):
        made.append(limit)
        return TimedFit(where, limit, 3 * limit, limit, 9, 1, True, ("somewhere",))

    monkeypatch.setattr(limits, "timed_fit", timed)
    monkeypatch.setattr(limits, "_pool", lambda where: ThreadPoolExecutor(1))
    told, path = [], tmp_path / "runs.jsonl"
    found = measure_limits(40, 0, told.append, KeptRecords(path))
    assert (found["fits"], found["were_cut"], len(told)) == (40, 40, 4 + 40)
    assert "10 of 10, about 0 s more (main thread, fit 9 of seed 0" in "\n".join(told)
    assert sorted(made) == sorted(random_limits(40, 0))
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-3]))
    assert measure_limits(40, 0, told.append, KeptRecords(path)) == found
    assert len(made) == 43  # three were missing
    assert len(found["late_in"]) == found["late"]
    assert found["most_processor_seconds_beyond_the_limit"] == max(random_limits(40, 0))
    assert found["late"] == sum(2 * x > 0.1 * x + 1 for x in random_limits(40, 0)) > 0
    assert found["late_by_processor_time"] == sum(x > 0.1 * x + 1 for x in random_limits(40, 0)) < found["late"]
    assert {one["where"] for one in found["runs"]} >= {"main thread", "threads", "processes by spawn"}
