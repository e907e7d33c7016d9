import os
import sys

import pytest

from scalesr_bench.timing import fastest, one_core


def test_tasks_take_turns():
    calls = []
    times = fastest({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, repeats=3)
    assert calls == ["a", "b"] * 3
    assert times.keys() == {"a", "b"}
    assert all(seconds >= 0 for seconds in times.values())


@pytest.mark.skipif(sys.platform != "linux", reason="cores can be chosen on Linux only")
def test_one_core_is_kept_and_given_back():
    before = os.sched_getaffinity(0)
    with one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
