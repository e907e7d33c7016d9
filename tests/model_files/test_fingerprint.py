"""A description differs where runs would differ, and only there."""

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from scalesr.expr.operators import Operators
from scalesr.model_files.fingerprint import described
from scalesr.records.oracle import Oracle
from scalesr.search.default import DefaultSearch
from scalesr.search.genetic.search import GeneticSearch


@dataclass(frozen=True)
class Record:
    size: int
    n_threads: int = 1


class Simulator:
    def __init__(self, rate):
        self.rate, self.myself = rate, self

    def answer(self, X):
        return self.rate * X[:, 0]


def scaled(factor):
    return lambda X: factor * X[:, 0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (DefaultSearch(), DefaultSearch(Operators("paper"), nested=True)),
        (DefaultSearch(), GeneticSearch()),
        (Record(1), Record(2)),
        (scaled(2.0), scaled(3.0)),
        (lambda X: X[:, 0] ** 2, lambda X: X[:, 0] ** 3),
        (partial(np.power, 2), partial(np.power, 3)),
        (Oracle(Simulator(1.0).answer), Oracle(Simulator(2.0).answer)),
        (Oracle(scaled(1.0), budget=10), Oracle(scaled(1.0), budget=20)),
        (np.arange(3), np.arange(3.0)),
        ({"a": 1}, {"a": 2}),
        ({1, 2}, [1, 2]),
    ],
)
def test_what_differs_is_told_apart(one, other):
    assert described(one) == described(one)
    assert described(one) != described(other)


def test_what_decides_nothing_is_left_out():
    assert described(Record(1, n_threads=1)) == described(Record(1, n_threads=8))
    assert described(Record(1), without=frozenset({"size"})) == described(Record(2), without=frozenset({"size"}))


def test_equal_things_made_twice_are_equal():
    assert described(Simulator(1.0)) == described(Simulator(1.0))
    assert described(scaled(2.0)) == described(scaled(2.0))


def test_another_process_describes_the_same():
    code = (
        "from scalesr.model_files.fingerprint import described; print(described(lambda x: x in {'a', 'b', 'c', 'd'}))"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
