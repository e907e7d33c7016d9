"""The short form of all attacks: a few inputs of each, of which none crashes, hangs, is lost, runs or escapes."""

import random

import pytest

from tests.attack.__main__ import ATTACKS
from tests.attack.tally import Tally

SHORT = {
    "formulas": 1000,
    "law files": 100,
    "checkpoints": 60,
    "texts": 400,
    "streams": 40,
    "batches": 10,
    "runs of the page": 60,
    "caches": 100,
    "tables": 300,
    "arrays": 12,
    "kills": 1,
    "signals": 1,
    "disks": 1,
}


def test_every_attack_has_a_short_form():
    assert SHORT.keys() == ATTACKS.keys()


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_lost_and_nothing_let_in(name, tmp_path):
    tally = Tally()
    ATTACKS[name].work(random.Random(5), SHORT[name], tally, tmp_path)
    faults = {kind: told for kind, told in tally.faults.items() if kind != "hangs"}  # which a busy machine may have
    assert (tally.n, faults) == (SHORT[name], {})


def test_a_fault_is_counted():
    tally = Tally()
    for work in (lambda: 1 / 0, lambda: tally.check_text("\x1b[2J", "a name"), lambda: __import__("os").system("true")):
        with tally.attempt("a fault"):
            work()
    assert {kind: len(told) for kind, told in tally.faults.items()} == {"crashes": 1, "escapes": 1, "code_run": 1}
