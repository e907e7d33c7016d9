"""A stop ends work by time, by counted work or by word, and its children with it."""

import pytest

from scalesr.records.outcome import Ending
from scalesr.records.stop import Stop, Stopped


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def ending(stop: Stop) -> Ending | None:
    return None if stop.reason is None else stop.reason.ending


def test_without_limits_work_goes_on():
    stop = Stop()
    stop.spend(1e9)
    stop.check()
    assert (stop.passed, stop.left) == (False, None)


def test_time_ends_it():
    clock = Clock()
    stop = Stop(seconds=5, clock=clock)
    clock.now += 4
    assert (stop.passed, stop.left) == (False, 1.0)
    clock.now += 1
    assert (ending(stop), stop.left) == (Ending.TIME, 0.0)
    with pytest.raises(Stopped, match="time limit of 5 s"):
        stop.check()


def test_work_ends_it_and_time_does_not_count():
    clock = Clock()
    stop = Stop(work=2.5, clock=clock)
    stop.spend(2.0)
    clock.now += 1e6
    assert not stop.passed
    stop.spend(0.5)
    assert (ending(stop), stop.spent) == (Ending.WORK, 2.5)
    with pytest.raises(Stopped, match=r"limit of 2\.5 units of work"):
        stop.check()


def test_a_word_ends_it_at_every_level():
    parent = Stop()
    child = parent.child(seconds=10)
    child.cancel()
    assert ending(child) is ending(parent) is Ending.INTERRUPTED


def test_a_share_is_of_what_is_left_of_time_and_of_work():
    clock = Clock()
    parent = Stop(seconds=10, work=8, clock=clock)
    clock.now += 2
    parent.spend(4)
    share = parent.share(0.25)
    assert (share.left, share.work_left) == (2.0, 1.0)
    share.spend(1.0)
    assert (ending(share), parent.work_left) == (Ending.WORK, 3.0)
    assert (Stop().share(0.5).left, Stop().share(0.5).work_left) == (None, None)


def test_a_child_ends_with_its_parent_and_not_the_other_way_round():
    clock = Clock()
    parent = Stop(seconds=10, work=10, clock=clock)
    child = parent.child(seconds=5, work=1)
    child.spend(1)
    assert (ending(child), ending(parent), parent.spent) == (Ending.WORK, None, 1.0)
    longer = parent.child(seconds=60)
    assert longer.left == 10.0
    clock.now += 10
    assert ending(longer) is Ending.TIME


def test_a_budget_has_what_is_left_and_the_stop_itself():
    clock = Clock()
    stop = Stop(seconds=10, clock=clock)
    clock.now += 4
    assert stop.budget().seconds == 6.0
    assert stop.budget(2.0, n_fits=7).seconds == 2.0
    assert stop.budget(n_fits=7).n_fits == 7
    assert stop.budget().stop is stop


def test_a_stop_that_was_renewed_lets_work_go_on_for_a_while():
    clock = Clock()
    stop = Stop(seconds=1, work=1, clock=clock)
    stop.spend(2)
    stop.cancel()
    clock.now += 2
    stop.renew(3)
    assert (stop.passed, stop.left) == (False, 3.0)
    clock.now += 3
    assert ending(stop) is Ending.TIME
