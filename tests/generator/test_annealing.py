"""How long a network is trained: told by a network whose errors are written down beforehand."""

import math

import numpy as np
import pytest

from scalesr.generator.annealing import PAPER_TRAINING, Annealing, Ended, anneal
from scalesr.records.stop import Stop

PLAN = Annealing(n_steps=40, rates=(0.1, 0.001), patience=0.25, look_every=2)


class Scripted:
    """A network that has the error of its place in a list, the last one from there on; each step takes a second."""

    def __init__(self, errors, clock=None):
        self.rates, self.kept = [], []
        self._errors, self._clock = errors, clock

    def step(self, rate):
        self.rates.append(rate)
        if self._clock is not None:
            self._clock.now += 1.0

    def held_error(self):
        return self._errors[min(len(self.rates), len(self._errors)) - 1]

    def keep(self):
        self.kept.append(len(self.rates))


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def falling(until):
    return [1 / (1 + min(n, until)) for n in range(1, 200)]


def cosine(done):
    return 0.001 + 0.099 * (1 + math.cos(math.pi * done)) / 2


def test_training_stops_when_the_error_has_stalled():
    trained = anneal(Scripted(falling(24)), PLAN, work=0.0, stop=Stop())
    assert trained.ended is Ended.STALLED
    assert trained.n_steps == 34  # a quarter of 40 steps after the last look at which it fell, the one after 24
    assert trained.error == 1 / 25


def test_an_error_that_falls_to_the_end_is_annealed_to_the_end():
    trained = anneal(Scripted(falling(100)), PLAN, work=0.0, stop=Stop())
    assert (trained.n_steps, trained.ended, trained.error) == (40, Ended.COMPLETE, 1 / 41)


def test_in_the_first_half_nobody_gives_up():
    trained = anneal(Scripted([0.5] + [0.9] * 100), PLAN, work=0.0, stop=Stop())
    assert (trained.n_steps, trained.ended) == (32, Ended.STALLED)


def test_the_rate_begins_at_the_papers_and_follows_a_cosine():
    network = Scripted(falling(100))
    anneal(network, PLAN, work=0.0, stop=Stop())
    np.testing.assert_allclose(network.rates, [cosine(n / 40) for n in range(40)])
    assert PAPER_TRAINING.rate(0.0) == pytest.approx(0.1)


def test_a_limit_of_work_shortens_the_cosine_and_does_not_cut_it():
    network, stop = Scripted(falling(100)), Stop(work=20.0)
    trained = anneal(network, PLAN, work=2.0, stop=stop)
    assert (trained.n_steps, trained.ended, stop.spent) == (10, Ended.COMPLETE, 20.0)
    np.testing.assert_allclose(network.rates, [cosine(n / 10) for n in range(10)])


def test_a_limit_of_time_shortens_the_cosine_too():
    clock = Clock()
    network = Scripted(falling(100), clock)
    trained = anneal(network, PLAN, work=0.0, stop=Stop(seconds=8.0, clock=clock))
    assert (trained.n_steps, trained.ended) == (8, Ended.COMPLETE)
    np.testing.assert_allclose(network.rates, [cosine(n / 8) for n in range(8)])


def test_the_weights_with_the_smallest_error_are_kept_and_not_the_last_ones():
    network = Scripted([0.9, 0.8, 0.7, 0.2, *([0.9] * 100)])
    trained = anneal(network, PLAN, work=0.0, stop=Stop())
    assert trained.error == 0.2
    assert network.kept[-1] == 4


def test_an_interrupt_ends_it_with_the_weights_so_far():
    stop = Stop()
    network = Scripted([0.5])
    network.step = lambda rate: stop.cancel()
    trained = anneal(network, PLAN, work=0.0, stop=stop)
    assert (trained.n_steps, trained.error, trained.ended) == (1, 0.5, Ended.CUT)
    assert len(network.kept) == 1


def test_errors_that_are_not_finite_are_never_better():
    network = Scripted([0.5, 0.5, math.nan, math.nan, 0.6])
    assert anneal(network, PLAN, work=0.0, stop=Stop()).error == 0.5
    assert network.kept == [2]
