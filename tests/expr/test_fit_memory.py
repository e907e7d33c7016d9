import numpy as np

from scalesr import parse
from scalesr.expr.fitting import fit_many
from scalesr.records.stop import Stop

X = np.linspace(0.5, 3, 40)[:, None]
Y = 2 * np.exp(-0.7 * X[:, 0]) + 0.1 * np.sin(9 * X[:, 0])
SKELETONS = [parse("C*exp(C*x0)"), parse("C*x0 + C")]


class Kept:
    """A memory that keeps every fit and counts what it is told."""

    def __init__(self):
        self.results, self.n_told = {}, 0

    def recall_fit(self, key):
        return self.results.get(key)

    def remember_fit(self, key, results, seconds):
        assert seconds >= 0
        self.n_told += 1
        self.results[key] = [array.copy() for array in results]


def same(one, other):
    names = ("constants", "covariance", "rss", "rank", "n_failed", "status", "n_trials", "n_rows")
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in names)


def test_a_fit_from_memory_is_the_fit_itself():
    memory, plain = Kept(), fit_many(SKELETONS, X, Y)
    first, second = (fit_many(SKELETONS, X, Y, watch=Stop(memory=memory)) for _ in range(2))
    assert same(first, plain)
    assert same(second, plain)
    assert memory.n_told == 1


def test_a_fit_from_memory_counts_as_work_too():
    memory = Kept()
    stops = [Stop(memory=memory) for _ in range(2)]
    for stop in stops:
        fit_many(SKELETONS, X, Y, watch=stop.child())  # a part of some work has the memory of the whole
    assert memory.n_told == 1
    assert {stop.spent for stop in stops} == {2 * len(Y) / 1000}


def test_anything_that_differs_is_another_fit():
    memory = Kept()
    watch, changed = Stop(memory=memory), Y.copy()
    changed[3] = np.nextafter(changed[3], 9)
    fit_many(SKELETONS, X, Y, watch=watch)
    fit_many(SKELETONS, X, changed, watch=watch)
    fit_many(SKELETONS[:1], X, Y, watch=watch)
    fit_many(SKELETONS, X, Y, weights=np.linspace(1, 2, 40), watch=watch)
    assert memory.n_told == 4


def test_a_memory_of_another_shape_is_not_used():
    memory, plain = Kept(), fit_many(SKELETONS, X, Y)
    watch = Stop(memory=memory)
    fit_many(SKELETONS, X, Y, watch=watch)
    memory.results = {key: [np.zeros((1, 1))] * 4 for key in memory.results}
    assert same(fit_many(SKELETONS, X, Y, watch=watch), plain)
