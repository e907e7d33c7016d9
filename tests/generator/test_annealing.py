"""How long a network is trained: told by a network whose errors are written down beforehand."""

import math
from dataclasses import replace

import pytest

from scalesr.generator.annealing import Annealing, anneal
from scalesr.records.stop import Stop

PLAN = Annealing(first_steps=4, growth=2.0, patience=1, gain=0.9, rates=(0.1, 0.001), look_every=2)


class Scripted:
    """A network that has the error of its place in a list, the last one from there on."""

    def __init__(self, errors):
        self.rates, self.kept = [], []
        self._errors = errors

    def step(self, rate):
        self.rates.append(rate)

    def held_error(self):
        return self._errors[min(len(self.rates), len(self._errors)) - 1]

    def keep(self):
        self.kept.append(len(self.rates))


def falling(until):
    return [1 / (1 + min(n, until)) for n in range(1, 200)]


def test_training_stops_after_the_first_cycle_that_does_not_lower_the_error():
    network = Scripted(falling(12))
    trained = anneal(network, PLAN, work=0.0, stop=Stop())
    assert (trained.n_steps, trained.n_cycles, trained.stalled) == (4 + 8 + 16, 3, True)
    assert trained.error == 1 / 13


def test_as_long_as_the_error_falls_cycles_go_on_and_grow():
    trained = anneal(Scripted(falling(40)), PLAN, work=0.0, stop=Stop())
    assert (trained.n_steps, trained.n_cycles) == (4 + 8 + 16 + 32 + 64, 5)


def test_patience_is_counted_in_cycles_in_a_row():
    trained = anneal(Scripted(falling(12)), replace(PLAN, patience=2), work=0.0, stop=Stop())
    assert (trained.n_steps, trained.n_cycles, trained.stalled) == (4 + 8 + 16 + 32, 4, True)


def test_a_gain_too_small_to_count_is_no_gain():
    slowly = [1.0] * 4 + [0.95] * 100
    assert anneal(Scripted(slowly), PLAN, work=0.0, stop=Stop()).n_cycles == 2
    assert anneal(Scripted(slowly), replace(PLAN, gain=0.99), work=0.0, stop=Stop()).n_cycles == 3


def test_each_cycle_begins_at_the_papers_rate_and_anneals_by_a_cosine():
    network = Scripted([1.0] * 100)
    anneal(network, replace(PLAN, patience=2), work=0.0, stop=Stop())
    assert network.rates[0] == network.rates[4] == pytest.approx(0.1)
    assert network.rates[2] == pytest.approx((0.1 + 0.001) / 2)
    assert network.rates[3] == pytest.approx(0.001 + 0.099 * (1 + math.cos(3 * math.pi / 4)) / 2)


def test_the_weights_with_the_smallest_error_are_kept_and_not_the_last_ones():
    network = Scripted([0.9, 0.8, 0.7, 0.2, 0.9, 0.9, 0.9, 0.9])
    trained = anneal(network, PLAN, work=0.0, stop=Stop())
    assert trained.error == 0.2
    assert network.kept[-1] == 4


def test_work_is_counted_and_ends_the_training_at_the_same_step():
    limits = []
    for _ in range(2):
        stop = Stop(work=20.0)
        trained = anneal(Scripted(falling(10**6)), PLAN, work=2.0, stop=stop)
        limits.append((trained.n_steps, trained.stalled, stop.spent))
    assert limits == [(10, False, 20.0)] * 2


def test_a_cut_cycle_still_leaves_weights():
    network = Scripted([0.5])
    trained = anneal(network, PLAN, work=1.0, stop=Stop(work=1.0))
    assert (trained.n_steps, trained.error, network.kept) == (1, 0.5, [1])


def test_errors_that_are_not_finite_are_never_better():
    network = Scripted([0.5, 0.5, math.nan, math.nan, 0.6])
    trained = anneal(network, PLAN, work=0.0, stop=Stop())
    assert trained.error == 0.5
    assert network.kept == [2]


def test_so_many_steps_are_one_cycle_whatever_the_error_does():
    network = Scripted([1.0] * 50)
    trained = anneal(network, replace(PLAN, n_steps=30), work=0.0, stop=Stop())
    assert (trained.n_steps, trained.n_cycles) == (30, 1)
    assert network.rates[15] == pytest.approx((0.1 + 0.001) / 2)
