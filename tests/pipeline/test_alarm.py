import signal
import threading
import time

import pytest

from scalesr.pipeline.alarm import GRACE, interrupted_after
from scalesr.records.budget import Deadline


def busy(seconds: float) -> None:
    """Work that does not look at the clock it is given."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        sum(range(1000))


def test_work_that_ignores_the_clock_is_interrupted_soon_after_the_deadline():
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupted_after(Deadline.after(0.1)):
        busy(30)
    assert time.monotonic() - started < 0.1 + GRACE + 5


def test_work_that_ends_in_time_is_left_alone_afterwards():
    with interrupted_after(Deadline.after(0.1)):
        pass
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    busy(0.1 + GRACE + 0.2)


def test_an_alarm_of_somebody_else_is_not_touched():
    def rings(number: int, frame: object) -> None:
        pass

    previous = signal.signal(signal.SIGALRM, rings)
    try:
        with interrupted_after(Deadline.after(0.01)):
            assert signal.getsignal(signal.SIGALRM) is rings
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    finally:
        signal.signal(signal.SIGALRM, previous)


def test_other_threads_work_without_an_alarm():
    seen = []

    def work() -> None:
        with interrupted_after(Deadline.after(0.01)):
            seen.append(signal.getsignal(signal.SIGALRM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.SIG_DFL]
