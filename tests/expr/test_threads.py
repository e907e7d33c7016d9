"""Long work in compiled code ends soon after whoever watches it says so."""

import threading

import numpy as np
import pytest

from scalesr.expr.fitting import LONG, fit_grid
from scalesr.expr.text import parse
from scalesr.expr.threads import share_out_watched


class Enough(Exception):
    pass


class Watch:
    memory = None

    def __init__(self, n_looks):
        self.n_looks, self.spent = n_looks, 0.0

    def check(self):
        self.n_looks -= 1
        if self.n_looks < 0:
            raise Enough

    def spend(self, work):
        self.spent += work


def test_work_is_halted_when_the_watch_says_so():
    halt = np.zeros(1, np.int64)
    ended = threading.Event()

    def work(share):
        while not halt[0]:
            pass
        ended.set()

    with pytest.raises(Enough):
        share_out_watched(work, 1, 1, halt, Watch(2))
    assert ended.is_set()


def test_what_a_thread_raises_ends_the_others_too():
    halt = np.zeros(1, np.int64)

    def work(share):
        if share.start == 0:
            raise Enough
        while not halt[0]:
            pass

    with pytest.raises(Enough):
        share_out_watched(work, 8, 2, halt, None)
    assert halt[0] == 1


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    x = rng.uniform(1, 2, LONG)
    return x[np.newaxis], np.array([0, LONG]), np.sin(40 * x) + x**2, np.empty(0)


def test_one_long_fit_is_halted_on_the_way(rows):
    with pytest.raises(Enough):
        fit_grid([parse("C*sin(C*x + C) + C*exp(C*x)/(C + x^C)", ["x"])] * 4, *rows, watch=Watch(1))


def test_watched_fits_are_the_same_and_are_counted(rows):
    watch = Watch(10**9)
    skeletons = [parse("C*x^2 + C", ["x"]), parse("C*x", ["x"])]
    watched, alone = fit_grid(skeletons, *rows, watch=watch), fit_grid(skeletons, *rows, n_threads=2)
    np.testing.assert_array_equal(watched.rss, alone.rss)
    assert watch.spent == 2 * LONG / 1000
