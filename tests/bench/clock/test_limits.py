"""Fits with random limits: what is counted as late, and that every place is measured."""

import pytest

from scalesr.bench.clock import limits
from scalesr.bench.clock.limits import LONGEST, SHORTEST, TimedFit, measure_limits, random_limits, timed_fit


@pytest.mark.parametrize(("seconds", "is_late"), [(2.0, False), (3.19, False), (3.21, True)])
def test_a_tenth_and_a_second_are_allowed(seconds, is_late):
    assert TimedFit("here", 2.0, seconds, 0.1, 10, 1, True).is_late is is_late


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


def test_every_place_is_measured_and_late_fits_are_counted(monkeypatch):
    monkeypatch.setattr(
        limits, "_made", lambda where, own, seed: [TimedFit(where, x, 3 * x, x, 9, 1, True) for x in own]
    )
    told = []
    found = measure_limits(40, 0, told.append)
    assert (found["fits"], found["were_cut"], len(told)) == (40, 40, 4)
    assert found["most_processor_seconds_beyond_the_limit"] == max(random_limits(40, 0))
    assert found["late"] == sum(2 * x > 0.1 * x + 1 for x in random_limits(40, 0)) > 0
    assert {one["where"] for one in found["runs"]} >= {"main thread", "threads", "processes by spawn"}
